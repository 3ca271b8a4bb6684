"""What the scripts say of differences and of numbers, without running any tool: `python3 -m unittest`."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "comparison")]

import answers
import rivals
from common import report
from common.corpus import Term

FILES = {
    b"plain.c": b"needle\nother\nneedle\n",
    b"letters.c": "needle\u00e9\n1\nneedle\n".encode(),
    b"late.c": b"x" * 8000 + b"\0\nneedle\n",
    b"early.c": b"\0\nneedle\n",
    b"wide.c": b"\xff\xfe" + "needle\n".encode("utf-16-le"),
    b"long.c": b"needle\n" + b"y" * 2001 + b"\n",
    b"latin.c": b"needle\n\xe9\n",
}
WORD = Term("rare word", "needle", "word")
LITERAL = Term("phrase", "needle", "literal")


class Indexing:
    """A rival whose index lacks some files and that finds other lines when asked about one file."""

    def __init__(self, files=None, alone=()):
        self.files, self.alone = files, alone

    def indexed_files(self):
        return self.files

    def lines_alone(self, term, path):
        return self.alone


class Reasons(unittest.TestCase):
    def check(self, ours, theirs, missed=None, extra=None, term=WORD, rival=None, lost=frozenset()):
        found = answers.compare(set(ours), set(theirs), term, FILES.__getitem__, rival or Indexing(), lost)
        self.assertEqual((dict(found.missed), dict(found.extra)), (missed or {}, extra or {}))

    def test_equal_sets_do_not_differ(self):
        self.check([(b"plain.c", 1), (b"plain.c", 3)], [(b"plain.c", 3), (b"plain.c", 1)])

    def test_a_difference_without_a_cause_is_unexplained(self):
        self.check([(b"plain.c", 1)], [(b"plain.c", 2)], {"unexplained": 1}, {"unexplained": 1})
        # The letter stands in another line.
        self.check([(b"letters.c", 3)], [], {"unexplained": 1})
        # For a fixed string the neighbours decide nothing.
        self.check([(b"letters.c", 1)], [], {"unexplained": 1}, term=LITERAL)
        self.check([], [(b"plain.c", 99)], extra={"unexplained": 1})

    def test_a_cause_is_found_in_the_blob(self):
        self.check([], [(b"letters.c", 1)], extra={"beside a character outside ASCII": 1})
        self.check([(b"late.c", 2)], [], {"a NUL behind the first 8,000 bytes": 1})
        self.check([], [(b"early.c", 2)], extra={"binary, which pincite counts as skipped": 1})
        self.check([], [(b"wide.c", 1)], extra={"UTF-16, which pincite counts as skipped": 1})
        self.check([(b"plain.c", 1)], [], {"not in the work tree": 1}, lost={b"plain.c"})

    def test_an_index_explains_only_files_that_it_lacks(self):
        rival = Indexing({b"plain.c"})
        self.check([(b"plain.c", 1)], [], {"unexplained": 1}, rival=rival)
        for path, why in ((b"long.c", "a line over 2,000 bytes"), (b"latin.c", "not UTF-8"), (b"letters.c", "unknown")):
            self.check([(path, 1)], [], {f"file left out of its index: {why}": 1}, rival=rival)
        alone = Indexing({b"plain.c"}, {(b"plain.c", 1)})
        own = "found when asked about this file alone, a fault of its own"
        self.check([(b"plain.c", 1), (b"plain.c", 3)], [], {own: 1, "unexplained": 1}, rival=alone)

    def test_answers_that_contradict_each_other_are_told(self):
        lines = [(b"a", 1), (b"a", 2), (b"b", 1)]
        self.assertEqual(answers.wrong_in_itself(3, lines, 3, lines[:2], 2), [])
        for wrong in (
            (4, lines, 4, lines[:2], 2),
            (3, lines, 2, lines[:2], 2),
            (3, lines, 3, lines[1:], 2),
            (3, lines[::-1], 3, lines[::-1][:2], 2),
            (3, [lines[0], lines[0], lines[2]], 3, [lines[0], lines[0]], 2),
        ):
            self.assertEqual(len(answers.wrong_in_itself(*wrong)), 1, wrong)


class Expressions(unittest.TestCase):
    def test_decimal_tokens(self):
        whole = ["23487", "= 23487,", "23487ull", "x.23487", "23487u32;", "a[1].23487", "..23487", "x'23487'", "23487.",
                 "23487.x", "23487.fx", "f(23487)", "23487'x", "23487.e", "23487.e+x", "23487n", "23487LLu"]
        part = ["x23487", "_23487", "0x23487", "23487x", "23487_000", "123487", "234870", "23487'000", "1'23487", "1.23487",
                "23487.5", ".23487", " .23487", "23487.f", "23487.F;", "23487.e5", "23487e3", "23487e+3", "23487.E-3",
                "23487ulll", "1.1.23487"]
        for build in (rivals.decimal_expression, rivals.decimal_lookaround):
            expression = re.compile(build("23487"), re.ASCII)
            self.assertEqual([line for line in whole if not expression.search(line)], [], build.__name__)
            self.assertEqual([line for line in part if expression.search(line)], [], build.__name__)


class Numbers(unittest.TestCase):
    def test_percentiles_are_the_nearest_ranks(self):
        values = range(200, 0, -1)
        self.assertEqual([report.percentile(values, percent) for percent in (50, 95, 99, 100)], [100, 190, 198, 200])
        self.assertIsNone(report.percentile([], 50))

    def test_a_ratio_is_theirs_by_ours(self):
        self.assertEqual((report.ratio(3, 2), report.ratio(50, 2), report.ratio(None, 2)), ("1.5 ×", "25 ×", ""))

    def test_an_exponent_is_the_slope_of_the_logarithms(self):
        sizes = [1, 10, 100]
        for values, slope in (([5, 50, 500], 1), ([3, 3, 3], 0), ([1, 100, 10000], 2), ([0, 10, 1000], 2)):
            self.assertAlmostEqual(report.exponent(sizes, values), slope)
        self.assertIsNone(report.exponent([10], [10]))


if __name__ == "__main__":
    unittest.main()
