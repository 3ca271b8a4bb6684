"""Repositories of other sizes, made of one commit's files."""

import os
import random
import subprocess

from common.corpus import git, git_environment

IDENTITY = {
    name: value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in (
        (f"GIT_{role}_NAME", "Benchmark"),
        (f"GIT_{role}_EMAIL", "benchmark@example.com"),
        (f"GIT_{role}_DATE", "1112911993 +0000"),
    )
}


def borrowing_repository(folder, corpus):
    """An empty bare repository that finds the objects of another one too."""
    form = {40: "sha1", 64: "sha256"}[len(corpus.commit)]
    git(".", "init", "--quiet", "--bare", "--template=", f"--object-format={form}", folder)
    objects = git(corpus.git_dir, "rev-parse", "--git-path", "objects").decode().rstrip("\n")
    os.makedirs(os.path.join(folder, "objects", "info"), exist_ok=True)
    with open(os.path.join(folder, "objects", "info", "alternates"), "w", encoding="utf-8") as file:
        file.write(os.path.abspath(os.path.join(corpus.git_dir, objects)) + "\n")
    return folder


def fraction(folder, corpus, share, seed):
    """A commit with a part of the files. Of one seed a smaller part lies within a larger one."""
    entries = list(corpus.entries)
    random.Random(seed).shuffle(entries)
    wanted = max(1, round(len(entries) * share))
    return _commit(folder, [(entry.mode, entry.oid, entry.path) for entry in entries[:wanted]])


def copies(folder, corpus, count):
    """A commit with the files under `count` top folders. Lines behind each copy's end, without a word, make its blob
    another one."""
    listed = [(entry.mode, entry.oid, b"copy1/" + entry.path) for entry in corpus.entries]
    for number in range(2, count + 1):
        oids = _changed_blobs(folder, corpus, b"\n" + b"//\n" * (number - 1))
        listed += [(entry.mode, oids[entry.oid], b"copy%d/%s" % (number, entry.path)) for entry in corpus.entries]
    return _commit(folder, listed)


def _changed_blobs(folder, corpus, end):
    """Writes every blob with more at its end, as one pack, and gives the new id of each."""
    marks = os.path.join(folder, "marks")
    process = subprocess.Popen(
        ["git", "-C", folder, "fast-import", "--quiet", f"--export-marks={marks}"],
        stdin=subprocess.PIPE,
        env={**os.environ, **git_environment()},
    )
    old = corpus.distinct_oids()
    for mark, (_, content) in enumerate(corpus.blobs(old), 1):
        process.stdin.write(b"blob\nmark :%d\ndata %d\n" % (mark, len(content) + len(end)))
        process.stdin.write(content)
        process.stdin.write(end + b"\n")
    process.stdin.close()
    if process.wait() != 0:
        raise SystemExit("git fast-import failed")
    new = {}
    with open(marks, encoding="ascii") as rows:
        for row in rows:
            mark, oid = row.split()
            new[old[int(mark[1:]) - 1]] = oid
    os.remove(marks)
    return new


def _commit(folder, listed):
    env = {**IDENTITY, "GIT_INDEX_FILE": os.path.join(folder, "scratch-index")}
    data = b"".join(b"%s %s\t%s\0" % (mode.encode(), oid.encode(), path) for mode, oid, path in listed)
    git(folder, "update-index", "-z", "--index-info", data=data, env=env)
    tree = git(folder, "write-tree", env=env).decode().strip()
    os.remove(env["GIT_INDEX_FILE"])
    return git(folder, "commit-tree", "-m", "made for a benchmark", tree, env=env).decode().strip()
