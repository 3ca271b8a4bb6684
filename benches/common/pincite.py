"""pincite as its users run it: one process a question, or one server and one connection."""

import json
import os
import re
import socket
import subprocess
import time


class Pincite:
    """A binary, a repository and an index directory."""

    def __init__(self, binary, git_dir, commit, index):
        self.binary = os.path.abspath(binary)
        self.git_dir, self.commit, self.index = git_dir, commit, index

    def version(self):
        return subprocess.run([self.binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()

    def place(self):
        return ["--repo", self.git_dir, "--index", self.index]

    def search(self, term, *, limit=None, output="text"):
        listed = [] if limit is None else ["--max-matches", str(limit)]
        head = [self.binary, "search", "--mode", term.mode, "--commit", self.commit, "--format", output]
        return [*head, *self.place(), *listed, "--", term.text]

    def context(self, term):
        return [self.binary, "context", "--commit", self.commit, "--format", "text", *self.place(), "--", term.text]

    def build(self, launcher, scratch, revision=None, timeout=7200):
        """Indexes a commit; the run with pincite's own report beside it."""
        report = os.path.join(scratch, "index.json")
        complaint = os.path.join(scratch, "index.err")
        argv = [self.binary, "index", "--rev", revision or self.commit, "--format", "json", "--progress", "none"]
        run = launcher.run([*argv, *self.place()], stdout=report, stderr=complaint, timeout=timeout)
        if run["status"] != 0:
            with open(complaint, encoding="utf-8", errors="replace") as file:
                raise SystemExit(f"pincite index failed ({run['status']}): {file.read().strip()}")
        with open(report, encoding="utf-8") as file:
            run["report"] = json.load(file)
        return run


def search_ready_seconds(run):
    """What a build took without the tree-sitter hints, which follow when searches are answered already."""
    return max(0.0, run["seconds"] - run["report"]["milliseconds"].get("hints", 0) / 1000)


# Every text file, and no limit that ends a search, as `pincite search` has them without a profile.
UNLIMITED = """\
[limits]
timeout_ms = 3600000
max_search_bytes = 4294967295
max_result_bytes = 268435456
[source_analysis]
max_matches = 100
extensions = []
"""


class Server:
    """`pincite serve` and one connection that stays open."""

    def __init__(self, pincite, folder, profile=None):
        """Without a profile the server has the limits that pincite has by default."""
        argv = [pincite.binary, "serve", "--listen", "127.0.0.1:0", "--commit", pincite.commit, *pincite.place()]
        if profile is not None:
            file = os.path.join(folder, "serve.toml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(profile)
            argv += ["--profile", file]
        self.log = open(os.path.join(folder, "serve.err"), "w+b")
        self.process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=self.log, cwd=folder)
        try:
            self.connection = socket.create_connection(("127.0.0.1", self._port()), timeout=600)
        except BaseException:
            self.process.kill()
            raise
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def _port(self):
        for _ in range(600):
            self.log.flush()
            with open(self.log.name, "rb") as file:
                said = file.read()
            found = re.search(rb"127\.0\.0\.1:([1-9][0-9]*)", said)
            if found:
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"pincite serve did not start: {os.fsdecode(said).strip()}")

    def ask(self, request):
        """Seconds until the whole answer is here, and the answer as JSON."""
        body = json.dumps(request).encode()
        head = f"POST /query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        took, answer = self._exchange(head.encode() + b"\r\n\r\n" + body)
        return took, json.loads(answer)

    def floor(self):
        """Seconds of an exchange that asks nothing of the index."""
        return self._exchange(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")[0]

    def _exchange(self, message):
        began = time.perf_counter()
        self.connection.sendall(message)
        while (end := self.received.find(b"\r\n\r\n")) < 0:
            self._receive()
        head = self.received[:end].lower()
        length = re.search(rb"content-length: *([0-9]+)", head)
        if not length:
            raise SystemExit(f"pincite serve answered {os.fsdecode(self.received[:end + 300])}")
        whole = end + 4 + int(length[1])
        while len(self.received) < whole:
            self._receive()
        took = time.perf_counter() - began
        body, self.received = self.received[end + 4 : whole], self.received[whole:]
        return took, body

    def _receive(self):
        piece = self.connection.recv(1 << 20)
        if not piece:
            raise SystemExit("pincite serve closed the connection")
        self.received += piece

    def close(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()
        self.log.close()


def search_request(term, limit=100):
    return {"kind": "source.search", "text": term.text, "mode": term.mode, "max_matches": limit}


def context_request(term):
    return {"kind": "source.context", "text": term.text}
