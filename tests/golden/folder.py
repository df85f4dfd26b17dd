"""A person's folder under a fixed name, with times that count the writes to each file.

The real times are seen by nobody, so what a writer says of them is not passed on.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from py_agent.core.paths import WorkspacePath
from py_agent.ports.folder import Folder, FolderEntry, Seen

_FIRST_NS = 10**18
_TICK_NS = 10**9


class GoldenFolder:
    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._writes: Counter[WorkspacePath] = Counter()

    @property
    def label(self) -> str:
        return "project"

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        return [self._timed(path / entry.name, entry) for entry in await self._folder.list(path)]

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        entry = await self._folder.stat(path)
        return entry and self._timed(path, entry)

    async def read(self, path: WorkspacePath) -> bytes:
        return await self._folder.read(path)

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        return await self._folder.read_many(paths)

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        await self._folder.write(path, data, executable=executable)
        self._writes[path] += 1
        return self._mtime_ns(path)

    async def link(self, path: WorkspacePath, target: str, *, seen: Seen = "anything") -> None:
        await self._folder.link(path, target)

    async def make_dir(self, path: WorkspacePath) -> None:
        await self._folder.make_dir(path)

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        await self._folder.remove(path)

    def _timed(self, path: WorkspacePath, entry: FolderEntry) -> FolderEntry:
        return replace(entry, mtime_ns=self._mtime_ns(path))

    def _mtime_ns(self, path: WorkspacePath) -> int:
        return _FIRST_NS + self._writes[path] * _TICK_NS
