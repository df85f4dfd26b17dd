"""A transaction: changes that become part of the workspace together, or not at all."""

import hashlib

from py_agent.core.changes import Change
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry
from py_agent.errors import PathExists, WrongKind
from py_agent.ports.clock import Clock
from py_agent.ports.storage import Blobs
from py_agent.workspace.files import Files
from py_agent.workspace.links import relative_target
from py_agent.workspace.tree import Overlay, TreeView


class Transaction(Files):
    """Reads see what was written before in the same transaction."""

    def __init__(self, tree: TreeView, blobs: Blobs, clock: Clock) -> None:
        self._overlay = Overlay(tree)
        super().__init__(self._overlay, blobs, clock)
        self._written: dict[str, bytes] = {}

    async def read(self, path: WorkspacePath) -> bytes:
        entry = self.stat(path)
        if entry.sha256 in self._written:
            return self._written[entry.sha256]
        return await super().read(path)

    def write(self, path: WorkspacePath, data: bytes, *, executable: bool | None = None) -> None:
        """Write a whole file; directories on the way are made, and a symlink is written through."""
        target = self._overlay.resolve(path)
        existing = self._overlay.get(target)
        if target == ROOT or (existing is not None and existing.kind == "dir"):
            raise WrongKind(f"{path!r} is a directory.")
        if executable is None:
            executable = existing is not None and existing.executable
        self._make_parents(target)
        sha256 = hash_bytes(data)
        self._written[sha256] = data
        entry = TreeEntry(kind="file", sha256=sha256, size=len(data), mtime_ns=self.now_ns(), executable=executable)
        self._overlay.put(target, entry)

    def link(self, path: WorkspacePath, target: str) -> None:
        """Make a symlink. It may lead nowhere; one that leads out is never followed and never committed."""
        place = self._free_place(path)
        entry = TreeEntry(kind="symlink", target=relative_target(place, target), mtime_ns=self.now_ns())
        self._make_parents(place)
        self._overlay.put(place, entry)

    def make_dir(self, path: WorkspacePath) -> None:
        target = self._overlay.resolve(path)
        if target != ROOT:
            self._make_parents(target / "x")

    def delete(self, path: WorkspacePath) -> None:
        """Delete a file, a symlink (not what it leads to), or a directory with all it holds."""
        target = self._overlay.resolve(path, follow_last=False)
        self._overlay.find(target)
        if target == ROOT:
            raise WrongKind("The workspace's root cannot be deleted; name what is in it.")
        for below in list(self._overlay.below(target)):
            self._overlay.drop(below)
        self._overlay.drop(target)

    def move(self, source: WorkspacePath, destination: WorkspacePath) -> None:
        """Give a file, symlink or directory another path; something that is there already is kept."""
        start = self._overlay.resolve(source, follow_last=False)
        entry = self._overlay.find(start)
        end = self._free_place(destination)
        if start == ROOT or end.is_below(start):
            raise WrongKind(f"{source!r} cannot be moved into itself.")
        moved = [(end, entry)]
        moved += [
            (WorkspacePath(end + below[len(start) :]), self._overlay[below]) for below in self._overlay.below(start)
        ]
        self._make_parents(end)
        self.delete(start)
        for path, kept in moved:
            self._overlay.put(path, kept)

    def changes(self) -> list[Change]:
        return self._overlay.changes()

    async def seal(self) -> list[Change]:
        """Make the bytes of what was written durable, and give the changes for the log."""
        changes = self.changes()
        named = {change.after.sha256 for change in changes if change.after is not None}
        await self._blobs.put_many([(sha256, data) for sha256, data in self._written.items() if sha256 in named])
        return changes

    def _free_place(self, path: WorkspacePath) -> WorkspacePath:
        place = self._overlay.resolve(path, follow_last=False)
        if place == ROOT or place in self._overlay:
            raise PathExists(f"{path!r} is there already.")
        return place

    def _make_parents(self, path: WorkspacePath) -> None:
        for directory in path.parents():
            entry = self._overlay.get(directory)
            if entry is None:
                self._overlay.put(directory, DIRECTORY)
            elif entry.kind != "dir":
                raise WrongKind(f"{directory!r} is a {entry.kind}, not a directory.")


def hash_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
