"""A person's folder in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from py_agent.core.paths import WorkspacePath
from py_agent.errors import PathMissing, WrongKind
from py_agent.ports.folder import FolderEntry

_ROOT_ENTRY = FolderEntry(name="", kind="dir")


@dataclass(frozen=True, slots=True)
class _Node:
    entry: FolderEntry
    data: bytes = b""


class MemoryFolder:
    def __init__(self, label: str = "memory") -> None:
        self._label = label
        self._nodes: dict[WorkspacePath, _Node] = {}
        self._mtime_ns = 10**18

    @property
    def label(self) -> str:
        return self._label

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        entry = await self.stat(path)
        if entry is None or entry.kind != "dir":
            raise PathMissing(f"There is no directory {path!r} in the folder.")
        found = [node.entry for at, node in self._nodes.items() if at and at.parent == path]
        return sorted(found, key=lambda entry: entry.name)

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        if not path:
            return _ROOT_ENTRY
        if self._blocked_at(path) is not None:
            return None
        node = self._nodes.get(path)
        return node.entry if node else None

    async def read(self, path: WorkspacePath) -> bytes:
        entry = await self.stat(path)
        if entry is None or entry.kind != "file":
            raise PathMissing(f"There is no file {path!r} in the folder.")
        return self._nodes[path].data

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        entries = [await self.stat(path) for path in paths]
        is_file = [entry is not None and entry.kind == "file" for entry in entries]
        return [self._nodes[path].data if there else None for path, there in zip(paths, is_file, strict=True)]

    async def write(self, path: WorkspacePath, data: bytes, *, executable: bool = False) -> int:
        await self.make_dir(path.parent)
        self._refuse_directory(path)
        entry = self._entry(path, FolderEntry(path.name, "file", size=len(data), executable=executable))
        self._nodes[path] = _Node(entry, bytes(data))
        return entry.mtime_ns

    async def link(self, path: WorkspacePath, target: str) -> None:
        await self.make_dir(path.parent)
        self._refuse_directory(path)
        self._nodes[path] = _Node(self._entry(path, FolderEntry(path.name, "symlink", target=target)))

    async def make_dir(self, path: WorkspacePath) -> None:
        for directory in [*path.parents(), path]:
            node = self._nodes.get(directory)
            if directory and node is None:
                self._nodes[directory] = _Node(self._entry(directory, FolderEntry(directory.name, "dir")))
            elif node is not None and node.entry.kind != "dir":
                raise WrongKind(f"{directory!r} in the folder is a {node.entry.kind}, not a directory.")

    async def remove(self, path: WorkspacePath) -> None:
        blocked = self._blocked_at(path)
        if blocked is not None:
            raise WrongKind(f"{blocked!r} in the folder is not a directory.")
        if any(other.is_below(path) for other in self._nodes):
            raise WrongKind(f"The directory {path!r} in the folder is not empty.")
        self._nodes.pop(path, None)

    def _blocked_at(self, path: WorkspacePath) -> WorkspacePath | None:
        for directory in path.parents():
            node = self._nodes.get(directory)
            if node is not None and node.entry.kind != "dir":
                return directory
        return None

    def _refuse_directory(self, path: WorkspacePath) -> None:
        node = self._nodes.get(path)
        if node is not None and node.entry.kind == "dir":
            raise WrongKind(f"{path!r} in the folder is a directory.")

    def _entry(self, path: WorkspacePath, entry: FolderEntry) -> FolderEntry:
        self._mtime_ns += 10**9
        return replace(entry, name=path.name, mtime_ns=self._mtime_ns)
