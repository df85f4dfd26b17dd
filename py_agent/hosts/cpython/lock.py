"""Locks as locked files: the kernel gives them up when their process ends, however it ends."""

import fcntl
import os
from pathlib import Path

from py_agent.errors import SessionLocked
from py_agent.hosts.cpython.faults import storage_faults


class FileLock:
    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    async def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class FileLocks:
    def __init__(self, root: Path) -> None:
        self._root = root

    async def acquire(self, name: str) -> FileLock:
        path = self._root / f"{name}.lock"
        with storage_faults(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            with storage_faults(path):
                _take(descriptor, name)
        except BaseException:
            os.close(descriptor)
            raise
        return FileLock(descriptor)


def _take(descriptor: int, name: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
        raise SessionLocked(
            f"{name} is being written to by process {owner or 'unknown'}; "
            "wait for it to end, or read the session with `py-agent sessions show`."
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
