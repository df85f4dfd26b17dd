"""Ids that count up, so that two runs give the same ones."""


class CountingIds:
    def __init__(self, first: int = 1) -> None:
        self._next = first

    def new(self) -> str:
        value = f"{self._next:032x}"
        self._next += 1
        return value
