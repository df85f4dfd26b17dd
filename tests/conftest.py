"""Running tests: async functions, and contracts on every host."""

import asyncio
import inspect
from pathlib import Path

import pytest

from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.hosts.memory import MemoryFolder, MemoryLocks, MemoryStorage, memory_host
from py_agent.ports.folder import Folder
from py_agent.ports.host import Host

HOSTS = ("memory", "cpython")


class MemoryPlace:
    def __init__(self) -> None:
        self._storage = MemoryStorage()
        self._folder = MemoryFolder()
        self._locks = MemoryLocks()
        self._next_id = 1

    async def open(self) -> Host:
        self._next_id += 1000
        return memory_host(self._storage, locks=self._locks, first_id=self._next_id)

    async def folder(self) -> Folder:
        return self._folder


class CPythonPlace:
    def __init__(self, root: Path) -> None:
        self._state = root / "state"
        self._project = root / "project"
        self._project.mkdir()

    async def open(self) -> Host:
        return cpython_host(self._state)

    async def folder(self) -> Folder:
        return LocalFolder(self._project)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "place" in metafunc.fixturenames:
        metafunc.parametrize("place", HOSTS, indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryPlace | CPythonPlace:
    return MemoryPlace() if request.param == "memory" else CPythonPlace(tmp_path)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True
