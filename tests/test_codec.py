"""The codec: one event, one line, and a checksum that finds every damage."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.events import ToolResult, UnknownEvent, UserMessage, dump_event, parse_event
from py_agent.log.codec import decode_line, encode_line, find_fault, seal, strip_sum

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(text=st.text())
def test_an_event_comes_back_as_it_was(text: str) -> None:
    event = UserMessage(seq=7, ts=1.5, session_id="0" * 32, text=text)
    line = encode_line(event)
    assert line.endswith(b"\n")
    assert b"\n" not in line[:-1]
    assert find_fault(line[:-1], 7) is None
    assert decode_line(line[:-1]) == event


@given(output=JSON)
def test_any_json_survives_as_a_tools_output(output: object) -> None:
    event = ToolResult(seq=1, tool_use_id="a" * 32, output=output)
    assert decode_line(encode_line(event)[:-1]).model_dump()["output"] == output


def test_the_sum_is_the_last_key_and_covers_the_bytes_before_it() -> None:
    line = encode_line(UserMessage(seq=1, text="hi"))
    body, _, tail = line.rpartition(b',"sum":')
    assert json.loads(line)["sum"] == f"{zlib.crc32(body):08x}"
    assert tail == b'"%08x"}\n' % zlib.crc32(body)


@given(data=st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    line = encode_line(UserMessage(seq=1, text="hello"))[:-1]
    position = data.draw(st.integers(0, len(line) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != line[position]))
    assert find_fault(line[:position] + bytes([byte]) + line[position + 1 :], 1) is not None


@given(line=st.binary(max_size=200))
def test_garbage_is_found_and_never_raises(line: bytes) -> None:
    assert find_fault(line, 1) is not None


def test_a_line_with_another_number_is_found() -> None:
    assert find_fault(encode_line(UserMessage(seq=2, text="x"))[:-1], 1) == "it is not event number 1"


def test_keys_in_another_order_are_no_damage() -> None:
    line = seal(b'{"type":"user.message","text":"hi","seq":3}')[:-1]
    assert find_fault(line, 3) is None


def test_a_checksum_inside_a_text_is_not_taken_for_the_lines_own() -> None:
    line = b'{"type":"user.message","text":",\\"sum\\":\\"00000000\\"}","seq":3}'
    assert strip_sum(line) == line


def test_unknown_types_and_fields_are_kept() -> None:
    known = parse_event('{"type":"user.message","text":"a","new_field":[1]}')
    assert json.loads(dump_event(known))["new_field"] == [1]
    unknown = parse_event('{"type":"later.thing","seq":4,"x":{"y":1}}')
    assert isinstance(unknown, UnknownEvent)
    assert json.loads(dump_event(unknown)) == {"type": "later.thing", "seq": 4, "x": {"y": 1}}


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"type":1}', '{"type":"user.message"}', "{" * 10_000])
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_event(text)
