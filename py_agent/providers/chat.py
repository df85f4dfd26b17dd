"""OpenAI's Chat Completions format, as OpenAI and the many servers that follow it speak it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from py_agent.core.messages import AssistantTurn, CallResult, Message, ProviderItems, ToolCall, ToolSchema, UserText
from py_agent.core.usage import Usage
from py_agent.providers.arguments import parse_arguments
from py_agent.providers.encoding import Encoded, Item, encode_json, encode_text, join_body
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

FORMAT = "chat"
_CUT_OFF = {"length", "max_tokens", "content_filter"}
_REASONING = ("reasoning_content", "reasoning")


@dataclass(frozen=True, slots=True)
class ChatWire:
    path: str = "/chat/completions"

    def body(self, request: ModelRequest, *, stream: bool) -> bytes:
        fields: Item = {"model": request.model, "stream": stream}
        if stream:
            fields["stream_options"] = {"include_usage": True}
        if request.tools:
            fields["tools"] = [tool_item(tool) for tool in request.tools]
        encoded = request.encoded.setdefault(FORMAT, Encoded())
        messages = encoded.extend(request.messages, chat_messages)
        if request.instructions:
            first = encode_json({"role": "system", "content": request.instructions})
            messages = bytearray(b",".join([first, messages]) if messages else first)
        return join_body(fields, "messages", messages)

    def reader(self, request: ModelRequest) -> "ChatReader":
        return ChatReader(id_prefix=f"call_{len(request.messages)}")


def tool_item(tool: ToolSchema) -> Item:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def chat_messages(message: Message) -> Iterable[Item]:
    match message:
        case UserText(images=()):
            return [{"role": "user", "content": message.text}]
        case UserText():
            pictures = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in message.images]
            return [{"role": "user", "content": [{"type": "text", "text": message.text}, *pictures]}]
        case CallResult():
            return [{"role": "tool", "tool_call_id": message.call_id, "content": output_text(message.output)}]
        case AssistantTurn(provider_items=ProviderItems(format="chat") as kept):
            return kept.items
        case AssistantTurn():
            return [_assistant(message.text, list(map(_call_item, message.calls)))]


def _assistant(text: str, calls: list[Item], **more: Any) -> Item:
    item: Item = {"role": "assistant", "content": text if text or not calls else None, **more}
    return {**item, "tool_calls": calls} if calls else item


def _call_item(call: ToolCall) -> Item:
    function = {"name": call.name, "arguments": arguments_text(call)}
    return {"id": call.call_id, "type": "function", "function": function}


@dataclass(slots=True)
class _CallSoFar:
    """A call as its deltas add up; `more` is what a server wants back with it."""

    index: object = None
    call_id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    more: Item = field(default_factory=dict)

    def is_followed_by(self, given_id: str, name: object) -> bool:
        """Whether a delta begins another call: some servers number all of their calls 0."""
        if given_id and self.call_id:
            return given_id != self.call_id
        arguments = "".join(self.arguments)
        return bool(name and self.name and arguments) and "_raw" not in parse_arguments(arguments)

    def add(self, name: object, arguments: object) -> None:
        """A name comes whole, again with every delta, or in pieces before the arguments do."""
        if isinstance(name, str) and name != self.name and not any(self.arguments):
            self.name += name
        if arguments is not None:
            self.arguments.append(arguments if isinstance(arguments, str) else encode_text(arguments))


@dataclass(slots=True)
class ChatReader:
    id_prefix: str
    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _details: list[JsonObject] = field(default_factory=list)
    _calls: list[_CallSoFar] = field(default_factory=list)
    _finish_reason: str = ""
    _usage: Usage = field(default_factory=Usage)
    _response_id: str | None = None

    def take(self, data: JsonObject) -> Iterable[ModelPart]:
        if (error := error_of(data)) is not None:
            raise as_exception(error)
        if isinstance(usage := data.get("usage"), dict):
            self._usage = make_usage(usage, given="prompt", made="completion")
        if isinstance(response_id := data.get("id"), str):
            self._response_id = response_id
        choices = objects(data.get("choices"))
        return self._take_choice(choices[0]) if choices else ()

    def take_whole(self, data: JsonObject) -> Iterable[ModelPart]:
        return [*self.take(data), *self.end(is_said=True)]

    def end(self, *, is_said: bool) -> Iterable[ModelPart]:
        """Most servers say why they stop; of one that only says that it does, an answer with something in it counts."""
        is_whole = self._finish_reason or (is_said and (self._text or self._calls))
        return self._done() if is_whole else ()

    def _take_choice(self, choice: JsonObject) -> Iterator[ModelPart]:
        if self._finish_reason:
            return
        delta = an_object(choice.get("delta") or choice.get("message"))
        for name in _REASONING:
            if isinstance(text := delta.get(name), str) and text:
                self._reasoning.append(text)
                yield ReasoningDelta(text)
                break
        self._details += objects(delta.get("reasoning_details"))
        for name in ("content", "refusal"):
            if isinstance(text := delta.get(name), str) and text:
                self._text.append(text)
                yield TextDelta(text)
        for call in objects(delta.get("tool_calls")):
            self._add_to_call(call)
        self._finish_reason = str(choice.get("finish_reason") or "")

    def _add_to_call(self, delta: JsonObject) -> None:
        function = an_object(delta.get("function"))
        call = self._call_of(delta.get("index"), delta.get("id"), function.get("name"))
        call.add(function.get("name"), function.get("arguments"))
        if "extra_content" in delta:
            call.more["extra_content"] = delta["extra_content"]

    def _call_of(self, index: object, call_id: object, name: object) -> _CallSoFar:
        """The call that a delta belongs to, by its index, else by its id, else the last one."""
        given_id = call_id if isinstance(call_id, str) else ""
        for call in reversed(self._calls):
            is_same = call.index == index if index is not None else given_id == call.call_id or not (given_id or name)
            if is_same and not call.is_followed_by(given_id, name):
                call.call_id = call.call_id or given_id
                return call
        self._calls.append(_CallSoFar(index, given_id))
        return self._calls[-1]

    def _done(self) -> Iterator[ModelPart]:
        if self._finish_reason in _CUT_OFF:
            yield Done(usage=self._usage, response_id=self._response_id, cut_off=self._finish_reason)
            return
        made = [
            make_call(call.name, call.call_id, "".join(call.arguments), fallback_id=f"{self.id_prefix}_{number}")
            for number, call in enumerate(self._calls)
        ]
        calls = distinct(made)
        yield from map(CallMade, calls)
        items = (self._item(calls),) if self._reasoning or self._details or any(c.more for c in self._calls) else ()
        kept = ProviderItems(format=FORMAT, items=items) if items else None
        yield Done(usage=self._usage, response_id=self._response_id, provider_items=kept)

    def _item(self, calls: list[ToolCall]) -> Item:
        """The message with what a server wants to see again: reasoning, where a call follows from it."""
        more: Item = {}
        if self._reasoning and calls:
            more["reasoning_content"] = "".join(self._reasoning)
        if self._details:
            more["reasoning_details"] = [dict(detail) for detail in self._details]
        items = [{**_call_item(call), **so_far.more} for call, so_far in zip(calls, self._calls, strict=True)]
        return _assistant("".join(self._text), items, **more)
