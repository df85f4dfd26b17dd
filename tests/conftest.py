"""Running tests: async functions, and contracts on every host."""

import asyncio
import inspect
import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import pytest
from hypothesis import settings

from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.hosts.memory import MemoryFolder, MemoryLocks, MemoryStorage, memory_host
from py_agent.ports.folder import Folder
from py_agent.ports.host import Host
from tests.contracts.place import Place
from tests.crash.local import LocalPlace
from tests.crash.system import watched
from tests.model_server import ModelServer
from tests.remote.inside import parametrized
from tests.remote.node import NodeTests

if TYPE_CHECKING:
    from tests.remote.chromium import BrowserThread, ChromiumTests

# How long an example takes depends on what else the machine does.
settings.register_profile("py_agent", deadline=None)
settings.load_profile("py_agent")

LOCAL_HOSTS = ("memory", "cpython")
REMOTE_HOSTS = [name for name in ("node", "chromium") if name in os.environ.get("PY_AGENT_HOSTS", "")]

# Playwright and openai are not there for every Python: what needs them is imported only where they are.
collect_ignore = [] if "chromium" in REMOTE_HOSTS else ["test_page.py"]
collect_ignore += [] if "node" in REMOTE_HOSTS else ["crash/test_kill_node.py"]
collect_ignore += [] if find_spec("openai") else ["test_wire_shapes.py", "test_model_server.py"]
collect_ignore += [] if REMOTE_HOSTS else ["test_wasi.py"]


class MemoryPlace:
    def __init__(self, server: str) -> None:
        self.server = server
        self._storage = MemoryStorage()
        self._folder = MemoryFolder()
        self._locks = MemoryLocks()
        self._next_id = 1

    async def open(self) -> Host:
        self._next_id += 1000
        return memory_host(self._storage, locks=self._locks, first_id=self._next_id)

    async def restart(self) -> Host:
        return await self.open()

    async def folder(self) -> Folder:
        return self._folder


class CPythonPlace:
    def __init__(self, root: Path, server: str) -> None:
        self.server = server
        self._state = root / "state"
        self._project = root / "project"
        self._project.mkdir()

    async def open(self) -> Host:
        return cpython_host(self._state)

    async def restart(self) -> Host:
        return await self.open()

    async def folder(self) -> Folder:
        return LocalFolder(self._project)


@runtime_checkable
class RemoteTests(Protocol):
    def run(self, wanted: str) -> str:
        """Run a test elsewhere; what went wrong, or nothing."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "place" in metafunc.fixturenames:
        local = ["disk"] if metafunc.definition.get_closest_marker("disk") else LOCAL_HOSTS
        # One process per remote host: what it takes to start one is not paid twice.
        marks = {name: [getattr(pytest.mark, name), pytest.mark.xdist_group(name)] for name in REMOTE_HOSTS}
        remote = [pytest.param(name, marks=marks[name]) for name in REMOTE_HOSTS]
        if metafunc.definition.get_closest_marker("network") is not None:
            local = [name for name in local if name != "memory"]
        metafunc.parametrize("place", [*local, *remote], indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, model_server: ModelServer) -> Iterator[Place | RemoteTests]:
    match request.param:
        case "memory":
            yield MemoryPlace(model_server.url)
        case "cpython":
            yield CPythonPlace(tmp_path, model_server.url)
        case "disk":
            local = LocalPlace(tmp_path, model_server.url)
            with watched(local.disk.watch):
                yield local
        case host:
            yield request.getfixturevalue(f"{host}_tests")


@pytest.fixture(scope="session")
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="session")
def node_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeTests]:
    tests = NodeTests(tmp_path_factory.mktemp("node"))
    yield tests
    tests.close()


@pytest.fixture(scope="session")
def browser() -> Iterator["BrowserThread"]:
    from tests.remote.chromium import BrowserThread

    browser = BrowserThread()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def chromium_tests(browser: "BrowserThread") -> Iterator["ChromiumTests"]:
    from tests.remote.chromium import ChromiumTests

    tests = ChromiumTests(browser)
    yield tests
    tests.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    if isinstance(place := arguments.get("place"), RemoteTests):
        server = pyfuncitem.funcargs["model_server"]
        assert isinstance(server, ModelServer)
        _run_remotely(place, pyfuncitem, server.url)
    else:
        asyncio.run(pyfuncitem.obj(**arguments))
    return True


def _run_remotely(tests: RemoteTests, item: pytest.Function, server: str) -> None:
    params = item.callspec.params
    choices = [
        next(at for at, given in enumerate(arguments) if all(params[name] is given[name] for name in given))
        for arguments in parametrized(item.obj)
    ]
    wanted = {"module": item.obj.__module__, "name": item.obj.__name__, "choices": choices, "server": server}
    if failure := tests.run(json.dumps(wanted)):
        pytest.fail(failure, pytrace=False)
