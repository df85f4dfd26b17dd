"""Reading a tree's files: what a workspace and a transaction have in common."""

from collections.abc import Sequence

from py_agent.core.glob import Glob
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.errors import WrongKind
from py_agent.ports.storage import Blobs
from py_agent.workspace.tree import TreeView


class Files:
    """Symlinks are followed inside the workspace; one that leads out raises InvalidPath."""

    def __init__(self, tree: TreeView, blobs: Blobs) -> None:
        self._view = tree
        self._blobs = blobs

    async def read(self, path: WorkspacePath) -> bytes:
        entry = self.stat(path)
        if entry.sha256 is None:
            raise WrongKind(f"{path!r} is a directory; list it instead.")
        return await self._blobs.get(entry.sha256)

    def stat(self, path: WorkspacePath) -> TreeEntry:
        return self._view.find(self._view.resolve(path))

    def exists(self, path: WorkspacePath) -> bool:
        target = self._view.resolve(path)
        return target == ROOT or target in self._view

    def list(self, path: WorkspacePath = ROOT) -> Sequence[tuple[str, TreeEntry]]:
        """Names and entries of a directory, sorted."""
        directory = self._view.resolve(path)
        if self._view.find(directory).kind != "dir":
            raise WrongKind(f"{path!r} is a file; read it instead.")
        return [(child.name, self._view.find(child)) for child in self._view.children(directory)]

    def glob(self, pattern: str) -> Sequence[WorkspacePath]:
        """Files and symlinks whose path matches, sorted."""
        glob = Glob(pattern)
        return sorted(path for path, entry in self._view.items() if entry.kind != "dir" and glob.matches(path))
