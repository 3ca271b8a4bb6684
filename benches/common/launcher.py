"""A small process that starts the measured programs, one at a time.

A child that is started by a large process inherits that process's peak memory in its own resource usage (Linux takes
the larger of both at `exec`), so the scripts, which hold whole listings, must not start what they measure. Run as a
program this file is the small process; `Launcher` is its other end. Peaks below the small process's own, about 10 MB,
can not be told apart.
"""

import json
import os
import subprocess
import sys
import time


class Launcher:
    """Starts programs and reports time and memory of each."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-B", os.path.abspath(__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
        )

    def run(self, argv, *, stdout="/dev/null", stderr="/dev/null", stdin="/dev/null", timeout=600, env=None):
        """A dictionary with `seconds`, `user`, `system`, `peak_bytes`, `status` and `timed_out`."""
        task = {
            "argv": [os.fsdecode(one) for one in argv],
            "stdin": stdin,
            "stdout": stdout,
            "stderr": stderr,
            "timeout": timeout,
            "env": {} if env is None else env,
        }
        self.process.stdin.write(json.dumps(task).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the launcher ended while running {task['argv']}")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def _run(task):
    import select

    environment = {**os.environ, **task["env"]}
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [
        (os.POSIX_SPAWN_OPEN, 0, task["stdin"], os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, task["stdout"], write, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, task["stderr"], write, 0o600),
    ]
    began = time.perf_counter()
    try:
        pid = os.posix_spawnp(task["argv"][0], task["argv"], environment, file_actions=files)
    except OSError as error:
        return {"seconds": 0, "user": 0, "system": 0, "peak_bytes": 0, "status": f"not started: {error.strerror}",
                "timed_out": False}
    handle = os.pidfd_open(pid)
    waiter = select.poll()
    waiter.register(handle, select.POLLIN)
    timed_out = not waiter.poll(task["timeout"] * 1000)
    if timed_out:
        os.kill(pid, 9)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - began
    os.close(handle)
    return {
        "seconds": seconds,
        "user": usage.ru_utime,
        "system": usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * 1024,
        "status": os.waitstatus_to_exitcode(status),
        "timed_out": timed_out,
    }


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(_run(json.loads(line))) + "\n")
        sys.stdout.flush()
