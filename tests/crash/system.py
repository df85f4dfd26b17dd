"""The operating system's writes: counted, and at one of them the plan strikes."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

NAMES = (
    *("pwrite", "write", "fsync", "fdatasync", "ftruncate", "fchmod", "rename", "replace"),
    *("mkdir", "unlink", "remove", "rmdir", "symlink", "link", "open"),
)
TAKE_DATA = ("pwrite", "write")
# A process that ends takes nothing from the kernel: to wait for the disk would only cost time here.
SYNCS = ("fsync", "fdatasync")
# What a full disk still does.
FREE = ("ftruncate", "fchmod", "unlink", "remove", "rmdir")


@dataclass(slots=True)
class Plan:
    """Strike at write number `at`, counted from 1, before it or after half of its bytes; then, if it is
    lasting, at every later one. Calls named in `spares` are counted and left alone."""

    strike: Callable[[], None] = lambda: None
    at: int | None = None
    is_half: bool = False
    is_lasting: bool = False
    spares: tuple[str, ...] = ()
    calls: list[str] = field(default_factory=list)
    has_struck: bool = False

    def strike_next(self, *, is_lasting: bool) -> None:
        self.at, self.is_lasting, self.has_struck = len(self.calls) + 1, is_lasting, False

    def heal(self) -> None:
        self.at = None

    def takes(self, name: str) -> bool:
        """Count a call; whether to strike at it."""
        self.calls.append(name)
        if self.at is None or len(self.calls) < self.at or name in self.spares:
            return False
        return self.is_lasting or not self.has_struck


def kills(calls: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Every moment to be struck at: before each call, and in the middle of those that write bytes."""
    for at, name in enumerate(calls, start=1):
        yield at, False
        if name in TAKE_DATA:
            yield at, True


@contextmanager
def watched(plan: Plan) -> Iterator[Plan]:
    """Let the plan have every call that changes a disk, from any thread."""
    real = {name: getattr(os, name) for name in NAMES}
    lock = threading.Lock()
    for name in NAMES:
        setattr(os, name, _watch(name, _no_wait if name in SYNCS else real[name], plan, lock))
    try:
        yield plan
    finally:
        for name in NAMES:
            setattr(os, name, real[name])


def _watch(name: str, real: Callable[..., Any], plan: Plan, lock: threading.Lock) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if not _is_write(name, arguments, options):
            return real(*arguments, **options)
        with lock:
            if not plan.takes(name):
                return real(*arguments, **options)
            plan.has_struck = True
            if plan.is_half and name in TAKE_DATA:
                descriptor, data, *rest = arguments
                real(descriptor, bytes(data)[: len(data) // 2], *rest)
            plan.strike()
        return real(*arguments, **options)

    return call


def _is_write(name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Not so for opening what is to be read, nor for making what is there already."""
    if name == "open" and not arguments[1] & os.O_CREAT:
        return False
    return name not in ("open", "mkdir") or "dir_fd" in options or not os.path.lexists(arguments[0])


def _no_wait(_descriptor: int) -> None:
    return None
