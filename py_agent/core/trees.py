"""Entries of the workspace's tree."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class BlobRef(BaseModel):
    """Bytes kept beside the log, named by their hash."""

    model_config = ConfigDict(frozen=True)

    sha256: str
    size_bytes: int


class TreeEntry(BaseModel):
    """A file (`sha256` set), a symlink (`target` set) or a directory.

    A file is racy if its time is too young to tell by it whether the file changes again."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["file", "dir", "symlink"]
    sha256: str | None = None
    target: str | None = None
    size: int = 0
    mtime_ns: int = 0
    executable: bool = False
    is_racy: bool = False

    def has_content_of(self, other: "TreeEntry | None") -> bool:
        """Whether both are the same thing to a person: times do not count."""
        return other is not None and (
            (self.kind, self.sha256, self.target, self.executable)
            == (other.kind, other.sha256, other.target, other.executable)
        )


def is_same_content(one: TreeEntry | None, other: TreeEntry | None) -> bool:
    """Whether two paths hold the same, absence included."""
    return one is other or (one is not None and one.has_content_of(other))


DIRECTORY = TreeEntry(kind="dir")
