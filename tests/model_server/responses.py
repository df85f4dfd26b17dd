"""The Responses format: a step as one object, or as the events that lead to it."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from tests.model_server.events import CREATED, named_event, pieces
from tests.model_server.steps import Reply, Step, Usage, Wait

Event = Callable[..., bytes]
Item = dict[str, Any]


def whole_response(step: Step, reply: Reply) -> dict[str, Any]:
    """The object of a finished response."""
    response = _response(reply, _status(step), _items(step, reply))
    if response["status"] == "incomplete":
        reason = "max_output_tokens" if step.ending == "length" else step.ending
        response["incomplete_details"] = {"reason": reason}
    return response | {"usage": _usage(step.usage)}


def failed_response(reply: Reply, message: str) -> dict[str, Any]:
    return _response(reply, "failed", []) | {"error": {"code": "server_error", "message": message}}


def response_events(step: Step, reply: Reply) -> Iterator[bytes | Wait]:
    event = event_maker()
    begun = _response(reply, "in_progress", [])
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for index, item in enumerate(_items(step, reply)):
        yield event("response.output_item.added", output_index=index, item=_begun(item))
        yield from _item_events(event, {"item_id": item["id"], "output_index": index}, item, step)
        yield event("response.output_item.done", output_index=index, item=item)
    response = whole_response(step, reply)
    yield event(f"response.{response['status']}", response=response)


def event_maker() -> Event:
    """Numbers the events of one response."""
    numbers = count()

    def event(kind: str, **fields: Any) -> bytes:
        return named_event(kind, {"type": kind, "sequence_number": next(numbers), **fields})

    return event


def _status(step: Step) -> str:
    return "completed" if step.ending == "stop" else "incomplete"


def _response(reply: Reply, status: str, output: list[Item]) -> dict[str, Any]:
    return {
        "id": reply.new_id("resp"),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "metadata": {},
        "model": reply.model,
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "service_tier": "default",
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": None,
    }


def _items(step: Step, reply: Reply) -> list[Item]:
    items = [_reasoning_item(reply.new_id("rs", at), *each) for at, each in enumerate(_thoughts(step))]
    if step.parts or step.refusal:
        items.append(_message_item(step, reply.new_id("msg")))
    for number, call in enumerate(step.calls):
        items.append(
            {
                "id": reply.new_id("fc", number),
                "type": "function_call",
                "status": "completed",
                "arguments": call.arguments,
                "call_id": reply.call_id(call, number),
                "name": call.name,
            }
        )
    return items


def _thoughts(step: Step) -> list[tuple[str, str]]:
    return [(each.summary, each.encrypted_content) for each in step.reasoning]


def _reasoning_item(item_id: str, summary: str, encrypted: str) -> Item:
    texts = [{"type": "summary_text", "text": summary}] if summary else []
    return {"id": item_id, "type": "reasoning", "summary": texts, "encrypted_content": encrypted or None}


def _message_item(step: Step, item_id: str) -> Item:
    content: Item = {"type": "output_text", "annotations": [], "logprobs": [], "text": step.whole_text}
    if step.refusal:
        content = {"type": "refusal", "refusal": step.refusal}
    return {"id": item_id, "type": "message", "status": _status(step), "role": "assistant", "content": [content]}


def _begun(item: Item) -> Item:
    match item["type"]:
        case "reasoning":
            return item | {"summary": [], "encrypted_content": None}
        case "message":
            return item | {"status": "in_progress", "content": []}
        case _:
            return item | {"status": "in_progress", "arguments": ""}


def _item_events(event: Event, where: dict[str, Any], item: Item, step: Step) -> Iterator[bytes | Wait]:
    match item["type"]:
        case "reasoning":
            for index, part in enumerate(item["summary"]):
                yield from _summary_events(event, where | {"summary_index": index}, part)
        case "message":
            yield from _content_events(event, where | {"content_index": 0}, item["content"][0], step)
        case _:
            for piece in pieces(item["arguments"]):
                yield event("response.function_call_arguments.delta", **where, delta=piece)
            yield event("response.function_call_arguments.done", **where, arguments=item["arguments"])


def _summary_events(event: Event, where: dict[str, Any], part: Item) -> Iterator[bytes]:
    yield event("response.reasoning_summary_part.added", **where, part=part | {"text": ""})
    for piece in pieces(part["text"]):
        yield event("response.reasoning_summary_text.delta", **where, delta=piece)
    yield event("response.reasoning_summary_text.done", **where, text=part["text"])
    yield event("response.reasoning_summary_part.done", **where, part=part)


def _content_events(event: Event, where: dict[str, Any], part: Item, step: Step) -> Iterator[bytes | Wait]:
    if part["type"] == "refusal":
        yield event("response.content_part.added", **where, part=part | {"refusal": ""})
        for piece in pieces(part["refusal"]):
            yield event("response.refusal.delta", **where, delta=piece)
        yield event("response.refusal.done", **where, refusal=part["refusal"])
    else:
        yield event("response.content_part.added", **where, part=part | {"text": ""})
        for delta in step.parts:
            if isinstance(delta, str):
                yield event("response.output_text.delta", **where, delta=delta, logprobs=[])
            else:
                yield delta
        yield event("response.output_text.done", **where, text=part["text"], logprobs=[])
    yield event("response.content_part.done", **where, part=part)


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens, "cache_write_tokens": 0},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }
