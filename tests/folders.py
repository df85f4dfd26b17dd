"""Real folders in tests: filled, read back, and of kinds that misbehave."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from py_agent.core.events import Conflict, WorkspaceChanged
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import WrongKind
from py_agent.hosts.memory import MemoryFolder
from py_agent.ports.folder import Folder, FolderEntry, Seen
from py_agent.run.session import Session
from py_agent.workspace.transaction import Transaction
from tests.workspace_model import Contents, Operation, can_do


def at(text: str) -> WorkspacePath:
    return WorkspacePath(text)


async def put(folder: Folder, contents: Contents) -> None:
    """Write files and make directories, as the person would."""
    for path, data in contents.items():
        if data is None:
            await folder.make_dir(at(path))
        else:
            await folder.write(at(path), data)


async def contents_of(folder: Folder) -> Contents:
    """Every file with its bytes and every directory with None; a link is shown as its target."""
    found: Contents = {}
    waiting = [ROOT]
    while waiting:
        directory = waiting.pop()
        for entry in await folder.list(directory):
            path = directory / entry.name
            found[str(path)] = await _content(folder, path, entry)
            if entry.kind == "dir":
                waiting.append(path)
    return found


async def _content(folder: Folder, path: WorkspacePath, entry: FolderEntry) -> bytes | None:
    if entry.kind == "symlink":
        return f"-> {entry.target}".encode()
    return None if entry.kind == "dir" else await folder.read(path)


async def do(session: Session, *operations: Operation) -> None:
    """Change the workspace as a tool would; what is refused is left out."""
    async with session.workspace.transaction() as transaction:
        for operation in operations:
            can_do(transaction, operation)
        await keep(session, transaction)


async def keep(session: Session, transaction: Transaction) -> None:
    if changes := await transaction.seal():
        await session.append(WorkspaceChanged(origin="tool", changes=tuple(changes)))


def write(path: str, data: bytes) -> Operation:
    return Operation("write", path, data)


def delete(path: str) -> Operation:
    return Operation("delete", path)


def move(path: str, target: str) -> Operation:
    return Operation("move", path, target=target)


async def can_link(folder: Folder, path: WorkspacePath, target: str) -> bool:
    """Make a link; False where the folder refuses it, as browsers' folders do."""
    try:
        await folder.link(path, target)
    except WrongKind:
        return False
    return True


async def remove_all(folder: Folder, path: WorkspacePath) -> None:
    entry = await folder.stat(path)
    for below in await folder.list(path) if entry is not None and entry.kind == "dir" else []:
        await remove_all(folder, path / below.name)
    await folder.remove(path)


async def do_in_folder(folder: Folder, operation: Operation) -> None:
    """The same operations in a folder, as the person would do them; what cannot be done is left out."""
    path = at(operation.path)
    there = [await folder.stat(step) for step in (*path.parents(), path)]
    is_blocked = any(entry is not None and entry.kind != "dir" for entry in there[:-1])
    match operation.kind:
        case "write" if not is_blocked and (there[-1] is None or there[-1].kind != "dir"):
            await folder.write(path, operation.data)
        case "make_dir" if not is_blocked and there[-1] is None:
            await folder.make_dir(path)
        case "delete" | "move":
            await remove_all(folder, path) if there[-1] is not None else None


def paths_of(conflicts: Sequence[Conflict]) -> list[str]:
    return [str(conflict.path) for conflict in conflicts]


class Killed(BaseException):
    """What the end of a process looks like to the code that runs in it."""


class MortalFolder(MemoryFolder):
    """Ends the process at a chosen write, before or after it is done."""

    def __init__(self) -> None:
        super().__init__()
        self.left: int | None = None

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        self._live()
        mtime_ns = await super().write(path, data, executable=executable, seen=seen)
        self._live()
        return mtime_ns

    async def make_dir(self, path: WorkspacePath) -> None:
        self._live()
        await super().make_dir(path)
        self._live()

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        self._live()
        await super().remove(path, seen=seen)
        self._live()

    def _live(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Killed


class FoldingFolder(MemoryFolder):
    """Finds a file by any spelling in upper and lower case and in any form of accents, and keeps the first."""

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        entry = await super().stat(self._spelt(path))
        return entry and replace(entry, name=path.name)

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        return await super().list(self._spelt(path))

    async def read(self, path: WorkspacePath) -> bytes:
        return await super().read(self._spelt(path))

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        return await super().read_many([self._spelt(path) for path in paths])

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        return await super().write(self._spelt(path), data, executable=executable, seen=seen)

    async def make_dir(self, path: WorkspacePath) -> None:
        await super().make_dir(self._spelt(path))

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        await super().remove(self._spelt(path), seen=seen)

    def _spelt(self, path: WorkspacePath) -> WorkspacePath:
        done = ROOT
        for name in path.parts:
            alike = [other for other in self._names.get(done, ()) if _folded(other) == _folded(name)]
            done /= alike[0] if alike else name
        return done


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
