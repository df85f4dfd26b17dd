"""The two wire formats: what is written of messages, and what is read of responses however a server sends them."""

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.messages import (
    AssistantTurn,
    CallResult,
    Image,
    Message,
    ProviderItems,
    ToolCall,
    ToolSchema,
    UserText,
)
from py_agent.core.trees import BlobRef
from py_agent.core.usage import Usage
from py_agent.errors import BadAnswer, ModelRefused, ModelUnavailable
from py_agent.providers.chat import ChatWire, chat_messages
from py_agent.providers.model import CallMade, Done, ModelPart, ModelRequest, ReasoningDelta, TextDelta
from py_agent.providers.responses import ResponsesWire, input_items
from py_agent.providers.wire import Wire

PICTURE = Image(mime_type="image/png", blob=BlobRef(sha256="0" * 64, size_bytes=3), data=b"png")
CALL = ToolCall(call_id="c1", name="Read", input={"file_path": "a"})
MESSAGES: list[Message] = [
    UserText(text="look", images=(PICTURE,)),
    AssistantTurn(text="I look.", calls=(CALL, ToolCall(call_id="c2", name="List", input={"_raw": "{bad"}))),
    CallResult(call_id="c1", output={"content": "\u00e9"}),
    CallResult(call_id="c2", output={"error_type": "BadArguments", "error_message": "no object"}, is_error=True),
    AssistantTurn(text="Done."),
]
TOOL = ToolSchema(name="Read", description="Read a file.", parameters={"type": "object", "properties": {}})
WIRES: list[Wire] = [ResponsesWire(), ChatWire()]


def request(*messages: Message) -> ModelRequest:
    return ModelRequest("m", "Be brief.", list(messages), (TOOL,))


def read(wire: Wire, *events: dict[str, Any] | str, is_said: bool = False) -> list[ModelPart]:
    reader = wire.reader(request())
    parts: list[ModelPart] = []
    for event in events:
        parts += reader.end(is_said=True) if event == "[DONE]" else reader.take(event)  # type: ignore[arg-type]
        if parts and isinstance(parts[-1], Done):
            return parts
    return [*parts, *reader.end(is_said=is_said)]


def calls_of(parts: Iterable[ModelPart]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(part.call.call_id, part.call.name, part.call.input) for part in parts if isinstance(part, CallMade)]


def test_messages_become_responses_input() -> None:
    assert [item for message in MESSAGES for item in input_items(message)] == [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "look"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,cG5n"},
            ],
        },
        {"role": "assistant", "content": "I look."},
        {"type": "function_call", "call_id": "c1", "name": "Read", "arguments": '{"file_path":"a"}'},
        {"type": "function_call", "call_id": "c2", "name": "List", "arguments": '{"_raw":"{bad"}'},
        {"type": "function_call_output", "call_id": "c1", "output": '{"content":"\u00e9"}'},
        {
            "type": "function_call_output",
            "call_id": "c2",
            "output": '{"error_type":"BadArguments","error_message":"no object"}',
        },
        {"role": "assistant", "content": "Done."},
    ]


def test_messages_become_chat_messages() -> None:
    messages = [item for message in MESSAGES for item in chat_messages(message)]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "assistant"]
    assert messages[0]["content"][1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}
    assert messages[1]["content"] == "I look."
    assert [call["id"] for call in messages[1]["tool_calls"]] == ["c1", "c2"]
    assert messages[3]["tool_call_id"] == "c2"
    assert "no object" in messages[3]["content"]


@pytest.mark.parametrize("wire", WIRES)
def test_a_body_is_whole_json_and_what_was_sent_before_stays_as_it_was(wire: Wire) -> None:
    growing: list[Message] = []
    asked = ModelRequest("m", "Be brief.", growing, (TOOL,))
    bodies = []
    for message in MESSAGES:
        growing.append(message)
        bodies.append(wire.body(asked, stream=True))
        assert json.loads(bodies[-1]) == json.loads(wire.body(request(*growing), stream=True))
    for earlier, later in pairwise(bodies):
        assert later.startswith(earlier.removesuffix(b"]}"))


@pytest.mark.parametrize("wire", WIRES)
def test_a_message_is_encoded_once(wire: Wire) -> None:
    messages: list[Message] = [UserText(text="hi")]
    asked = ModelRequest("m", "", messages)
    wire.body(asked, stream=True)
    messages[0] = UserText(text="changed")
    assert b"changed" not in wire.body(asked, stream=True)


def test_reasoning_goes_back_as_it_came() -> None:
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xyz"}
    message = {"type": "message", "id": "m1", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]}
    done = read(ResponsesWire(), completed(reasoning, message))[-1]
    assert isinstance(done, Done)
    assert done.provider_items is not None
    turn = AssistantTurn(text="Hi", provider_items=done.provider_items)
    assert list(input_items(turn)) == [reasoning, message]
    assert list(chat_messages(turn)) == [{"role": "assistant", "content": "Hi"}]


