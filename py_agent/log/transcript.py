"""The fold of a log to the messages that a model is sent."""

from collections.abc import Iterable
from typing import Any

from py_agent.core.events import AssistantMessage, Event, ToolResult, ToolUse, UserMessage
from py_agent.core.messages import AssistantTurn, CallResult, Message, ToolCall, UserText


class Transcript:
    """Messages in the order in which they became whole; the list only ever grows.

    A response counts once all of its calls are in the log. One that a crash cut off in mid-write was
    told to nobody: it and its calls are left out, and the model is asked again.
    """

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._response: AssistantMessage | None = None
        self._uses: list[ToolUse] = []
        self._call_ids: dict[str, str] = {}

    def add(self, event: Event) -> None:
        match event:
            case UserMessage():
                self.messages.append(UserText(text=event.text, text_blob=event.text_blob, images=event.images))
            case AssistantMessage():
                self._response, self._uses = event, []
                self._close_if_whole()
            case ToolUse() if self._response is not None and event.call_id in self._response.call_ids:
                self._uses.append(event)
                self._close_if_whole()
            case ToolResult() if event.tool_use_id in self._call_ids:
                self.messages.append(_result(event, self._call_ids.pop(event.tool_use_id)))

    def _close_if_whole(self) -> None:
        response = self._response
        if response is None or len(self._uses) < len(response.call_ids):
            return
        self._call_ids.update({use.tool_use_id: use.call_id for use in self._uses})
        self.messages.append(
            AssistantTurn(
                text=response.text,
                text_blob=response.text_blob,
                calls=tuple(_call(use) for use in self._uses),
                provider_items=response.provider_items,
            )
        )
        self._response = None


def fold_messages(events: Iterable[Event]) -> list[Message]:
    transcript = Transcript()
    for event in events:
        transcript.add(event)
    return transcript.messages


def _call(use: ToolUse) -> ToolCall:
    return ToolCall(call_id=use.call_id, name=use.name, input=use.input, input_blob=use.input_blob)


def _result(event: ToolResult, call_id: str) -> CallResult:
    output: Any = event.output
    if event.is_error:
        output = {"error_type": event.error_type, "error_message": event.error_message}
        if event.output is not None:
            output["output"] = event.output
    return CallResult(call_id=call_id, output=output, output_blob=event.output_blob, is_error=event.is_error)
