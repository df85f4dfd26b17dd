"""Locks: one writer for what they name."""

from typing import Protocol


class Lock(Protocol):
    async def release(self) -> None:
        """Give the lock up. Releasing twice is allowed; the end of the process releases it too."""


class Locks(Protocol):
    async def acquire(self, name: str) -> Lock:
        """Take the lock at once or raise SessionLocked, which names the owner where that is known."""
