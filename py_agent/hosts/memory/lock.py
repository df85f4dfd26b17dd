"""Locks among the hosts that share one `MemoryLocks`."""

from py_agent.errors import SessionLocked


class MemoryLock:
    def __init__(self, held: set[str], name: str) -> None:
        self._held = held
        self._name: str | None = name

    async def release(self) -> None:
        if self._name is not None:
            self._held.discard(self._name)
            self._name = None


class MemoryLocks:
    def __init__(self) -> None:
        self._held: set[str] = set()

    async def acquire(self, name: str) -> MemoryLock:
        if name in self._held:
            raise SessionLocked(f"{name} is being written to elsewhere in this program; close it there first.")
        self._held.add(name)
        return MemoryLock(self._held, name)
