"""A person's folder behind JavaScript: a picked or private one in a browser, one on disk in Node."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from py_agent.core.paths import WorkspacePath
from py_agent.errors import PathMissing, StorageFailed
from py_agent.hosts.browser.faults import js_faults
from py_agent.hosts.browser.js import JsFolder
from py_agent.ports.folder import FolderEntry, Seen, seen_state


class BrowserFolder:
    def __init__(self, js: JsFolder) -> None:
        self._js = js

    @property
    def label(self) -> str:
        return self._js.label

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        with js_faults():
            entries = json.loads(await self._js.list(str(path)))
        return sorted(map(_entry, entries), key=lambda entry: entry.name)

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        with js_faults():
            entry = json.loads(await self._js.stat(str(path)))
        return _entry(entry) if entry else None

    async def read(self, path: WorkspacePath) -> bytes:
        with js_faults():
            return (await self._js.read(str(path))).to_bytes()

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        return [await self._read_if_there(path) for path in paths]

    async def _read_if_there(self, path: WorkspacePath) -> bytes | None:
        try:
            return await self.read(path)
        except (PathMissing, StorageFailed):
            return None

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        with js_faults():
            return int(await self._js.write(str(path), data, executable, seen_state(seen)))

    async def link(self, path: WorkspacePath, target: str, *, seen: Seen = "anything") -> None:
        with js_faults():
            await self._js.link(str(path), target, seen_state(seen))

    async def make_dir(self, path: WorkspacePath) -> None:
        with js_faults():
            await self._js.make_dir(str(path))

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        with js_faults():
            await self._js.remove(str(path), seen_state(seen))


def _entry(found: Mapping[str, Any]) -> FolderEntry:
    return FolderEntry(
        name=found["name"],
        kind=found["kind"],
        size=found.get("size", 0),
        mtime_ns=int(found.get("mtime_ns", 0)),
        executable=found.get("executable"),
        target=found.get("target"),
    )
