"""What a wire format is: it writes requests and reads responses; and what the formats have in common."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from py_agent.core.messages import Image, ToolCall
from py_agent.core.usage import Usage
from py_agent.errors import BadAnswer, ModelError, ModelRefused, ModelUnavailable
from py_agent.providers.arguments import parse_arguments
from py_agent.providers.encoding import encode_text
from py_agent.providers.model import ModelPart, ModelRequest

JsonObject = Mapping[str, Any]
_PASSING = {"server_error", "rate_limit_exceeded", "overloaded", "overloaded_error", "timeout", "vector_store_timeout"}


class Reader(Protocol):
    """Reads one response. What it gives last is `Done`; it takes nothing after that."""

    def take(self, data: JsonObject) -> Iterable[ModelPart]:
        """One event of a stream."""

    def take_whole(self, data: JsonObject) -> Iterable[ModelPart]:
        """A response that came in one piece."""

    def end(self, *, is_said: bool) -> Iterable[ModelPart]:
        """The stream is over, because it said so or because nothing more came; `Done` if the response is whole."""


class Wire(Protocol):
    @property
    def path(self) -> str:
        """Where requests go, below the endpoint's base URL."""

    def body(self, request: ModelRequest, *, stream: bool) -> bytes:
        """The request's JSON."""

    def reader(self, request: ModelRequest) -> Reader:
        """A reader for the response to a request."""


def an_object(value: object) -> JsonObject:
    """A JSON object; anything else that a server sends in its place counts as an empty one."""
    return value if isinstance(value, Mapping) else {}


def objects(value: object) -> list[JsonObject]:
    """The objects of a JSON array; nothing of anything else."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def error_of(data: JsonObject) -> str | JsonObject | None:
    """The error that a JSON body or an event carries in one of the ways that servers have."""
    error = data.get("error")
    if isinstance(error, str | Mapping):
        return error
    if data.get("object") == "error" or data.get("type") == "error":
        return data
    return None


def as_exception(error: str | JsonObject) -> ModelError:
    """An error that came inside a response."""
    if isinstance(error, str):
        return ModelRefused(f"The model's server says: {error}")
    code = error.get("code") or error.get("type") or ""
    message = error.get("message") or encode_text(dict(error))
    is_passing = code in _PASSING or (isinstance(code, int) and (code == 429 or code >= 500))
    return (ModelUnavailable if is_passing else ModelRefused)(f"The model's server says: {message} ({code})")


def make_call(name: object, call_id: object, arguments: object, *, fallback_id: str) -> ToolCall:
    if not isinstance(name, str) or not name:
        raise BadAnswer("The model made a call without a name.")
    given = call_id if isinstance(call_id, str) and call_id else fallback_id
    return ToolCall(call_id=given, name=name, input=parse_arguments(arguments))


def distinct(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """The same calls; one that repeats an id gets another, so that each result finds its call."""
    seen: set[str] = set()
    found: list[ToolCall] = []
    for call in calls:
        call_id, count = call.call_id, 1
        while call_id in seen:
            count += 1
            call_id = f"{call.call_id}_{count}"
        seen.add(call_id)
        found.append(call if call_id == call.call_id else replace(call, call_id=call_id))
    return found


def arguments_text(call: ToolCall) -> str:
    """A call's arguments as they go back: always a JSON object, whatever the model wrote."""
    return encode_text(call.input)


def output_text(output: Any) -> str:
    return output if isinstance(output, str) else encode_text(output)


def data_url(image: Image) -> str:
    return f"data:{image.mime_type};base64,{base64.b64encode(image.data or b'').decode()}"


def count(data: object, *names: str) -> int:
    """A number of tokens somewhere in a usage object; 0 where there is none."""
    for name in names:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data if isinstance(data, int) and data > 0 else 0


def cost(usage: object) -> float:
    """What some servers say that an answer cost."""
    value = usage.get("cost") if isinstance(usage, Mapping) else None
    return float(value) if isinstance(value, int | float) and value > 0 else 0.0


def make_usage(usage: object, *, given: str, made: str) -> Usage:
    """Usage by the names that a format has for tokens given to the model and made by it."""
    return Usage(
        input=count(usage, f"{given}_tokens"),
        output=count(usage, f"{made}_tokens"),
        reasoning=count(usage, f"{made}_tokens_details", "reasoning_tokens"),
        cache_read=count(usage, f"{given}_tokens_details", "cached_tokens"),
        cache_write=count(usage, f"{given}_tokens_details", "cache_write_tokens"),
        cost_usd=cost(usage),
    )
