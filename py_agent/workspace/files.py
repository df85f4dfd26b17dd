"""Reading a tree's files: what a workspace and a transaction have in common."""

from collections.abc import Sequence

from py_agent.core.glob import Glob
from py_agent.core.paths import MAX_PATH_BYTES, ROOT, WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.errors import InvalidPath, WrongKind
from py_agent.ports.clock import Clock
from py_agent.ports.storage import Blobs
from py_agent.workspace.pace import Pace
from py_agent.workspace.tree import TreeView


class Files:
    """Symlinks are followed inside the workspace; one that leads out raises InvalidPath."""

    def __init__(self, tree: TreeView, blobs: Blobs, clock: Clock) -> None:
        self._view = tree
        self._blobs = blobs
        self._clock = clock

    def now_ns(self) -> int:
        """The time in nanoseconds, as exact as a number of seconds can tell it."""
        return round(self._clock.now() * 10**6) * 1000

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

    async def glob(self, pattern: str) -> Sequence[WorkspacePath]:
        """Files and symlinks whose path matches, sorted."""
        if len(pattern) > MAX_PATH_BYTES:
            raise InvalidPath(f"The pattern is longer than {MAX_PATH_BYTES} characters; name a shorter one.")
        glob, pace = Glob.parse(pattern), Pace(self._clock)
        found = []
        for path in list(self._view):
            entry = self._view.get(path)
            if entry is not None and entry.kind != "dir" and glob.matches(path):
                found.append(path)
            await pace.step()
        return sorted(found)
