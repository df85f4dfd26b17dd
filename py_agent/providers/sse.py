"""Server-sent events: bytes in, however they are cut, events out, by the rules of the HTML standard."""

from collections.abc import Iterable
from typing import NamedTuple

from py_agent.errors import BadAnswer

MAX_EVENT_BYTES = 16 * 2**20
_BOM = b"\xef\xbb\xbf"


class ServerEvent(NamedTuple):
    data: str
    type: str = "message"


class SseParser:
    """Fields that are no concern of ours (`id`, `retry`) are passed over; an event without its end is never given.

    `took_line` says whether the last chunk ended a line: a sign of life that single bytes are not."""

    def __init__(self, max_event_bytes: int = MAX_EVENT_BYTES) -> None:
        self.took_line = False
        self._max_event_bytes = max_event_bytes
        self._unended: list[bytes] = []
        self._is_at_start = True
        self._ended_in_cr = False
        self._type = ""
        self._data: list[str] = []
        self._data_size = 0
        self._unended_size = 0

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that this chunk ends."""
        if self._is_at_start or self._ended_in_cr:
            chunk = self._without_mark(chunk)
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r")) + 1
        self.took_line = end > 0
        if end == 0:
            self._keep(chunk)
            return []
        text = b"".join([*self._unended, chunk[:end]]).decode(errors="replace")
        self._unended.clear()
        self._unended_size = 0
        self._keep(chunk[end:])
        self._ended_in_cr = chunk.endswith(b"\r")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return self._take(text)

    def _without_mark(self, chunk: bytes) -> bytes:
        """Drop a byte order mark at the very start, and the LF of a CRLF that was cut in two."""
        if self._is_at_start:
            chunk = b"".join([*self._unended, chunk])
            self._unended.clear()
            if len(chunk) < len(_BOM) and _BOM.startswith(chunk):
                self._unended.append(chunk)
                return b""
            self._is_at_start = False
            return chunk.removeprefix(_BOM)
        if chunk:
            self._ended_in_cr = False
        return chunk.removeprefix(b"\n")

    def _keep(self, unended: bytes) -> None:
        if unended:
            self._unended.append(unended)
            self._unended_size += len(unended)
            self._check_size()

    def _check_size(self) -> None:
        if self._data_size + self._unended_size > self._max_event_bytes:
            raise BadAnswer(f"The server sent an event of more than {self._max_event_bytes} bytes.")

    def _take(self, text: str) -> list[ServerEvent]:
        """Most events are one line of data, perhaps with a type before it: those are not taken line by line."""
        events: list[ServerEvent] = []
        *blocks, last = text.split("\n\n")
        for block in blocks:
            if not self._data and not self._type:
                if block.startswith("data: ") and "\n" not in block:
                    events.append(ServerEvent(block[6:]))
                    continue
                kind, is_two, data = block.partition("\ndata: ")
                if is_two and kind.startswith("event: ") and "\n" not in kind and "\n" not in data:
                    events.append(ServerEvent(data, kind[7:] or "message"))
                    continue
            self._take_lines([*block.split("\n"), ""], events)
        self._take_lines(last.split("\n")[:-1], events)
        return events

    def _take_lines(self, lines: Iterable[str], events: list[ServerEvent]) -> None:
        for line in lines:
            if not line:
                if self._data:
                    events.append(ServerEvent("\n".join(self._data), self._type or "message"))
                self._type, self._data, self._data_size = "", [], 0
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                self._data.append(value)
                self._data_size += len(value) + 1
                self._check_size()
            elif name == "event":
                self._type = value
