"""What the server was asked, kept for tests to read."""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

_MOST = 5000
_LONGEST_WAIT_SECONDS = 10


@dataclass(slots=True, eq=False)
class Connection:
    """`ended` is when its end was seen, in seconds since 1970."""

    number: int
    ended: float | None = None
    has_ended: asyncio.Event = field(default_factory=asyncio.Event)

    def end(self) -> None:
        if self.ended is None:
            self.ended = time.time()
            self.has_ended.set()


@dataclass(frozen=True, eq=False)
class Record:
    """One request. `began` is when its head had arrived; names of headers are in lower case."""

    number: int
    connection: Connection
    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    began: float

    @property
    def ended(self) -> float | None:
        return self.connection.ended

    @cached_property
    def json(self) -> Any:
        return json.loads(self.body)

    def shown(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "connection": self.connection.number,
            "method": self.method,
            "target": self.target,
            "headers": self.headers,
            "body": self.body.decode(errors="replace"),
            "began": self.began,
            "ended": self.ended,
        }


class Records:
    """The newest requests. Those to the server's own pages, and a browser's preflights, are not kept."""

    def __init__(self) -> None:
        self._kept: deque[Record] = deque(maxlen=_MOST)
        self._counts: Counter[str] = Counter()
        self._count = 0
        self._has_grown = asyncio.Event()

    def __iter__(self) -> Iterator[Record]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, at: int) -> Record:
        return self._kept[at]

    def next_number(self) -> int:
        self._count += 1
        return self._count

    def add(self, record: Record) -> int:
        """How many came to the same target before it."""
        self._kept.append(record)
        self._counts[record.target] += 1
        self._has_grown.set()
        return self._counts[record.target] - 1

    def clear(self) -> None:
        self._kept.clear()
        self._counts.clear()

    async def wait_for(self, count: int) -> None:
        """Until so many are kept, or ten seconds have passed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_WAIT_SECONDS):
                while len(self._kept) < count:
                    self._has_grown.clear()
                    await self._has_grown.wait()

    async def wait_for_end(self, number: int) -> Record | None:
        """The record once its connection has ended, or as it is after ten seconds."""
        record = next((record for record in self._kept if record.number == number), None)
        if record is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LONGEST_WAIT_SECONDS):
                    await record.connection.has_ended.wait()
        return record
