"""The CPython host: the ports on a real file system."""

from pathlib import Path

from py_agent.hosts.cpython.clock import SystemClock
from py_agent.hosts.cpython.folder import LocalFolder
from py_agent.hosts.cpython.http import SocketHttp
from py_agent.hosts.cpython.ids import RandomIds
from py_agent.hosts.cpython.lock import FileLocks
from py_agent.hosts.cpython.storage import FileStorage
from py_agent.ports.host import Host

__all__ = ["FileLocks", "FileStorage", "LocalFolder", "RandomIds", "SocketHttp", "SystemClock", "cpython_host"]


def cpython_host(state_dir: Path) -> Host:
    """A host that keeps its state in `state_dir`, which is made when first written to."""
    return Host(
        storage=FileStorage(state_dir),
        locks=FileLocks(state_dir),
        http=SocketHttp(),
        clock=SystemClock(),
        ids=RandomIds(),
    )
