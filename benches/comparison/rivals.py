"""Other tools that answer the same question, asked in the way that comes nearest to pincite's modes."""

import os
import re
import shutil
import subprocess

from common.corpus import git_environment

# A decimal token as one expression without look-around, for the lines that hold one: POSIX ERE, Rust's regex crate and
# RE2 read it alike. It knows ASCII letters only.
_BEFORE = r"(^|[^0-9A-Za-z_.']|[])A-Za-z_.]\.|(^|[^0-9])')"
_SUFFIX = r"(n|[uU]([lLzZ]|[lL][lL])?|[lL]([lLuU]|[lL][uU])?|[zZ][uU]?|[iu](8|16|32|64|128|size))"
_POINT = r"\.($|[^0-9A-Za-z_]|[A-DG-KM-Za-dg-km-z_]|[fFlL][0-9A-Za-z_]|[eE]($|[^-0-9+]|[-+]($|[^0-9])))"
_AFTER = rf"({_SUFFIX}($|[^0-9A-Za-z_])|$|[^0-9A-Za-z_.']|'($|[^0-9])|{_POINT})"


def decimal_expression(digits):
    return f"{_BEFORE}{digits}{_AFTER}"


def decimal_lookaround(digits):
    """The same for PCRE, where it is three times as fast."""
    before = r"(?<!\w)(?<!\d[.'])(?<!^\.)(?<![^\w)\].]\.)"
    after = r"(?!\.\d|\.[fFlL](?!\w)|\.[eE][+-]?\d|'\d)"
    return rf"{before}{digits}{after}{_SUFFIX}?(?!\w)"


class Rival:
    """One tool. `command` is what is measured; `parse` turns its output into `(path, line)` pairs."""

    name = ""
    program = ""
    # Debian's package, to install it when it is missing.
    package = ""
    needs_work_tree = False
    statuses = (0, 1)

    def __init__(self, corpus, work_tree, scratch):
        self.corpus, self.work_tree, self.scratch = corpus, work_tree, scratch

    def environment(self):
        return {"LC_ALL": "C"}

    def version(self):
        said = subprocess.run([self.program, "--version"], capture_output=True, text=True)
        return said.stdout.splitlines()[0] if said.stdout else self.program

    def build(self, launcher):
        """The run that builds its index and the index's bytes, or nothing when it has none."""
        return None

    def indexed_files(self):
        """The files that its index has, or nothing when it has no index."""
        return None

    def lines_alone(self, term, path):
        """What it finds when it is asked about one file only, or nothing when that is no other question."""
        return None

    def hashing(self):
        """The command that hashes the files that its answer names, or nothing when that is not timed."""
        return None

    def relative(self, path):
        return path.removeprefix(os.fsencode(self.work_tree) + b"/")


class GitGrep(Rival):
    """`git grep` on the commit; attributes and the user's configuration are out of the way."""

    name, program, package = "git grep", "git", "git"

    def __init__(self, corpus, work_tree, scratch):
        super().__init__(corpus, work_tree, scratch)
        # Git can be built without PCRE; it then ends with 128.
        test = ["git", "-C", corpus.git_dir, "grep", "-q", "-P", "-e", "x", corpus.commit, "--", ":(literal)nowhere"]
        environment = {**os.environ, **git_environment()}
        self.has_pcre = subprocess.run(test, env=environment, capture_output=True).returncode in self.statuses

    def environment(self):
        return git_environment()

    def command(self, term):
        empty_tree = {
            40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        }[len(self.corpus.commit)]
        how = {"word": ["-F", "-w"], "literal": ["-F"], "decimal": ["-P" if self.has_pcre else "-E"]}[term.mode]
        expression = decimal_lookaround if self.has_pcre else decimal_expression
        text = expression(term.text) if term.mode == "decimal" else term.text
        head = ["git", "-C", self.corpus.git_dir, f"--attr-source={empty_tree}", "grep", "-z", "-n", "-I"]
        return [*head, "--no-color", "--full-name", *how, "-e", text, self.corpus.commit, "--"]

    def parse(self, output):
        found = set()
        prefix, at = len(self.corpus.commit) + 1, 0
        # `<commit>:<path> NUL <line> NUL <text> LF`; a path may hold anything but NUL.
        while at < len(output):
            path_end = output.index(b"\0", at)
            line_end = output.index(b"\0", path_end + 1)
            found.add((output[at + prefix : path_end], int(output[path_end + 1 : line_end])))
            at = output.find(b"\n", line_end) + 1 or len(output)
        return found


