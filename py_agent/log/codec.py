"""One event as one line of the log: its JSON with a checksum as the last key."""

import zlib

from pydantic import ValidationError

from py_agent.core.events import BaseEvent, Event, dump_event, parse_event

_SUM_KEY = b',"sum":"'
_SUM_BYTES = len(_SUM_KEY) + 8 + len(b'"}')


def encode_line(event: BaseEvent) -> bytes:
    """The event's line, line end included."""
    return seal(dump_event(event))


def seal(json_object: bytes) -> bytes:
    """Add the checksum and the line end to a JSON object of one line."""
    body = json_object[:-1]
    return b'%b%b%08x"}\n' % (body, _SUM_KEY, zlib.crc32(body))


def find_fault(line: bytes, seq: int | None = None) -> str | None:
    """Why a line (without its end) is damaged or not event number `seq`; None if it is well.

    A line of ours is checked without being parsed."""
    body = line[:-_SUM_BYTES]
    tail = line[-_SUM_BYTES:]
    if not (tail.startswith(_SUM_KEY) and tail.endswith(b'"}')):
        return "it has no checksum"
    if tail[len(_SUM_KEY) : -2] != b"%08x" % zlib.crc32(body):
        return "its checksum does not fit"
    if seq is not None and not line.startswith(b'{"seq":%d,' % seq) and _seq_of(line) != seq:
        return f"it is not event number {seq}"
    return None


def decode_line(line: bytes) -> Event:
    """The event of a line that `find_fault` passed; ValueError if it is no event we know how to read."""
    return parse_event(line[:-_SUM_BYTES] + b"}")


def strip_sum(line: bytes) -> bytes:
    """A line's JSON object as it was before `seal`; a line that carries no checksum comes back as it is."""
    tail = line[-_SUM_BYTES:]
    if tail.startswith(_SUM_KEY) and tail.endswith(b'"}'):
        return line[:-_SUM_BYTES] + b"}"
    return line


def _seq_of(line: bytes) -> int | None:
    try:
        return decode_line(line).seq
    except ValidationError:
        return None
