"""How chat servers word the deltas of tool calls: as OpenAI does, and as others do."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.model_server.chat import call_chunk, chunk
from tests.model_server.events import DONE
from tests.model_server.steps import Call, Reply

CALLS = (Call("Read", '{"file_path":"a.txt"}', "call_a"), Call("List", '{"path":"."}', "call_b"))
READ, LIST = CALLS

Deltas = Iterator[list[dict[str, Any]]]
Variant = Callable[[Reply], Iterator[bytes]]


def _function(name: str | None = None, arguments: Any = None) -> dict[str, Any]:
    given = {"name": name, "arguments": arguments}
    return {"function": {key: value for key, value in given.items() if value is not None}}


def _whole(call: Call, index: int | None, **changes: Any) -> dict[str, Any]:
    place = {} if index is None else {"index": index}
    return place | {"id": call.call_id, "type": "function"} | _function(call.name, call.arguments) | changes


def _interleaved() -> Deltas:
    """The pieces of two calls in turn, told apart by their index."""
    for index, call in enumerate(CALLS):
        yield [_whole(call, index, **_function(call.name, ""))]
    for at in range(0, 24, 4):
        for index, call in enumerate(CALLS):
            if piece := call.arguments[at : at + 4]:
                yield [{"index": index, **_function(arguments=piece)}]


def _id_first() -> Deltas:
    """Id and name in a call's first delta alone, one call after the other, as OpenAI sends them."""
    for index, call in enumerate(CALLS):
        yield [_whole(call, index, **_function(call.name, ""))]
        for at in range(0, len(call.arguments), 6):
            yield [{"index": index, **_function(arguments=call.arguments[at : at + 6])}]


def _repeated() -> Deltas:
    """Id and name in every delta."""
    for index, call in enumerate(CALLS):
        for at in range(0, len(call.arguments), 6):
            yield [_whole(call, index, **_function(call.name, call.arguments[at : at + 6]))]


def _no_index() -> Deltas:
    """Pieces that belong to the call that began last."""
    for call in CALLS:
        yield [_whole(call, None, **_function(call.name, ""))]
        yield [_function(arguments=call.arguments[:5])]
        yield [_function(arguments=call.arguments[5:])]


def _same_id() -> Deltas:
    yield from ([_whole(call, index, id="call_a")] for index, call in enumerate(CALLS))


def _index_zero() -> Deltas:
    """Whole calls, all with index 0, as Ollama sends them."""
    yield from ([_whole(call, 0)] for call in CALLS)


def _one_chunk() -> Deltas:
    yield [_whole(call, index) for index, call in enumerate(CALLS)]


def _empty_name() -> Deltas:
    yield [_whole(READ, 0, **_function("", READ.arguments))]


def _object_arguments() -> Deltas:
    yield [_whole(READ, 0, **_function(READ.name, {"file_path": "a.txt"}))]


def _no_id() -> Deltas:
    yield from ([_whole(call, index, id=None)] for index, call in enumerate(CALLS))


def _name_in_pieces() -> Deltas:
    yield [_whole(READ, 0, **_function("Re", ""))]
    yield [{"index": 0, **_function("ad", READ.arguments)}]


def _cut_arguments() -> Deltas:
    """A call that is said to be finished while its arguments are not JSON."""
    yield [_whole(READ, 0, **_function(READ.name, READ.arguments[:-3]))]


def _variant(deltas: Callable[[], Deltas]) -> Variant:
    def chunks(reply: Reply) -> Iterator[bytes]:
        yield chunk(reply, {"role": "assistant", "content": None})
        for calls in deltas():
            yield call_chunk(reply, *calls)
        yield chunk(reply, {}, "tool_calls")
        yield DONE

    return chunks


VARIANTS: dict[str, Variant] = {
    name: _variant(deltas)
    for name, deltas in {
        "id-first": _id_first,
        "interleaved": _interleaved,
        "repeated": _repeated,
        "no-index": _no_index,
        "same-id": _same_id,
        "index-zero": _index_zero,
        "one-chunk": _one_chunk,
        "empty-name": _empty_name,
        "object-arguments": _object_arguments,
        "no-id": _no_id,
        "name-in-pieces": _name_in_pieces,
        "cut-arguments": _cut_arguments,
    }.items()
}