class Ripgrep(Rival):
    """ripgrep on a work tree, with hidden and ignored files; binary files are left to its own rules."""

    name, program, package = "ripgrep", "rg", "ripgrep"
    needs_work_tree = True

    def command(self, term):
        how = {"word": ["-F", "-w"], "literal": ["-F"], "decimal": []}[term.mode]
        # Its classes know letters outside ASCII, as pincite's do.
        expression = decimal_expression(term.text).replace("[^0-9A-Za-z_", r"[^\w")
        text = expression if term.mode == "decimal" else term.text
        head = ["rg", "--no-config", "-uu", "-n", "--null", "--no-heading", "--color", "never"]
        return [*head, *how, "-e", text, self.work_tree]

    def hashing(self):
        # The clone says which hash its blobs have. Its own work tree, which may lie around this one, must not count.
        place = ["-C", self.work_tree, f"--git-dir={self.corpus.git_dir}", "--work-tree=."]
        return ["git", *place, "hash-object", "--no-filters", "--stdin-paths"]

    def parse(self, output):
        found = set()
        at = 0
        # `<path> NUL <line>:<text> LF`
        while at < len(output):
            path_end = output.find(b"\0", at)
            if path_end < 0:
                break
            path = output[at:path_end]
            # A note about a binary file is a line of its own, without a NUL.
            path = path[path.rfind(b"\n") + 1 :]
            line_end = output.index(b":", path_end)
            found.add((self.relative(path), int(output[path_end + 1 : line_end])))
            at = output.find(b"\n", line_end) + 1 or len(output)
        return found


class Codesearch(Rival):
    """Google codesearch on a work tree, behind its trigram index."""

    name, program, package = "csearch", "csearch", "codesearch"
    needs_work_tree = True

    def __init__(self, corpus, work_tree, scratch):
        super().__init__(corpus, work_tree, scratch)
        self.index = os.path.join(scratch, "csearch.index")
        self.files = None

    def environment(self):
        return {"LC_ALL": "C", "CSEARCHINDEX": self.index, "HOME": self.scratch}

    def version(self):
        if not shutil.which("dpkg-query"):
            return "csearch"
        said = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", self.package], capture_output=True, text=True)
        return f"csearch {said.stdout}".strip()

    def build(self, launcher):
        if os.path.exists(self.index):
            os.remove(self.index)
        # Its temporary files go beside the index, as pincite's do.
        environment = {**self.environment(), "TMPDIR": self.scratch}
        run = launcher.run(["cindex", "-reset", self.work_tree], env=environment, timeout=7200)
        return run, os.path.getsize(self.index) if os.path.exists(self.index) else 0

    def command(self, term, path=None):
        only = [] if path is None else ["-f", "/" + _quoted_text(os.fsdecode(path)) + "$"]
        if term.mode == "decimal":
            # Its classes match a line feed when they are negated.
            text = decimal_expression(term.text).replace("[^", r"[^\n")
        else:
            text = _quoted_text(term.text)
            text = rf"\b{text}\b" if term.mode == "word" else text
        return ["csearch", "-n", *only, text]

    def parse(self, output):
        found = set()
        for record in output.split(b"\n"):
            # A path may hold a colon; the shortest beginning that is a file of the commit is the path.
            for match in re.finditer(rb":([0-9]+):", record):
                path = self.relative(record[: match.start()])
                if path in self.corpus.oid_of:
                    found.add((path, int(match[1])))
                    break
        return found

    def indexed_files(self):
        """Those of which an expression that every line matches lists the name."""
        if self.files is None:
            self.files = {self.relative(path) for path in self._output(["csearch", "-l", "^"]).split(b"\n") if path}
        return self.files

    def lines_alone(self, term, path):
        return self.parse(self._output(self.command(term, path)))

    def _output(self, argv):
        return subprocess.run(argv, capture_output=True, env={**os.environ, **self.environment()}).stdout


def _quoted_text(text):
    """A text as an RE2 expression of itself."""
    return re.sub(r"[!-/:-@\[-^`{-~]", r"\\\g<0>", text)


KNOWN = {"git": GitGrep, "rg": Ripgrep, "codesearch": Codesearch}


def find(name):
    """The class of a rival whose program is here, after an attempt to install it; else nothing."""
    rival = KNOWN[name]
    if not shutil.which(rival.program) and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", rival.package]
        subprocess.run(install, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return rival if shutil.which(rival.program) else None
