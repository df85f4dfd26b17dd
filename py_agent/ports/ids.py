"""Ids: where new ones come from."""

from typing import Protocol


class Ids(Protocol):
    def new(self) -> str:
        """32 lower-case hexadecimal characters, never the same twice."""
