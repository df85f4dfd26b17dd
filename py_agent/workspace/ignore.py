"""`.gitignore` files: which paths of a folder are left out of the copy, as git reads them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from py_agent.core.glob import Glob
from py_agent.core.paths import MAX_PATH_BYTES, WorkspacePath

MAX_PATTERNS = 10_000
_PLAIN = re.compile(r"[^*?\[\\]*")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line. An anchored one is a path below the directory of its file, any other a name at any depth.

    `start` is what it begins with before its first wildcard; without a glob it is all there is."""

    start: str
    is_anchored: bool = False
    is_negated: bool = False
    directories_only: bool = False
    glob: Glob | None = None

    @classmethod
    def parse(cls, line: str) -> Self | None:
        """None for a comment, and for a line that can match nothing."""
        line = _strip_end(line.removesuffix("\r"))
        is_negated = line.startswith("!")
        body = line[1:] if is_negated else line
        text = body.removesuffix("/")
        is_anchored = "/" in text
        text = text.removeprefix("/")
        if not text or line.startswith("#") or len(text) > MAX_PATH_BYTES:
            return None
        # Git looks for `**` only after the plain start, so that in `a**/b` it stands for directories, too.
        plain = _PLAIN.match(text)
        start = plain[0] if plain and (is_anchored or plain[0] == text) else ""
        glob = Glob(text[len(start) :]) if start != text else None
        if glob is not None and not glob.is_whole:
            return None
        return cls(start, is_anchored, is_negated, body.endswith("/"), glob)

    def matches(self, below: str, name: str) -> bool:
        tried = below if self.is_anchored else name
        if self.glob is None:
            return tried == self.start
        return tried.startswith(self.start) and self.glob.matches(tried[len(self.start) :])


class IgnoreFile:
    """The patterns of one file. The last one that matches decides."""

    def __init__(self, directory: WorkspacePath, patterns: Sequence[Pattern]) -> None:
        self._start = len(directory) + 1 if directory else 0
        self._names: dict[str, list[tuple[int, Pattern]]] = {}
        self._paths: dict[str, list[tuple[int, Pattern]]] = {}
        self._wild: list[tuple[int, Pattern]] = []
        for place, pattern in enumerate(patterns):
            if pattern.glob is not None:
                self._wild.append((place, pattern))
            else:
                exact = self._paths if pattern.is_anchored else self._names
                exact.setdefault(pattern.start, []).append((place, pattern))
        self._wild.reverse()

    def verdict(self, path: WorkspacePath, *, is_directory: bool) -> bool | None:
        """True: left out. False: taken in again. None: this file says nothing of it."""
        name, below = path.name, path[self._start :]
        last, decisive = -1, None
        for place, pattern in (*self._names.get(name, ()), *self._paths.get(below, ())):
            if place > last and (is_directory or not pattern.directories_only):
                last, decisive = place, pattern
        for place, pattern in self._wild:
            if place < last:
                break
            if (is_directory or not pattern.directories_only) and pattern.matches(below, name):
                decisive = pattern
                break
        return None if decisive is None else not decisive.is_negated


def pattern_lines(text: str) -> Iterator[str]:
    """The lines of an ignore file, without those that say nothing."""
    for line in text.removeprefix("\ufeff").split("\n"):
        if line and not line.startswith("#"):
            yield line


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
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return line[: len(stripped) + 1] if backslashes % 2 else stripped
