"""A person's folder in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import PathExists, PathMissing, WrongKind
from py_agent.ports.folder import FolderEntry, Seen, seen_state

_ROOT_ENTRY = FolderEntry(name="", kind="dir")


@dataclass(frozen=True, slots=True)
class _Node:
    entry: FolderEntry
    data: bytes = b""


class MemoryFolder:
    def __init__(self, label: str = "memory") -> None:
        self._label = label
        self._nodes: dict[WorkspacePath, _Node] = {}
        self._names: dict[WorkspacePath, set[str]] = {ROOT: set()}
        self._mtime_ns = 10**18

    @property
    def label(self) -> str:
        return self._label

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        if path not in self._names:
            raise PathMissing(f"There is no directory {path!r} in the folder.")
        return [self._nodes[path.child(name)].entry for name in sorted(self._names[path])]

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        if not path:
            return _ROOT_ENTRY
        node = self._nodes.get(path)
        return node.entry if node else None

    async def read(self, path: WorkspacePath) -> bytes:
        entry = await self.stat(path)
        if entry is None or entry.kind != "file":
            raise PathMissing(f"There is no file {path!r} in the folder.")
        return self._nodes[path].data

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        nodes = [self._nodes.get(path) for path in paths]
        return [node.data if node and node.entry.kind == "file" else None for node in nodes]

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        entry = FolderEntry(path.name, "file", size=len(data), executable=executable)
        return await self._put(path, entry, bytes(data), seen)

    async def link(self, path: WorkspacePath, target: str, *, seen: Seen = "anything") -> None:
        await self._put(path, FolderEntry(path.name, "symlink", target=target), b"", seen)

    async def make_dir(self, path: WorkspacePath) -> None:
        for directory in [*path.parents(), path] if path else []:
            node = self._nodes.get(directory)
            if node is None:
                self._add(directory, FolderEntry(directory.name, "dir"))
                self._names[directory] = set()
            elif node.entry.kind != "dir":
                raise WrongKind(f"{directory!r} in the folder is a {node.entry.kind}, not a directory.")

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        for directory in path.parents():
            if directory in self._nodes and directory not in self._names:
                raise WrongKind(f"{directory!r} in the folder is not a directory.")
        self._check_seen(path, seen)
        if self._names.get(path):
            raise WrongKind(f"The directory {path!r} in the folder is not empty.")
        if self._nodes.pop(path, None) is not None:
            self._names[path.parent].discard(path.name)
            self._names.pop(path, None)

    async def _put(self, path: WorkspacePath, entry: FolderEntry, data: bytes, seen: Seen) -> int:
        await self.make_dir(path.parent)
        self._check_seen(path, seen)
        if path in self._names:
            raise WrongKind(f"{path!r} in the folder is a directory.")
        return self._add(path, entry, data)

    def _add(self, path: WorkspacePath, entry: FolderEntry, data: bytes = b"") -> int:
        self._mtime_ns += 10**9
        self._nodes[path] = _Node(replace(entry, mtime_ns=self._mtime_ns), data)
        self._names[path.parent].add(path.name)
        return self._mtime_ns

    def _check_seen(self, path: WorkspacePath, seen: Seen) -> None:
        node = self._nodes.get(path)
        if seen != "anything" and seen_state(seen) != seen_state(node.entry if node else None):
            raise PathExists(f"{path!r} in the folder was changed at this moment; it is left as it is.")
