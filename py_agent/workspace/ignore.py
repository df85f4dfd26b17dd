"""`.gitignore` files: which paths of a folder are left out of the copy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from py_agent.core.glob import match_parts
from py_agent.core.paths import WorkspacePath

MAX_PATTERNS = 2000


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line: its parts below the directory of its file, and what a match means."""

    parts: tuple[str, ...]
    is_negated: bool
    directories_only: bool

    @classmethod
    def parse(cls, line: str) -> Self | None:
        line = _strip_end(line.rstrip("\r\n"))
        if not line or line.startswith("#"):
            return None
        is_negated = line.startswith("!")
        body = line[1:] if is_negated else line
        directories_only = body.endswith("/")
        body = body.rstrip("/") if directories_only else body
        is_anchored = "/" in body
        parts = tuple(part for part in body.split("/") if part)
        if not parts:
            return None
        return cls(parts if is_anchored else ("**", *parts), is_negated, directories_only)

    def matches(self, names: Sequence[str], *, is_directory: bool) -> bool:
        if self.directories_only and not is_directory:
            return False
        if self.parts[-1] == "**":
            # `a/**` is what lies in `a`, not `a` itself.
            return len(names) >= len(self.parts) and match_parts(self.parts, names)
        return match_parts(self.parts, names)


class IgnoreFile:
    def __init__(self, directory: WorkspacePath, text: str) -> None:
        self._depth = len(directory.parts)
        found = (Pattern.parse(line) for line in text.splitlines()[:MAX_PATTERNS])
        self._patterns = [pattern for pattern in found if pattern is not None][::-1]

    def verdict(self, path: WorkspacePath, *, is_directory: bool) -> bool | None:
        """True: left out. False: taken in again. None: this file says nothing of it."""
        names = path.parts[self._depth :]
        for pattern in self._patterns:
            if pattern.matches(names, is_directory=is_directory):
                return not pattern.is_negated
        return None


def is_ignored(path: WorkspacePath, files: Sequence[IgnoreFile], *, is_directory: bool) -> bool:
    """What the ignore files from the root down to a path's directory say; the nearest that speaks wins."""
    for file in reversed(files):
        verdict = file.verdict(path, is_directory=is_directory)
        if verdict is not None:
            return verdict
    return False


def _strip_end(line: str) -> str:
    """Take off the spaces at the end, but for one that a backslash keeps."""
    stripped = line.rstrip(" ")
    if stripped.endswith("\\") and not stripped.endswith("\\\\") and stripped != line:
        return stripped + " "
    return stripped
