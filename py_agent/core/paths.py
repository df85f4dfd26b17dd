"""Paths in the workspace: relative, normal, and never outside it."""

import re
from typing import Any, Self

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from py_agent.errors import InvalidPath

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4096
MOUNT = "/workspace"
_DRIVE = re.compile(r"[A-Za-z]:(?:[/\\]|$)")
_NOT_NORMAL = re.compile(r"\0|(?:\A|/)\.{0,2}(?:/|\Z)")


class WorkspacePath(str):
    """A path relative to the workspace's root, in normal form; the root itself is the empty path.

    The constructor takes normal form only, and so accepts every name a file can have; `parse`
    takes what a person or a model writes.
    """

    __slots__ = ()

    def __new__(cls, text: str = "") -> Self:
        if type(text) is not cls:
            _check_normal(text)
        return super().__new__(cls, text)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a path as written: `./a//b`, `/workspace/a/b` and `a/b/` are all `a/b`."""
        if "\\" in text:
            raise InvalidPath(f"The path {text!r} has a backslash; separate directories with '/'.")
        if _DRIVE.match(text):
            raise InvalidPath(f"The path {text!r} names a drive; give a path inside the workspace.")
        if text == MOUNT or text.startswith(MOUNT + "/"):
            text = text[len(MOUNT) + 1 :]
        elif text.startswith("/"):
            raise InvalidPath(f"The path {text!r} is absolute; give a path inside the workspace.")
        return cls("/".join(part for part in text.split("/") if part not in ("", ".")))

    @property
    def parts(self) -> list[str]:
        return self.split("/") if self else []

    @property
    def name(self) -> str:
        return self.rpartition("/")[2]

    @property
    def parent(self) -> "WorkspacePath":
        return _trusted(self.rpartition("/")[0])

    def parents(self) -> list["WorkspacePath"]:
        """Every directory above this path, the root left out, outermost first."""
        parts = self.parts
        return [_trusted("/".join(parts[:count])) for count in range(1, len(parts))]

    def __truediv__(self, name: str) -> "WorkspacePath":
        return WorkspacePath(f"{self}/{name}" if self else name)

    def child(self, name: str) -> "WorkspacePath":
        """The same as `/` for a name that is known to be one, without checking it again."""
        return _trusted(f"{self}/{name}" if self else name)

    def is_below(self, directory: "WorkspacePath") -> bool:
        return not directory or self.startswith(directory + "/")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(cls._validate, core_schema.str_schema())

    @classmethod
    def _validate(cls, text: str) -> Self:
        try:
            return cls(text)
        except InvalidPath as error:
            raise ValueError(str(error)) from error


def _trusted(text: str) -> WorkspacePath:
    return str.__new__(WorkspacePath, text)


def _check_normal(text: str) -> None:
    if not text or (len(text) <= MAX_NAME_BYTES and text.isascii() and not _NOT_NORMAL.search(text)):
        return
    if "\0" in text:
        raise InvalidPath(f"The path {text!r} has a NUL character.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidPath(f"The path {text!r} is not valid Unicode.") from error
    if size > MAX_PATH_BYTES:
        raise InvalidPath(f"The path {text[:60]!r}... is longer than {MAX_PATH_BYTES} bytes.")
    for part in text.split("/"):
        if part in ("", ".", ".."):
            raise InvalidPath(f"The path {text!r} leaves the workspace or is not in normal form.")
        if len(part.encode()) > MAX_NAME_BYTES:
            raise InvalidPath(f"The name {part[:60]!r}... is longer than {MAX_NAME_BYTES} bytes.")


ROOT = WorkspacePath("")
