"""Ids from the browser's source of randomness, not Python's, whose state a snapshot freezes."""

from typing import Protocol


class JsRandom(Protocol):
    def hex(self, size_bytes: int) -> str:
        """Random bytes as hexadecimal digits."""


class JsIds:
    def __init__(self, random: JsRandom) -> None:
        self._random = random

    def new(self) -> str:
        return self._random.hex(16)
