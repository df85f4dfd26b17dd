"""A real folder of the person's: read by import, written by commit, touched by nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from py_agent.core.paths import WorkspacePath

TEMPORARY_PREFIX = ".py-agent-"


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One name in a directory, never followed if it is a link. `special` is a device, socket or pipe.

    `executable` is None where the folder cannot tell. A name or target that is not Unicode has lone surrogates."""

    name: str
    kind: Literal["file", "dir", "symlink", "special"]
    size: int = 0
    mtime_ns: int = 0
    executable: bool | None = False
    target: str | None = None

    @property
    def state(self) -> str:
        """What tells whether it was changed: two states that differ are two contents, or may be."""
        if self.kind == "dir":
            return "dir"
        return f"symlink {self.target}" if self.kind == "symlink" else f"{self.kind} {self.size} {self.mtime_ns}"


Seen = FolderEntry | Literal["anything"] | None


def seen_state(seen: Seen) -> str:
    """The state that a folder compares with what it finds; empty for nothing there."""
    if seen is None or seen == "anything":
        return seen or ""
    return seen.state


class Folder(Protocol):
    """No method follows a symlink, neither in the last name nor on the way to it: a path that leads
    through one raises PathMissing on reading and WrongKind on writing.

    Whoever writes says what they have `seen` at the path, None being nothing. If that is not what is there,
    PathExists is raised and all is left as it is."""

    @property
    def label(self) -> str:
        """What to call the folder when speaking to the person."""

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        """The entries of a directory, sorted by name."""

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        """One entry, or None if nothing is there."""

    async def read(self, path: WorkspacePath) -> bytes:
        """A file's bytes, all of one moment; StorageFailed for a file that changes whenever it is read."""

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        """The bytes of each file, in order; None for one that is not there or cannot be read."""

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        """Put a whole file in place, all of it or none; makes missing directories. Gives its mtime_ns."""

    async def link(self, path: WorkspacePath, target: str, *, seen: Seen = "anything") -> None:
        """Put a symlink in place; WrongKind where the folder cannot hold one."""

    async def make_dir(self, path: WorkspacePath) -> None:
        """Make a directory and those above it; one that is there is no error."""

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        """Remove a file, a symlink or an empty directory; nothing there is no error."""
