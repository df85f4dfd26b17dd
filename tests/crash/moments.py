"""The moments at which a disk can fail: before each call that changes it, and in the middle of some."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.crash.place import Fault

TAKE_DATA = ("pwrite", "write")
SYNCS = ("fsync", "fdatasync", "flush")
# What a full disk still does.
FREE = ("ftruncate", "truncate", "fchmod", "chmod", "unlink", "remove", "rm", "rmdir")


@dataclass(frozen=True, slots=True)
class Moment:
    """Before call number `at`, counted from 1, or when half of its bytes are written."""

    at: int
    is_half: bool = False


def moments(calls: Sequence[str], fault: Fault = "dead") -> list[Moment]:
    """Every moment at which a fault can strike a row of calls."""
    found: list[Moment] = []
    for at, name in enumerate(calls, start=1):
        if not is_spared(name, fault):
            found += [Moment(at), Moment(at, is_half=True)] if name in TAKE_DATA else [Moment(at)]
    return found


def is_spared(name: str, fault: Fault) -> bool:
    return (fault == "full" and name in FREE) or (fault == "failing" and name not in SYNCS)
