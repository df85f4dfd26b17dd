"""The operating system's writes: counted, and at one of them the plan strikes."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_NAMES = (
    *("pwrite", "write", "fsync", "fdatasync", "ftruncate", "fchmod", "rename", "replace"),
    *("mkdir", "unlink", "remove", "rmdir", "symlink", "link", "open"),
)
TAKE_DATA = ("pwrite", "write")
# A process that ends takes nothing from the kernel: to wait for the disk would only cost time here.
_WAIT = ("fsync", "fdatasync")
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

    @property
    def has_struck(self) -> bool:
        return self.at is not None and len(self.calls) >= self.at

    def heal(self) -> None:
        self.at = None


@contextmanager
def watched(plan: Plan) -> Iterator[Plan]:
    """Let the plan have every call that changes a disk, from any thread."""
    real = {name: getattr(os, name) for name in _NAMES}
    lock = threading.Lock()
    for name in _NAMES:
        setattr(os, name, _watch(name, _no_wait if name in _WAIT else real[name], plan, lock))
    try:
        yield plan
    finally:
        for name in _NAMES:
            setattr(os, name, real[name])


def _watch(name: str, real: Callable[..., Any], plan: Plan, lock: threading.Lock) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if name == "open" and not arguments[1] & os.O_CREAT:
            return real(*arguments, **options)
        with lock:
            plan.calls.append(name)
            if not _is_struck(name, plan):
                return real(*arguments, **options)
            if plan.is_half and name in TAKE_DATA:
                descriptor, data, *rest = arguments
                real(descriptor, bytes(data)[: len(data) // 2], *rest)
            plan.strike()
        return real(*arguments, **options)

    return call


def _no_wait(_descriptor: int) -> None:
    return None


def _is_struck(name: str, plan: Plan) -> bool:
    if plan.at is None or name in plan.spares:
        return False
    return len(plan.calls) >= plan.at if plan.is_lasting else len(plan.calls) == plan.at
