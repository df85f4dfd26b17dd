"""The memory host: every port in plain memory, for tests and for throw-away sessions."""

from py_agent.hosts.memory.clock import StepClock
from py_agent.hosts.memory.folder import MemoryFolder
from py_agent.hosts.memory.http import MemoryHttp, MemoryResponse
from py_agent.hosts.memory.ids import CountingIds
from py_agent.hosts.memory.lock import MemoryLocks
from py_agent.hosts.memory.storage import MemoryStorage
from py_agent.ports.host import Host

__all__ = [
    "CountingIds",
    "MemoryFolder",
    "MemoryHttp",
    "MemoryLocks",
    "MemoryResponse",
    "MemoryStorage",
    "StepClock",
    "memory_host",
]


def memory_host(
    storage: MemoryStorage | None = None,
    *,
    locks: MemoryLocks | None = None,
    http: MemoryHttp | None = None,
    first_id: int = 1,
) -> Host:
    """A host whose clock and ids are the same in every run; pass `storage` to open it again."""
    return Host(
        storage=storage or MemoryStorage(),
        locks=locks or MemoryLocks(),
        http=http or MemoryHttp(),
        clock=StepClock(),
        ids=CountingIds(first_id),
    )
