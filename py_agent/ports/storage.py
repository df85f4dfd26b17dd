"""Storage: the state directory's files, append-only logs and blobs.

Paths are relative, with '/' between names, and come from py_agent itself, never from a model.
Whatever cannot be stored raises StorageFull or StorageFailed and leaves what was there as it was.
"""

from collections.abc import Sequence
from typing import Protocol


class AppendFile(Protocol):
    """A file that grows at its end. One owner at a time."""

    @property
    def size(self) -> int:
        """Its length in bytes."""

    async def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the end."""

    async def append(self, data: bytes) -> None:
        """Add `data`, durable on return. On failure the file is cut back to the length it had, at the
        latest before the next append, which raises as long as that fails."""

    async def truncate(self, size: int) -> None:
        """Cut the file to `size` bytes, durable on return. On failure it is cut as after a failed append."""

    async def close(self) -> None:
        """Give up the file. Closing twice is allowed."""


class Blobs(Protocol):
    """Immutable bytes named by their SHA-256, shared by all sessions of a state directory."""

    async def put_many(self, blobs: Sequence[tuple[str, bytes]]) -> None:
        """Keep each (sha256, data), durable on return; those already there cost nothing."""

    async def get(self, sha256: str) -> bytes:
        """The bytes, checked against their hash; StorageMissing or StorageFailed if they are not there whole."""

    async def has(self, sha256: str) -> bool:
        """Whether the bytes are there."""


class Storage(Protocol):
    """A state directory."""

    @property
    def blobs(self) -> Blobs:
        """The blobs of this state directory."""

    async def open(self, path: str) -> AppendFile:
        """Open a file for appending, and make it and its directories if they are missing."""

    async def read(self, path: str) -> bytes:
        """A whole file; StorageMissing if there is none."""

    async def write(self, path: str, data: bytes) -> None:
        """Put a whole file in place of what was there: all of it or none, durable on return."""

    async def list(self, path: str) -> Sequence[str]:
        """The names in a directory, sorted; none if there is no such directory."""

    async def remove(self, path: str) -> None:
        """Remove a file or a directory with all it holds; nothing there is no error."""
