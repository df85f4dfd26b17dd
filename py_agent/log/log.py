"""The event log of one session: append, read, and tell those who listen.

An event is on disk before anyone is told of it. Appends that come while the disk is busy share the next flush.
"""

import asyncio
from array import array
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Self

from pydantic import ValidationError

from py_agent.core.events import BaseEvent, Event, SessionRecovered
from py_agent.errors import CorruptSessionLog, SessionLocked, StorageFailed
from py_agent.log.codec import decode_line, encode_line, find_fault
from py_agent.ports.clock import Clock
from py_agent.ports.storage import AppendFile

# So much is read and decoded before others get their turn.
_CHUNK_BYTES = 1 << 16
_KEPT_BYTES = 1 << 14
Listener = Callable[[Event], None]
Batch = tuple[Sequence[BaseEvent], asyncio.Future[list[Event]]]


class EventLog:
    """Events are numbered from 1 without gaps. `recovered` is what was stored on opening, before anyone listens."""

    def __init__(self, session_id: str, file: AppendFile, clock: Clock) -> None:
        self.session_id = session_id
        self.recovered: Event | None = None
        self._file = file
        self._clock = clock
        self._starts = array("Q")
        self._end = 0
        self._listeners: list[Listener] = []
        self._waiting: list[Batch] = []
        self._flushing: asyncio.Task[None] | None = None
        self._is_read_only = False
        self._is_cut_off = False

    @classmethod
    async def open(cls, session_id: str, file: AppendFile, clock: Clock) -> Self:
        """Check every line and index it. A torn last line is cut off and reported as an event."""
        log = cls(session_id, file, clock)
        await log._index()
        if file.size > log._end:
            torn = await file.read(log._end, file.size - log._end)
            await file.truncate(log._end)
            text = torn[:_KEPT_BYTES].decode(errors="replace")
            [log.recovered] = await log.append(SessionRecovered(dropped_bytes=len(torn), dropped_text=text))
        return log

    @classmethod
    async def open_to_read(cls, session_id: str, file: AppendFile, clock: Clock) -> Self:
        """The same without changing a byte: a torn last line is only left out."""
        log = cls(session_id, file, clock)
        log._is_read_only = True
        await log._index()
        return log

    @property
    def length(self) -> int:
        return len(self._starts)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event once it is durable; gives the function that ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """Pass an event that is not stored to those who listen."""
        for listener in list(self._listeners):
            listener(event)

    async def append(self, *events: BaseEvent) -> list[Event]:
        """Store events as one batch; they come back numbered. A cancelled caller does not undo it."""
        if self._is_read_only:
            raise SessionLocked(f"Session {self.session_id} was opened to be read only.")
        if self._is_cut_off:
            raise self._cut_off()
        stored: asyncio.Future[list[Event]] = asyncio.get_running_loop().create_future()
        self._waiting.append((events, stored))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
            self._flushing.add_done_callback(self._end_flush)
        return await asyncio.shield(stored)

    async def drain(self) -> None:
        """Wait until nothing is on its way to the disk."""
        while self._flushing is not None:
            await asyncio.wait([self._flushing])

    async def read(self, start: int = 1, stop: int | None = None) -> AsyncIterator[list[Event]]:
        """Events from number `start` up to and without `stop`, in lists of some length."""
        last = self.length + 1 if stop is None else min(stop, self.length + 1)
        while start < last:
            until = self._chunk_end(start, last)
            begin, end = self._starts[start - 1], self._start_of(until)
            lines = (await self._file.read(begin, end - begin)).split(b"\n")[:-1]
            yield [self._decode(line, start + offset) for offset, line in enumerate(lines)]
            start = until
            await asyncio.sleep(0)

    async def close(self) -> None:
        await self.drain()
        await self._file.close()

    async def _index(self) -> None:
        """One pass over the file. Every line but the last must be whole."""
        rest: list[bytes] = []
        offset = 0
        while chunk := await self._file.read(offset, _CHUNK_BYTES):
            offset += len(chunk)
            *lines, tail = chunk.split(b"\n")
            if lines:
                lines[0], rest = b"".join([*rest, lines[0]]), []
            rest.append(tail)
            for position, line in enumerate(lines):
                is_last = offset == self._file.size and not tail and position == len(lines) - 1
                if not self._take(line, is_last=is_last):
                    return
            await asyncio.sleep(0)

    def _take(self, line: bytes, *, is_last: bool) -> bool:
        fault = find_fault(line, len(self._starts) + 1)
        if fault is None:
            self._starts.append(self._end)
            self._end += len(line) + 1
        elif not is_last or find_fault(line) is None:  # no write that was cut short leaves a whole line
            raise CorruptSessionLog(self.session_id, len(self._starts) + 1, fault)
        return fault is None

    async def _flush(self) -> None:
        try:
            while self._waiting:
                batches, self._waiting = self._waiting, []
                await self._store(batches)
        finally:
            self._flushing = None

    def _end_flush(self, flush: asyncio.Task[None]) -> None:
        """The end of an event loop cancels every task, also one that has not begun: nobody may wait for it."""
        if flush.cancelled():
            self._flushing, self._is_cut_off = None, True
            for _, stored in self._waiting:
                _fail(stored, self._cut_off())

    def _cut_off(self) -> StorageFailed:
        return StorageFailed(f"A write to the log of session {self.session_id} was cut off; open it again.")

    async def _store(self, batches: Sequence[Batch]) -> None:
        numbered: list[tuple[list[Event], asyncio.Future[list[Event]]]] = []
        lines: list[bytes] = []
        for events, stored in batches:
            stamped = [self._stamp(event, self.length + 1 + len(lines) + i) for i, event in enumerate(events)]
            try:
                lines += [encode_line(event) for event in stamped]
            except ValueError as error:  # such as text that is no valid Unicode
                _fail(stored, StorageFailed(f"An event of {stamped[0].type} cannot be stored: {error}."))
            else:
                numbered.append((stamped, stored))
        try:
            await self._file.append(b"".join(lines))
        except asyncio.CancelledError:
            self._is_cut_off = True  # how much of it is on disk is unknown
            for _, stored in numbered:
                _fail(stored, self._cut_off())
            raise
        except Exception as error:  # noqa: BLE001 -- whoever waits must hear of it, whatever it was
            for _, stored in numbered:
                _fail(stored, error)
            return
        for line in lines:
            self._starts.append(self._end)
            self._end += len(line)
        for stamped, stored in numbered:
            stored.set_result(stamped)
            for event in stamped:
                self.tell(event)

    def _stamp(self, event: BaseEvent, seq: int) -> Event:
        stamp = {"seq": seq, "ts": self._clock.now(), "session_id": self.session_id}
        return event.model_copy(update=stamp)  # type: ignore[return-value]

    def _decode(self, line: bytes, seq: int) -> Event:
        try:
            return decode_line(line)
        except ValidationError as error:
            raise CorruptSessionLog(self.session_id, seq, f"it is no event: {error.errors()[0]['msg']}") from error

    def _start_of(self, seq: int) -> int:
        return self._starts[seq - 1] if seq <= self.length else self._end

    def _chunk_end(self, start: int, last: int) -> int:
        """The event number up to which a chunk reaches: at least one event, about a chunk's bytes."""
        low, high, limit = start + 1, last, self._starts[start - 1] + _CHUNK_BYTES
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._start_of(middle) <= limit else (low, middle - 1)
        return low


def _fail(stored: asyncio.Future[list[Event]], error: Exception) -> None:
    stored.set_exception(error)
    stored.exception()  # a caller that was cancelled does not fetch it
