"""A commit as Git's own commands tell it, and search terms drawn from its blobs.

Shares no code with pincite: what a file is, where its lines are and which words it has is decided here anew.
"""

import collections
import os
import random
import re
import subprocess
import threading
from dataclasses import dataclass

# Git looks for a NUL in so many bytes to call a blob binary.
SNIFFED = 8000
# Terms are drawn from blobs up to this size, and from so many bytes of them in all: the draw is not to take longer
# than what is measured.
MAX_DRAWN_BLOB = 1 << 20
DRAWN_BYTES = 48 << 20

WORD = re.compile(rb"(?<![0-9A-Za-z_])[A-Za-z_][0-9A-Za-z_]{2,}")
DECIMAL = re.compile(rb"(?<![\w.'])[0-9]{2,9}(?![\w.'])")


def git_environment():
    """No configuration of the user, no fetching of what a partial clone lacks, and bytes instead of characters."""
    return {
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def git(folder, *arguments, data=None, env=None):
    """What a Git command prints; raises with its complaint."""
    environment = {**os.environ, **git_environment(), **(env or {})}
    done = subprocess.run(["git", "-C", folder, *arguments], input=data, capture_output=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"git {' '.join(map(str, arguments))}: {os.fsdecode(done.stderr).strip()}")
    return done.stdout


@dataclass(frozen=True)
class Entry:
    mode: str
    oid: str
    path: bytes


@dataclass(frozen=True)
class Term:
    kind: str
    text: str
    # How pincite is asked: `word`, `decimal` or `literal`.
    mode: str


class Corpus:
    """The files of a commit. Links and submodules are left out, as every tool here leaves them out."""

    def __init__(self, repository, revision):
        self.git_dir = os.fsdecode(git(repository, "rev-parse", "--absolute-git-dir")).rstrip("\n")
        self.commit = os.fsdecode(git(self.git_dir, "rev-parse", "--verify", f"{revision}^{{commit}}")).strip()
        listed = []
        for record in git(self.git_dir, "ls-tree", "-r", "-z", "--full-tree", self.commit).split(b"\0"):
            if record:
                head, path = record.split(b"\t", 1)
                mode, kind, oid = head.decode().split(" ")
                if kind == "blob" and mode in ("100644", "100755"):
                    listed.append(Entry(mode, oid, path))
        self.sizes = self._sizes({entry.oid for entry in listed})
        self.entries = [entry for entry in listed if entry.oid in self.sizes]
        self.missing = [entry for entry in listed if entry.oid not in self.sizes]
        self.oid_of = {entry.path: entry.oid for entry in self.entries}
        self.bytes = sum(self.sizes[entry.oid] for entry in self.entries)

    def _sizes(self, oids):
        data = "".join(f"{oid}\n" for oid in sorted(oids)).encode()
        rows = git(self.git_dir, "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", data=data)
        sizes = {}
        for row in rows.decode().splitlines():
            fields = row.split(" ")
            if len(fields) == 3 and fields[1] == "blob":
                sizes[fields[0]] = int(fields[2])
        return sizes

    def distinct_oids(self):
        """Each blob once, in the order of the paths."""
        return list(dict.fromkeys(entry.oid for entry in self.entries))

    def blobs(self, oids):
        """Yields `(oid, bytes)` in the order asked."""
        process = subprocess.Popen(
            ["git", "-C", self.git_dir, "cat-file", "--batch", "--buffer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **git_environment()},
        )

        def feed():
            process.stdin.write("".join(f"{oid}\n" for oid in oids).encode())
            process.stdin.close()

        feeder = threading.Thread(target=feed)
        feeder.start()
        for _ in oids:
            oid, _, size = process.stdout.readline().decode().rstrip("\n").split(" ")
            content = process.stdout.read(int(size))
            process.stdout.read(1)
            yield oid, content
        feeder.join()
        process.stdout.close()
        if process.wait() != 0:
            raise SystemExit("git cat-file failed")

    def blob(self, path):
        """The content of one file."""
        return git(self.git_dir, "cat-file", "blob", self.oid_of[path])

    def check_out(self, folder):
        """Writes the files as their blobs are, without filters, and returns how many could not be written."""
        by_oid = collections.defaultdict(list)
        for entry in self.entries:
            by_oid[entry.oid].append(entry)
        lost = []
        root = os.fsencode(folder)
        for oid, content in self.blobs(list(by_oid)):
            for entry in by_oid[oid]:
                place = os.path.join(root, entry.path)
                try:
                    os.makedirs(os.path.dirname(place), exist_ok=True)
                    with open(place, "xb") as file:
                        file.write(content)
                except OSError:
                    lost.append(entry.path)
        return lost


def is_binary(content):
    return b"\0" in content[:SNIFFED]


def draw_terms(corpus, seed, count):
    """Up to `count` different terms of each kind, the same for the same seed.

    Frequent words are drawn from the 200 that most blobs have, or a tenth of all when there are few; middling ones
    from the first hundredth to the first tenth of all words; rare ones stand in one blob of the sample.
    """
    rng = random.Random(seed)
    drawable = [oid for oid in sorted(corpus.sizes) if 1 <= corpus.sizes[oid] <= MAX_DRAWN_BLOB]
    rng.shuffle(drawable)
    chosen, total = [], 0
    for oid in drawable:
        if total >= DRAWN_BYTES:
            break
        chosen.append(oid)
        total += corpus.sizes[oid]
    blobs = [content for _, content in corpus.blobs(chosen) if not is_binary(content)]
    holders = collections.Counter()
    for content in blobs:
        holders.update(set(WORD.findall(content)))
    ranked = [word.decode() for word, _ in sorted(holders.items(), key=lambda item: (-item[1], item[0]))]
    if not ranked:
        raise SystemExit("the commit has no text to draw terms from")
    frequent = max(1, min(200, len(ranked) // 10))
    middling = max(frequent, len(ranked) // 100)
    bands = {
        "frequent word": ranked[:frequent],
        "middling word": ranked[middling : max(middling + count, len(ranked) // 10)],
        "rare word": [word for word in ranked if holders[word.encode()] == 1],
    }

    def from_blob(pattern):
        content = rng.choice(blobs)
        found = [match.span() for match in pattern.finditer(content)]
        return (content, rng.choice(found)) if found else (content, None)

    def decimal():
        content, span = from_blob(DECIMAL)
        return span and content[slice(*span)].decode()

    def phrase():
        content, span = from_blob(WORD)
        if not span:
            return None
        line = content[span[0] : span[0] + rng.randint(8, 40)].split(b"\n")[0].rstrip()
        return printable(line) if len(line) >= 6 and not WORD.fullmatch(line) else None

    def piece():
        content, span = from_blob(WORD)
        if not span or span[1] - span[0] < 7:
            return None
        start = rng.randint(span[0] + 1, span[1] - 4)
        return content[start : rng.randint(start + 3, span[1] - 1)].decode()

    def absent():
        return f"{rng.choice(ranked)[:40]}_{''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=8))}"

    kinds = [(kind, "word", lambda band=band: rng.choice(band) if band else None) for kind, band in bands.items()]
    kinds += [
        ("decimal", "decimal", decimal),
        ("phrase", "literal", phrase),
        ("piece of a word", "literal", piece),
        ("absent word", "word", absent),
    ]
    terms = []
    for kind, mode, draw in kinds:
        texts = []
        for _ in range(count * 200):
            text = draw()
            if text and text not in texts:
                texts.append(text)
            if len(texts) == count:
                break
        terms += [Term(kind, text, mode) for text in texts]
    return terms


def printable(line):
    """A term that can stand on a command line: UTF-8 without control characters but tabs."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None
    return text if text.replace("\t", "").isprintable() else None
