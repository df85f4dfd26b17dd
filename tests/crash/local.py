"""A place on this machine's disk, whose writes can be made to fail."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.ports.folder import Folder
from py_agent.ports.host import Host
from tests.crash.place import Fault
from tests.crash.system import Plan
from tests.remote.payload import ROOT

_CODES: dict[Fault, int] = {"full": errno.ENOSPC, "failing": errno.EIO, "dead": errno.EIO}


class SystemDisk:
    """Fails only while its `watch` plan is given to `watched`."""

    def __init__(self) -> None:
        self.watch = Plan()

    @property
    def calls(self) -> Sequence[str]:
        return self.watch.calls

    @property
    def has_struck(self) -> bool:
        return self.watch.has_struck

    def plan(self, fault: Fault, at: int, *, is_half: bool = False, is_lasting: bool = True) -> None:
        def strike() -> None:
            raise OSError(_CODES[fault], os.strerror(_CODES[fault]))

        watch = self.watch
        watch.strike, watch.at, watch.is_half, watch.is_lasting = strike, at, is_half, is_lasting
        watch.fault, watch.has_struck = fault, False

    def heal(self) -> None:
        self.watch.heal()


class LocalPlace:
    def __init__(self, root: Path, server: str) -> None:
        self.server = server
        self.disk = SystemDisk()
        self._roots = (root / str(number) for number in count())
        self._root = next(self._roots)

    async def open(self) -> Host:
        return cpython_host(self._root / "state")

    async def restart(self) -> Host:
        return await self.open()

    async def renew(self) -> None:
        self.disk.heal()
        self.disk.watch.calls.clear()
        self._root = next(self._roots)

    async def folder(self) -> Folder:
        (self._root / "project").mkdir(parents=True, exist_ok=True)
        return LocalFolder(self._root / "project")

    async def own(self, session: str) -> "LocalOwner":
        return LocalOwner(self._root / "state", session)


class LocalOwner:
    def __init__(self, state: Path, session: str) -> None:
        command = [sys.executable, "-m", "tests.crash.owner", str(state), session]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"owned\n"

    async def kill(self) -> None:
        self._process.kill()
        self._process.communicate()
        assert self._process.returncode == -signal.SIGKILL
