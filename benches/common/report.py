"""The machine, percentiles and Markdown."""

import math
import os
import platform
import time


def machine():
    """What the numbers depend on."""
    cpu = next((value for key, value in _pairs("/proc/cpuinfo") if key == "model name"), platform.machine())
    memory = next((value for key, value in _pairs("/proc/meminfo") if key == "MemTotal"), "")
    return {
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": int(memory.split(" ")[0] or 0) * 1024 if memory else 0,
        "kernel": f"{platform.system()} {platform.release()}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "load": os.getloadavg()[0],
    }


def _pairs(file):
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                yield key.strip(), value.strip()
    except OSError:
        return


def machine_line(facts):
    return (
        f"{facts['cpu']}, {facts['cores']} cores, {size(facts['memory_bytes'])} memory, {facts['kernel']}, "
        f"{facts['date']}; load before the run {facts['load']:.1f}"
    )


def percentile(values, percent):
    """The nearest rank."""
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * percent // 100))
    return ordered[rank - 1] if ordered else None


def exponent(xs, ys):
    """The slope of the straight line through the logarithms with the least squares."""
    points = [(math.log(x), math.log(y)) for x, y in zip(xs, ys) if x > 0 and y > 0]
    middle = [sum(one) / len(points) for one in zip(*points)] if points else [0, 0]
    spread = sum((x - middle[0]) ** 2 for x, _ in points)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in points) / spread if spread else None


def milliseconds(seconds):
    if seconds is None:
        return ""
    value = seconds * 1000
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def spread(values):
    """p50 / p95 / p99 in milliseconds."""
    return " / ".join(milliseconds(percentile(values, percent)) for percent in (50, 95, 99)) if values else ""


def ratio(theirs, ours):
    """How many times as long they take."""
    if not theirs or not ours:
        return ""
    value = theirs / ours
    return f"{value:,.0f} ×" if value >= 10 else f"{value:.2g} ×"


def seconds(value):
    return "" if value is None else f"{value:.2f} s" if value < 10 else f"{value:,.0f} s"


def size(value):
    if value is None:
        return ""
    for unit in ("bytes", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.1f} {unit}" if value < 10 and unit != "bytes" else f"{value:,.0f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def table(head, rows):
    """Cells with a bar are escaped, so a term can not break the table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def folder_bytes(folder):
    total = 0
    for parent, _, files in os.walk(folder):
        total += sum(os.lstat(os.path.join(parent, file)).st_size for file in files)
    return total