def test_a_server_that_keeps_responses_is_sent_what_is_new() -> None:
    kept = ProviderItems(format="responses", items=({"type": "message"},), response_id="resp_1")
    asked = request(UserText(text="a"), AssistantTurn(text="b", provider_items=kept), UserText(text="c"))
    body = json.loads(ResponsesWire(store=True).body(asked, stream=True))
    assert (body["previous_response_id"], body["store"]) == ("resp_1", True)
    assert body["input"] == [{"role": "user", "content": "c"}]
    stateless = json.loads(ResponsesWire().body(asked, stream=True))
    assert "previous_response_id" not in stateless
    assert stateless["include"] == ["reasoning.encrypted_content"]
    assert len(stateless["input"]) == 3


def completed(*output: dict[str, Any], **fields: Any) -> dict[str, Any]:
    response = {"id": "resp_1", "status": "completed", "output": list(output), **fields}
    return {"type": f"response.{response['status']}", "response": response}


def test_a_responses_stream_is_read() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "Read", "arguments": '{"file_path": "a"}'}
    parts = read(
        ResponsesWire(),
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.reasoning_summary_text.delta", "delta": "Hm."},
        {"type": "response.output_text.delta", "delta": "Good "},
        {"type": "response.some_later_event", "delta": 4},
        {"type": "response.output_text.delta", "delta": "day"},
        {"type": "response.output_item.done", "output_index": 1, "item": call},
        completed(
            {"type": "message", "content": [{"type": "output_text", "text": "Good day"}]},
            call,
            usage={
                "input_tokens": 10,
                "output_tokens": 5,
                "input_tokens_details": {"cached_tokens": 4},
                "output_tokens_details": {"reasoning_tokens": 2},
            },
        ),
    )
    assert parts[:3] == [ReasoningDelta("Hm."), TextDelta("Good "), TextDelta("day")]
    assert calls_of(parts) == [("c1", "Read", {"file_path": "a"})]
    done = parts[-1]
    assert isinstance(done, Done)
    assert done.usage == Usage(input=10, output=5, reasoning=2, cache_read=4)
    assert done.response_id == "resp_1"
    assert [item["type"] for item in done.provider_items.items] == ["message", "function_call"]  # type: ignore[union-attr]


def test_a_server_that_sends_only_the_end_is_read_as_well() -> None:
    message = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    parts = read(ResponsesWire(), completed(message))
    assert parts[0] == TextDelta("No.")
    assert isinstance(parts[-1], Done)


