"""The operating system's writes: counted, and at one of them the plan strikes."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.crash.moments import SYNCS, TAKE_DATA, is_spared
from tests.crash.place import Fault

_NAMES = (
    *("pwrite", "write", "fsync", "fdatasync", "ftruncate", "fchmod", "rename", "replace"),
    *("mkdir", "unlink", "remove", "rmdir", "symlink", "link", "open"),
)


@dataclass(slots=True)
class Plan:
    """Strike at write number `at`, counted from 1, before it or after half of its bytes; then, if it is
    lasting, at every later one. Calls that the fault spares are counted and left alone."""

    strike: Callable[[], None] = lambda: None
    at: int | None = None
    is_half: bool = False
    is_lasting: bool = False
    fault: Fault = "dead"
    calls: list[str] = field(default_factory=list)
    has_struck: bool = False

    def strike_next(self, *, is_lasting: bool) -> None:
        self.at, self.is_lasting, self.has_struck = len(self.calls) + 1, is_lasting, False

    def heal(self) -> None:
        self.at = None

    def takes(self, name: str) -> bool:
        """Count a call; whether to strike at it."""
        self.calls.append(name)
        if self.at is None or len(self.calls) < self.at or is_spared(name, self.fault):
            return False
        return self.is_lasting or not self.has_struck


@contextmanager
def watched(plan: Plan) -> Iterator[Plan]:
    """Let the plan have every call that changes a disk, from any thread."""
    real = {name: getattr(os, name) for name in _NAMES}
    lock = threading.Lock()
    for name in _NAMES:
        setattr(os, name, _watch(name, _no_wait if name in SYNCS else real[name], plan, lock))
    try:
        yield plan
    finally:
        for name in _NAMES:
            setattr(os, name, real[name])


def _watch(name: str, real: Callable[..., Any], plan: Plan, lock: threading.Lock) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if not _is_write(name, arguments, options):
            return real(*arguments, **options)
        with lock:
            if not plan.takes(name):
                return real(*arguments, **options)
            is_half = plan.is_half and not plan.has_struck
            plan.has_struck = True
            if is_half and name in TAKE_DATA:
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
    """A process that ends takes nothing from the kernel: to wait for the disk would only cost time here."""
