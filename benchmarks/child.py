"""Measuring in a fresh process, so that nothing done before counts."""

import importlib
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.sampling import Measured

ROOT = Path(__file__).resolve().parent.parent


def in_child(function: Callable[..., Measured], *arguments: object) -> Measured:
    """What a function of a module gives when a new process calls it; its arguments arrive as strings."""
    words = [function.__module__, function.__name__, *map(str, arguments)]
    measured: dict[str, float] = json.loads(_run(["-m", "benchmarks.child", *words]))
    return measured


def cpu_of(code: str) -> float:
    """The CPU seconds of a whole process that runs this code, the interpreter's own start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(["-c", code])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def memory_of(code: str) -> Measured:
    """`rss` and `peak` in bytes of a process at the end of this code."""
    words = _run(["-c", f"{code}\nprint(open('/proc/self/status').read())"]).split()
    return {"rss": _kilobytes(words, "VmRSS:"), "peak": _kilobytes(words, "VmHWM:")}


def rss_bytes() -> float:
    """The memory that this process has now."""
    return _kilobytes(Path("/proc/self/status").read_text().split(), "VmRSS:")


def _kilobytes(words: list[str], name: str) -> float:
    return int(words[words.index(name) + 1]) * 1024.0


def _run(options: list[str]) -> str:
    return subprocess.run([sys.executable, *options], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout


def _answer(module: str, name: str, *arguments: str) -> None:
    print(json.dumps(getattr(importlib.import_module(module), name)(*arguments)))


if __name__ == "__main__":
    _answer(*sys.argv[1:])
