"""OpenAI's Responses format: requests without state on the server, streamed and whole responses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from py_agent.core.messages import AssistantTurn, CallResult, Message, ProviderItems, ToolCall, ToolSchema, UserText
from py_agent.errors import ModelRefused
from py_agent.providers.encoding import Encoded, Item, join_body
from py_agent.providers.model import CallMade, Done, ModelPart, ModelRequest, ReasoningDelta, TextDelta
from py_agent.providers.wire import (
    JsonObject,
    an_object,
    arguments_text,
    as_exception,
    data_url,
    distinct,
    error_of,
    make_call,
    make_usage,
    objects,
    output_text,
)

FORMAT = "responses"
_TEXT = {"response.output_text.delta", "response.refusal.delta"}
_REASONING = {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}
_ENDS = {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}


@dataclass(frozen=True, slots=True)
class ResponsesWire:
    """`store`: the server keeps the responses, and a request goes on from the last one it kept."""

    store: bool = False
    path: str = "/responses"

    def body(self, request: ModelRequest, *, stream: bool) -> bytes:
        fields: Item = {"model": request.model, "stream": stream, "store": self.store}
        if request.instructions:
            fields["instructions"] = request.instructions
        if request.tools:
            fields["tools"] = [tool_item(tool) for tool in request.tools]
        if self.store and (kept := _last_kept(request.messages)):
            position, fields["previous_response_id"] = kept
            return join_body(fields, "input", Encoded().extend(request.messages[position + 1 :], input_items))
        fields["include"] = ["reasoning.encrypted_content"]
        encoded = request.encoded.setdefault(FORMAT, Encoded())
        return join_body(fields, "input", encoded.extend(request.messages, input_items))

    def reader(self, request: ModelRequest) -> "ResponsesReader":
        return ResponsesReader(id_prefix=f"call_{len(request.messages)}", is_kept=self.store)


def _last_kept(messages: Sequence[Message]) -> tuple[int, str] | None:
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, AssistantTurn):
            items = message.provider_items
            return (position, items.response_id) if items and items.response_id else None
    return None


def tool_item(tool: ToolSchema) -> Item:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,
    }


def input_items(message: Message) -> Iterable[Item]:
    """A message as the items of `input`; what came in this format goes back as it came."""
    match message:
        case UserText(images=()):
            return [{"role": "user", "content": message.text}]
        case UserText():
            pictures = [{"type": "input_image", "detail": "auto", "image_url": data_url(i)} for i in message.images]
            return [{"role": "user", "content": [{"type": "input_text", "text": message.text}, *pictures]}]
        case CallResult():
            output = output_text(message.output)
            return [{"type": "function_call_output", "call_id": message.call_id, "output": output}]
        case AssistantTurn(provider_items=ProviderItems(format="responses") as kept):
            return kept.items
        case AssistantTurn():
            text = [{"role": "assistant", "content": message.text}] if message.text else []
            return [*text, *map(_call_item, message.calls)]


def _call_item(call: ToolCall) -> Item:
    return {
        "type": "function_call",
        "call_id": call.call_id,
        "name": call.name,
        "arguments": arguments_text(call),
    }


@dataclass(slots=True)
class ResponsesReader:
    id_prefix: str
    is_kept: bool
    _items: dict[int, JsonObject] = field(default_factory=dict)
    _has_text: bool = False

    def take(self, data: JsonObject) -> Iterable[ModelPart]:
        kind = data.get("type")
        if kind in _TEXT:
            return self._text(data.get("delta"))
        if kind in _REASONING:
            delta = data.get("delta")
            return [ReasoningDelta(delta)] if isinstance(delta, str) and delta else ()
        if kind == "response.output_item.done":
            self._keep(data.get("output_index"), data.get("item"))
            return ()
        if kind in _ENDS:
            return self.take_whole(an_object(data.get("response")))
        if (error := error_of(data)) is not None:
            raise as_exception(error)
        return ()

    def take_whole(self, data: JsonObject) -> Iterable[ModelPart]:
        status = data.get("status")
        if (error := error_of(data)) is not None:
            raise as_exception(error)
        if status in ("failed", "cancelled"):
            raise ModelRefused(f"The model's server ended the response as {status} and did not say why.")
        for index, item in enumerate(objects(data.get("output"))):
            self._items.setdefault(index, item)
        return self._done(data)

    def end(self, *, is_said: bool) -> Iterable[ModelPart]:
        return ()

    def _text(self, delta: object) -> Iterable[ModelPart]:
        if not isinstance(delta, str) or not delta:
            return ()
        self._has_text = True
        return [TextDelta(delta)]

    def _keep(self, index: object, item: object) -> None:
        if isinstance(item, Mapping):
            self._items[index if isinstance(index, int) else len(self._items)] = item

    def _done(self, data: JsonObject) -> Iterator[ModelPart]:
        items = [self._items[index] for index in sorted(self._items)]
        if not self._has_text:
            yield from self._text("".join(_texts(items)))
        usage = make_usage(data.get("usage"), given="input", made="output")
        response_id = data.get("id") if isinstance(data.get("id"), str) else None
        if data.get("status") == "incomplete":
            reason = str(an_object(data.get("incomplete_details")).get("reason") or "no reason given")
            yield Done(usage=usage, response_id=response_id, cut_off=reason)
            return
        calls = distinct(self._calls(items))
        yield from map(CallMade, calls)
        kept_id = response_id if self.is_kept else None
        kept = ProviderItems(format=FORMAT, items=tuple(_mended(items, calls)), response_id=kept_id)
        yield Done(usage=usage, response_id=response_id, provider_items=kept)

    def _calls(self, items: Iterable[JsonObject]) -> Iterator[ToolCall]:
        for number, item in enumerate(item for item in items if item.get("type") == "function_call"):
            fallback_id = f"{self.id_prefix}_{number}"
            yield make_call(item.get("name"), item.get("call_id"), item.get("arguments"), fallback_id=fallback_id)


def _texts(items: Iterable[JsonObject]) -> Iterator[str]:
    for item in items:
        for part in objects(item.get("content")) if item.get("type") == "message" else ():
            text = part.get("text") or part.get("refusal")
            if isinstance(text, str):
                yield text


def _mended(items: Iterable[JsonObject], calls: Iterable[ToolCall]) -> Iterator[dict[str, Any]]:
    """The items as they came, but for calls that would be refused: without an id of their own, or no JSON."""
    remaining = iter(calls)
    for item in items:
        if item.get("type") != "function_call":
            yield dict(item)
            continue
        call = next(remaining)
        arguments = arguments_text(call) if "_raw" in call.input else item.get("arguments") or "{}"
        yield {**item, "call_id": call.call_id, "arguments": arguments}
