"""Compares complete answers line by line and says of each difference where it comes from.

The reasons are found in the blobs themselves, with rules that are written down here and nowhere else in the project.
"""

import base64
import collections
import json
import re

from common.corpus import SNIFFED, is_binary

UNEXPLAINED = "unexplained"


def pincite_answer(output):
    """The total and the listed `(path, line)` pairs, in their order, of a search as JSON."""
    answer = json.loads(output)
    search = answer["searches"][0]
    listed = [(_path(match), match["line"]) for match in answer["matches"]]
    return search["matches"], listed


def _path(match):
    exact = match.get("path_base64")
    return match["path"].encode() if exact is None else base64.b64decode(exact)


def wrong_in_itself(total, listed, first_total, first, limit):
    """What pincite's two answers to one term contradict each other in."""
    problems = []
    if len(listed) != total:
        problems.append(f"the complete list has {len(listed)} lines and the total is {total}")
    if len(set(listed)) != len(listed):
        problems.append("the complete list has a line twice")
    if listed != sorted(listed):
        problems.append("the complete list is not sorted by path and line")
    if first_total != total:
        problems.append(f"the total is {first_total} with a limit and {total} without")
    if first != listed[:limit]:
        problems.append(f"the first {limit} are not the beginning of the complete list")
    return problems


def quoted(path):
    """A path as `git hash-object --stdin-paths` reads it, whatever stands in it."""
    return b'"' + re.sub(rb'["\\\r\n]', lambda match: b"\\%03o" % match[0][0], path) + b'"'


def wrong_hashes(paths, output, oid_of):
    """Those of the hashed files that are not what the commit has there."""
    hashed = dict(zip(paths, output.decode().split()))
    return [path for path in paths if hashed.get(path, "") != oid_of.get(path)]


class Difference:
    """Lines that one side has and the other lacks, by reason."""

    def __init__(self):
        self.missed = collections.Counter()
        self.extra = collections.Counter()
        # A few of each reason, to look at.
        self.examples = {}

    def add(self, side, reason, path, line):
        getattr(self, side)[reason] += 1
        shown = self.examples.setdefault(f"{side}: {reason}", [])
        if len(shown) < 5:
            shown.append(f"{path.decode(errors='backslashreplace')}:{line}")

    def unexplained(self):
        return self.missed[UNEXPLAINED] + self.extra[UNEXPLAINED]


def compare(ours, theirs, term, blob_of, rival=None, lost=frozenset()):
    """How a rival's set of lines differs from pincite's. `blob_of` gives a path's bytes, `lost` are the paths that
    its work tree lacks."""
    difference = Difference()
    files = _Files(blob_of)
    for path, line in sorted(ours - theirs):
        difference.add("missed", _missed(path, line, files, term, rival, lost), path, line)
    for path, line in sorted(theirs - ours):
        difference.add("extra", _extra(path, line, files, term), path, line)
    return difference


class _Files:
    """The contents of the files that differ, each read and judged once."""

    def __init__(self, blob_of):
        self.blob_of = blob_of
        self.contents, self.not_indexed, self.alone = {}, {}, {}

    def __getitem__(self, path):
        if path not in self.contents:
            self.contents[path] = self.blob_of(path)
        return self.contents[path]

    def line(self, path, number):
        lines = self[path].split(b"\n", number)
        return lines[number - 1] if 0 < number <= len(lines) else b""

    def why_not_indexed(self, path):
        if path not in self.not_indexed:
            self.not_indexed[path] = _why_not_indexed(path, self[path])
        return self.not_indexed[path]

    def found_alone(self, rival, term, path, line):
        if path not in self.alone:
            self.alone[path] = rival.lines_alone(term, path) or ()
        return (path, line) in self.alone[path]


def _missed(path, line, files, term, rival, lost):
    if path in lost:
        return "not in the work tree"
    indexed = rival.indexed_files() if rival else None
    if indexed is not None and path not in indexed:
        return f"file left out of its index: {files.why_not_indexed(path)}"
    if b"\0" in files[path]:
        return f"a NUL behind the first {SNIFFED:,} bytes"
    reason = _beside(files.line(path, line), term)
    if reason == UNEXPLAINED and rival and files.found_alone(rival, term, path, line):
        return "found when asked about this file alone, a fault of its own"
    return reason


def _why_not_indexed(path, content):
    """The rules of codesearch's `index/write.go` and `cmd/cindex`."""
    if any(part.startswith((b".", b"#", b"~")) or part.endswith(b"~") for part in path.split(b"/")):
        return "its name"
    try:
        content.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    if any(len(one) > 2000 for one in content.split(b"\n")):
        return "a line over 2,000 bytes"
    if len({content[at : at + 3] for at in range(len(content) - 2)}) > 20000:
        return "over 20,000 trigrams"
    return "unknown"


def _extra(path, line, files, term):
    content = files[path]
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16, which pincite counts as skipped"
    if is_binary(content):
        return "binary, which pincite counts as skipped"
    if content.startswith(b"version https://git-lfs.github.com/spec/v1\n") and len(content) < 1024:
        return "a Git LFS pointer, which pincite counts as skipped"
    return _beside(files.line(path, line), term)


def _beside(text, term):
    """Tools draw the line around words differently where a letter outside ASCII or a bad byte stands beside."""
    needle = term.text.encode()
    if term.mode != "literal":
        for match in re.finditer(re.escape(needle), text):
            around = text[max(0, match.start() - 2) : match.start()] + text[match.end() : match.end() + 1]
            if any(byte >= 0x80 for byte in around):
                return "beside a character outside ASCII"
    return UNEXPLAINED
