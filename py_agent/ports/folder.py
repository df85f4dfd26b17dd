"""A real folder of the person's: read by import, written by commit, touched by nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from py_agent.core.paths import WorkspacePath


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One name in a directory, never followed if it is a link. `special` is a device, socket or pipe."""

    name: str
    kind: Literal["file", "dir", "symlink", "special"]
    size: int = 0
    mtime_ns: int = 0
    executable: bool = False
    target: str | None = None


class Folder(Protocol):
    """No method follows a symlink, neither in the last name nor on the way to it: a path that leads
    through one raises PathMissing on reading and WrongKind on writing."""

    @property
    def label(self) -> str:
        """What to call the folder when speaking to the person."""

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        """The entries of a directory, sorted by name."""

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        """One entry, or None if nothing is there."""

    async def read(self, path: WorkspacePath) -> bytes:
        """A file's bytes."""

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        """The bytes of each file, in order; None for one that is not there or cannot be read."""

    async def write(self, path: WorkspacePath, data: bytes, *, executable: bool = False) -> int:
        """Put a whole file in place, all of it or none; makes missing directories. Gives its mtime_ns."""

    async def link(self, path: WorkspacePath, target: str) -> None:
        """Put a symlink in place; WrongKind where the folder cannot hold one."""

    async def make_dir(self, path: WorkspacePath) -> None:
        """Make a directory and those above it; one that is there is no error."""

    async def remove(self, path: WorkspacePath) -> None:
        """Remove a file, a symlink or an empty directory; nothing there is no error."""
