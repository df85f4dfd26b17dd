"""How far the import of a large folder is, on one line of the terminal that is wiped when it is done."""

from collections.abc import Sequence

from py_agent.cli.terminal import show_progress
from py_agent.core.paths import WorkspacePath
from py_agent.ports.folder import Folder, FolderEntry, Seen

_ENTRIES = 2000
_FILES = 500
_BYTES = 32 * 2**20


class Progress:
    """Counts what is looked at and copied; speaks up from a number on, so that a small folder stays silent."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._entries = self._files = self._bytes = 0
        self._line = ""

    def looked_at(self, count: int) -> None:
        before, self._entries = self._entries, self._entries + count
        if before // _ENTRIES != self._entries // _ENTRIES:
            self._show(f"Looking through your folder: {self._entries} entries so far")

    def copied(self, size_bytes: int) -> None:
        before = (self._files // _FILES, self._bytes // _BYTES)
        self._files += 1
        self._bytes += size_bytes
        if before != (self._files // _FILES, self._bytes // _BYTES):
            self._show(f"Copying your folder: {self._files} files, {self._bytes / 1e6:.1f} MB so far")

    def clear(self) -> None:
        if self._line:
            show_progress("", over=self._line)
            self._line = ""

    def _show(self, line: str) -> None:
        if self._is_shown:
            show_progress(line, over=self._line)
            self._line = line


class WatchedFolder:
    """A folder that tells what is read from it."""

    def __init__(self, folder: Folder, progress: Progress) -> None:
        self._folder = folder
        self._progress = progress

    @property
    def label(self) -> str:
        return self._folder.label

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        entries = await self._folder.list(path)
        self._progress.looked_at(len(entries))
        return entries

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        return await self._folder.stat(path)

    async def read(self, path: WorkspacePath) -> bytes:
        data = await self._folder.read(path)
        self._progress.copied(len(data))
        return data

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        found = await self._folder.read_many(paths)
        for data in found:
            self._progress.copied(len(data or b""))
        return found

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        return await self._folder.write(path, data, executable=executable, seen=seen)

    async def link(self, path: WorkspacePath, target: str, *, seen: Seen = "anything") -> None:
        await self._folder.link(path, target, seen=seen)

    async def make_dir(self, path: WorkspacePath) -> None:
        await self._folder.make_dir(path)

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        await self._folder.remove(path, seen=seen)