def test_a_responses_stream_without_its_end_is_not_whole() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "Read", "arguments": "{}"}
    assert read(ResponsesWire(), {"type": "response.output_item.done", "output_index": 0, "item": call}) == []
    assert read(ResponsesWire(), {"type": "response.output_text.delta", "delta": "a"}, "[DONE]") == [TextDelta("a")]


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ({"type": "error", "code": "server_error", "message": "oops"}, ModelUnavailable),
        ({"type": "error", "error": {"code": "rate_limit_exceeded", "message": "oops"}}, ModelUnavailable),
        (completed(status="failed", error={"code": "invalid_prompt", "message": "oops"}), ModelRefused),
        (completed(status="failed", error={"code": "server_error", "message": "oops"}), ModelUnavailable),
        (completed(status="cancelled"), ModelRefused),
        ({"error": "oops"}, ModelRefused),
    ],
)
def test_an_error_inside_a_responses_stream_is_raised(event: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        read(ResponsesWire(), event)


def test_an_incomplete_response_keeps_its_text_and_none_of_its_calls() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "Read", "arguments": '{"file'}
    end = completed(call, status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    parts = read(ResponsesWire(), {"type": "response.output_text.delta", "delta": "a"}, end)
    assert parts == [TextDelta("a"), Done(response_id="resp_1", cut_off="max_output_tokens")]


def chunk(finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def part(arguments: object = None, **fields: Any) -> dict[str, Any]:
    function = {"name": fields.pop("name", None), "arguments": arguments}
    return {**fields, "function": {key: value for key, value in function.items() if value is not None}}


def test_a_chat_stream_is_read() -> None:
    parts = read(
        ChatWire(),
        chunk(role="assistant", content=""),
        chunk(reasoning_content="Hm."),
        chunk(content="Good "),
        chunk(content="day"),
        chunk("stop"),
        {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
        "[DONE]",
    )
    assert parts[:3] == [ReasoningDelta("Hm."), TextDelta("Good "), TextDelta("day")]
    assert isinstance(parts[-1], Done)
    assert parts[-1].usage == Usage(input=7, output=3)


A = ("a", "Read", {"n": 1})
B = ("b", "List", {"n": 2})


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param(
            [
                [part("", index=0, id="a", name="Read"), part("", index=1, id="b", name="List")],
                [part('{"n"', index=0)],
                [part('{"n":', index=1)],
                [part(": 1}", index=0), part(" 2}", index=1)],
            ],
            [A, B],
            id="interleaved by index",
        ),
        pytest.param(
            [[part('{"n": 1}', index=0, id="a", name="Read")], [part('{"n": 2}', index=0, id="b", name="List")]],
            [A, B],
            id="every call numbered 0",
        ),
        pytest.param(
            [[part('{"n": 1}', id="a", name="Read"), part('{"n": 2}', id="b", name="List")]],
            [A, B],
            id="whole calls without an index",
        ),
        pytest.param(
            [[part('{"n"', id="a", name="Read")], [part(": 1}")], [part('{"n": 2}', id="b", name="List")]],
            [A, B],
            id="no index, the id only at first",
        ),
        pytest.param(
            [[part('{"n"', index=0, id="a", name="Read")], [part(": 1}", index=0, id="a", name="Read")]],
            [A],
            id="id and name repeated",
        ),
        pytest.param(
            [[part('{"n": 1}', index=0, id="a", name="Read")], [part('{"n": 2}', index=1, id="a", name="List")]],
            [A, ("a_2", "List", {"n": 2})],
            id="one id for two calls",
        ),
        pytest.param(
            [[part('{"n": 1}', index=0, name="Read")], [part('{"n": 2}', index=0, name="List")]],
            [("call_0_0", "Read", {"n": 1}), ("call_0_1", "List", {"n": 2})],
            id="no ids, every call numbered 0",
        ),
        pytest.param([[part({"n": 1}, index=0, id="a", name="Read")]], [A], id="arguments as an object"),
        pytest.param([[part(None, index=0, id="a", name="Read")]], [("a", "Read", {})], id="no arguments"),
        pytest.param(
            [[part('{"n"', index=0, id="a", name="Read")]], [("a", "Read", {"_raw": '{"n"'})], id="arguments cut short"
        ),
    ],
)
def test_chat_call_deltas_are_put_together(deltas: list[Any], calls: list[Any]) -> None:
    events = [chunk(tool_calls=delta) for delta in deltas]
    assert calls_of(read(ChatWire(), *events, chunk("tool_calls"))) == calls


def test_a_call_without_a_name_is_refused() -> None:
    with pytest.raises(BadAnswer, match="without a name"):
        read(ChatWire(), chunk("tool_calls", tool_calls=[part("{}", index=0, id="a", name="")]))


def test_what_comes_after_the_end_of_a_chat_is_ignored() -> None:
    parts = read(ChatWire(), chunk("stop", content="a"), chunk("length", content="b"), "[DONE]", chunk(content="c"))
    assert [part for part in parts if isinstance(part, TextDelta)] == [TextDelta("a")]
    assert isinstance(parts[-1], Done)
    assert parts[-1].cut_off is None


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_chat_that_was_cut_off_makes_no_call(reason: str) -> None:
    parts = read(ChatWire(), chunk(reason, content="a", tool_calls=[part('{"n', index=0, id="a", name="Read")]))
    assert parts == [TextDelta("a"), Done(cut_off=reason)]


def test_a_chat_without_a_reason_to_end_is_whole_only_if_it_said_so() -> None:
    assert not any(isinstance(part, Done) for part in read(ChatWire(), chunk(content="a")))
    assert isinstance(read(ChatWire(), chunk(content="a"), "[DONE]")[-1], Done)
    assert read(ChatWire(), "[DONE]") == []


def test_what_a_server_wants_back_with_a_call_goes_back() -> None:
    call = {**part("{}", index=0, id="a", name="Read"), "extra_content": {"signature": "s"}}
    done = read(ChatWire(), chunk(reasoning_content="Hm."), chunk("tool_calls", tool_calls=[call]))[-1]
    assert isinstance(done, Done)
    turn = AssistantTurn(text="", calls=(ToolCall(call_id="a", name="Read"),), provider_items=done.provider_items)
    (message,) = chat_messages(turn)
    assert message["reasoning_content"] == "Hm."
    assert message["tool_calls"][0]["extra_content"] == {"signature": "s"}
    assert [item["type"] for item in input_items(turn)] == ["function_call"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "delta",
                    "item",
                    "response",
                    "output",
                    "content",
                    "status",
                    "error",
                    "usage",
                    "choices",
                    "message",
                    "tool_calls",
                    "function",
                    "name",
                    "id",
                    "index",
                    "arguments",
                    "finish_reason",
                    "output_index",
                    "call_id",
                    "text",
                    "code",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(events=st.lists(st.dictionaries(st.sampled_from(["item", "response", "delta", "choices", "usage"]), JSON)))
@pytest.mark.parametrize("wire", WIRES)
def test_no_json_makes_a_reader_fail_but_in_words(wire: Wire, events: list[dict[str, Any]]) -> None:
    for kind in ("response.output_text.delta", "response.output_item.done", "response.completed"):
        try:
            read(wire, *[{"type": kind, **event} for event in events], is_said=True)
        except (BadAnswer, ModelRefused, ModelUnavailable):
            continue
