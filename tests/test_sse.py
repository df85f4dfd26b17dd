"""Server-sent events: right by the standard however the bytes are cut, and never without bound."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.errors import BadAnswer
from py_agent.providers.sse import ServerEvent, SseParser

STREAMS: list[tuple[bytes, list[ServerEvent]]] = [
    (b"data: a\n\n", [ServerEvent("a")]),
    (b"data:a\n\n", [ServerEvent("a")]),
    (b"data:  a\n\n", [ServerEvent(" a")]),
    (b"data: a\r\n\r\ndata: b\r\r", [ServerEvent("a"), ServerEvent("b")]),
    (b"data: a\rdata: b\n\n", [ServerEvent("a\nb")]),
    (b"data: a\r\n\ndata: b\n\r\n", [ServerEvent("a"), ServerEvent("b")]),
    (b"\xef\xbb\xbfdata: a\n\n", [ServerEvent("a")]),
    (b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", []),
    (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", [ServerEvent("a")]),
    (b": a comment\ndata: a\n: another\n\n", [ServerEvent("a")]),
    (b"data: a\ndata: b\n\n", [ServerEvent("a\nb")]),
    (b"data\n\n", [ServerEvent("")]),
    (b"data\ndata\n\n", [ServerEvent("\n")]),
    (b"data:\n\n", [ServerEvent("")]),
    (b"event: x\ndata: a\n\n", [ServerEvent("a", "x")]),
    (b"data: a\nevent: x\n\n", [ServerEvent("a", "x")]),
    (b"event: x\nevent: y\ndata: a\n\n", [ServerEvent("a", "y")]),
    (b"event: x\n\ndata: a\n\n", [ServerEvent("a")]),
    (b"event:\ndata: a\n\n", [ServerEvent("a")]),
    (b"id: 1\nretry: 9\nother: z\ndata: a\n\n", [ServerEvent("a")]),
    (b"Data: a\n data: b\n\n", []),
    (b"\n\n\ndata: a\n\n\n\n", [ServerEvent("a")]),
    (b"data: a\n\ndata: lost", [ServerEvent("a")]),
    (b"data: a\n\ndata: lost\n", [ServerEvent("a")]),
    (b"data: \xff\xe2\x82\n\n", [ServerEvent("\ufffd\ufffd")]),
    ("data: \u00e9\u20ac\U0001f600\n\n".encode(), [ServerEvent("\u00e9\u20ac\U0001f600")]),
    (b"data: a\0b\n\n", [ServerEvent("a\0b")]),
    (b"data: a\x0bb\x0c\xc2\x85c\n\n", [ServerEvent("a\x0bb\x0c\x85c")]),
    (b"", []),
]


def parse(*chunks: bytes) -> list[ServerEvent]:
    parser = SseParser()
    return [event for chunk in chunks for event in parser.feed(chunk)]


@pytest.mark.parametrize(("stream", "events"), STREAMS)
def test_a_stream_gives_the_same_events_wherever_it_is_cut(stream: bytes, events: list[ServerEvent]) -> None:
    assert parse(stream) == events
    assert parse(*(stream[at : at + 1] for at in range(len(stream)))) == events
    for first in range(len(stream) + 1):
        for second in range(first, len(stream) + 1):
            assert parse(stream[:first], stream[first:second], stream[second:]) == events


def simple(stream: bytes) -> list[ServerEvent]:
    """The standard's rules, one after the other, over the whole stream."""
    text = stream.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    events: list[ServerEvent] = []
    data: list[str] = []
    kind = ""
    for line in text.split("\n")[:-1]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            events += [ServerEvent("\n".join(data), kind or "message")] if data else []
            data, kind = [], ""
        elif name == "data":
            data.append(value)
        elif name == "event":
            kind = value
    return events


PIECES = st.sampled_from(
    [b"data", b"event", b": ", b":", b" ", b"\n", b"\r", b"\r\n", b"\n\n", b"x", b"\xc3", b"\xa9", b"\xef\xbb\xbf"]
)


@given(pieces=st.lists(PIECES, max_size=30), cuts=st.lists(st.integers(0, 60), max_size=6))
def test_any_stream_is_read_as_the_standard_says(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(pieces)
    places = [0, *sorted(cuts), len(stream)]
    assert parse(*(stream[start:end] for start, end in pairwise(places))) == simple(stream)


@pytest.mark.parametrize("line", [b"x" * 100, b"data: " + b"x" * 100, b"data: x\n" * 40])
def test_an_event_over_the_limit_is_refused(line: bytes) -> None:
    parser = SseParser(max_event_bytes=64)

    def feed_all() -> None:
        for at in range(0, len(line), 7):
            parser.feed(line[at : at + 7])

    with pytest.raises(BadAnswer, match="more than 64 bytes"):
        feed_all()


def test_events_within_the_limit_are_taken_without_end() -> None:
    parser = SseParser(max_event_bytes=64)
    assert sum(len(parser.feed(b"data: 123456789\n\ndata: 1\n\n")) for _ in range(1000)) == 2000


def test_a_line_is_a_sign_of_life_and_a_byte_is_not() -> None:
    parser = SseParser()
    parser.feed(b":")
    assert not parser.took_line
    parser.feed(b" still here\n")
    assert parser.took_line
