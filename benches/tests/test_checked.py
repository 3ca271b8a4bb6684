"""ripgrep's answers are checked against the commit's blobs. Needs Git and no other tool: `python3 -m unittest`."""

import argparse
import importlib.util
import os
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader

sys.dont_write_bytecode = True
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "comparison")]

import rivals
from common.corpus import Term, git

loader = SourceFileLoader("comparison_run", os.path.join(FOLDER, "comparison", "run"))
comparison = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(comparison)

# Names that `git hash-object --stdin-paths` reads wrongly when they are not quoted, and some that it always reads.
PATHS = [b'"q".c', b"Icon\r", b"back\\slash.c", b"blanks here/\xe4.c", b"plain.c"]
TERM = Term("rare word", "needle", "word")


class Checked(unittest.TestCase):
    def prepare(self, *init):
        """A comparison of a repository with the paths, its rival, and the name of its work tree."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        repository, scratch = os.path.join(folder.name, "repository"), os.path.join(folder.name, "scratch")
        os.makedirs(scratch)
        git(folder.name, "init", "-q", *init, repository)
        for number, path in enumerate(PATHS):
            place = os.path.join(os.fsencode(repository), path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(b"needle %d\r\n" % number)
        git(repository, "add", ".")
        git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one")
        asked = argparse.Namespace(repository=repository, commit="HEAD", pincite="", index="index", timeout=60)
        run = comparison.Comparison(asked, scratch)
        self.addCleanup(run.launcher.process.stdout.close)
        self.addCleanup(run.launcher.close)
        work_tree = os.path.join(scratch, "tree")
        os.mkdir(work_tree)
        self.assertEqual(run.corpus.check_out(work_tree), [])
        return run, rivals.Ripgrep(run.corpus, work_tree, scratch), os.fsencode(work_tree)

    def check(self, run, rival, paths, answer=None):
        answer = {"checked": []} if answer is None else answer
        lines = b"".join(os.path.join(os.fsencode(rival.work_tree), path) + b"\0001:needle\n" for path in paths)
        run.check(rival, TERM, {"seconds": 0.25}, lines, answer)
        return answer["checked"]

    def test_files_of_the_commit_are_right_and_cost_time(self):
        for init in ((), ("--object-format=sha256",)):
            with self.subTest(init=init):
                run, rival, _ = self.prepare(*init)
                [seconds] = self.check(run, rival, PATHS * 2)
                self.assertGreater(seconds, 0.25)
                self.assertEqual(run.problems, [])

    def test_without_a_file_there_is_nothing_to_hash(self):
        run, rival, _ = self.prepare()
        self.assertEqual((self.check(run, rival, []), run.problems), ([0.25], []))

    def test_a_long_check_is_measured_once(self):
        run, rival, _ = self.prepare()
        self.assertEqual(self.check(run, rival, PATHS, {"checked": [comparison.LONG_SECONDS + 1]}), [2.0])

    def test_another_content_is_a_difference(self):
        run, rival, work_tree = self.prepare()
        with open(os.path.join(work_tree, b"plain.c"), "ab") as file:
            file.write(b"x")
        answer = {"checked": []}
        self.check(run, rival, PATHS, answer)
        # Another round finds it again.
        self.assertEqual(len(self.check(run, rival, PATHS, answer)), 2)
        self.assertEqual(run.problems, ["'needle': 1 files that ripgrep names are not those of the commit: plain.c"])

    def test_a_file_that_the_commit_lacks_is_a_difference(self):
        run, rival, work_tree = self.prepare()
        with open(os.path.join(work_tree, b"new.c"), "wb") as file:
            file.write(b"needle 0\r\n")
        self.check(run, rival, [b"new.c"])
        self.assertEqual(run.problems, ["'needle': 1 files that ripgrep names are not those of the commit: new.c"])

    def test_a_file_that_can_not_be_hashed_is_told(self):
        run, rival, _ = self.prepare()
        self.assertEqual(self.check(run, rival, [b"nowhere.c"]), [])
        self.assertEqual(run.problems, ["'needle': the files that ripgrep names were not hashed: status 128"])


class Folders(unittest.TestCase):
    def arguments(self, scratch, out):
        given = ["run", "--repository", "x", "--pincite", "x", "--scratch", scratch, "--out", out]
        before, sys.argv = sys.argv, given
        try:
            return comparison.arguments()
        finally:
            sys.argv = before

    def test_folders_are_made_and_a_failure_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            scratch, out = os.path.join(folder, "a", "b"), os.path.join(folder, "c")
            self.arguments(scratch, out)
            self.assertTrue(os.path.isdir(scratch) and os.path.isdir(out))
            file = os.path.join(folder, "file")
            open(file, "w").close()
            for wrong in (file, os.path.join(file, "below")):
                with open(os.devnull, "w") as nowhere, self.assertRaises(SystemExit) as raised:
                    before, sys.stderr = sys.stderr, nowhere
                    try:
                        self.arguments(wrong, out)
                    finally:
                        sys.stderr = before
                self.assertEqual(raised.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
