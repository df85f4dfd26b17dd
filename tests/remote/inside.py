"""Runs one contract test inside Pyodide, where JavaScript gives it a place."""

import importlib
import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from py_agent.hosts.browser import BrowserFolder, JsFolder, JsHost, browser_host
from py_agent.ports.folder import Folder
from py_agent.ports.host import Host
from tests.crash.place import Fault


class JsDisk(Protocol):
    def calls(self) -> str: ...

    def has_struck(self) -> bool: ...

    def plan(self, text: str, /) -> None: ...

    def heal(self) -> None: ...


class JsOwner(Protocol):
    async def kill(self) -> None: ...


class JsPlace(Protocol):
    @property
    def disk(self) -> JsDisk: ...

    async def renew(self) -> None: ...

    async def own(self, session: str, /) -> JsOwner: ...

    async def open(self) -> JsHost: ...

    async def restart(self) -> JsHost: ...

    async def folder(self) -> JsFolder: ...


class RemoteDisk:
    def __init__(self, js: JsDisk) -> None:
        self._js = js

    @property
    def calls(self) -> Sequence[str]:
        found: list[str] = json.loads(self._js.calls())
        return found

    @property
    def has_struck(self) -> bool:
        return self._js.has_struck()

    def plan(self, fault: Fault, at: int, *, is_half: bool = False, is_lasting: bool = True) -> None:
        self._js.plan(json.dumps({"fault": fault, "at": at, "isHalf": is_half, "isLasting": is_lasting}))

    def heal(self) -> None:
        self._js.heal()


class RemotePlace:
    def __init__(self, js: JsPlace, server: str) -> None:
        self._js = js
        self.server = server
        self.disk = RemoteDisk(js.disk)

    async def renew(self) -> None:
        await self._js.renew()

    async def own(self, session: str) -> JsOwner:
        return await self._js.own(session)

    async def open(self) -> Host:
        return browser_host(await self._js.open())

    async def restart(self) -> Host:
        return browser_host(await self._js.restart())

    async def folder(self) -> Folder:
        return BrowserFolder(await self._js.folder())


async def run(wanted_text: str, place: JsPlace) -> str:
    """An empty text if the test passes, else what went wrong."""
    wanted = json.loads(wanted_text)
    function = getattr(importlib.import_module(wanted["module"]), wanted["name"])
    try:
        here = RemotePlace(place, wanted["server"])
        await function(place=here, **dict(_arguments(function, wanted["choices"])))
    except BaseException:  # noqa: BLE001 - whatever it is, it goes to pytest
        return traceback.format_exc()
    return ""


def _arguments(function: Callable[..., object], choices: Sequence[int]) -> Iterator[tuple[str, Any]]:
    """The values of `pytest.mark.parametrize` cannot travel as JSON: they are looked up where they are written."""
    for arguments, choice in zip(parametrized(function), choices, strict=True):
        yield from arguments[choice].items()


def parametrized(function: Callable[..., object]) -> Iterator[list[dict[str, Any]]]:
    """The arguments that each mark of a function gives it, one after the other."""
    marks: list[Any] = getattr(function, "pytestmark", [])
    for names, values in (mark.args for mark in marks if mark.name == "parametrize"):
        if isinstance(names, str):
            yield [{names: value} for value in values]
        else:
            yield [dict(zip(names, value, strict=True)) for value in values]
