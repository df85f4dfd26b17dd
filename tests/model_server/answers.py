"""What a scenario is asked, what it answers, and the answer of a server that works."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from tests.model_server.chat import completion_chunks, whole_completion
from tests.model_server.events import CREATED, dump
from tests.model_server.records import Record
from tests.model_server.responses import response_events, whole_response
from tests.model_server.steps import Reply, Step, Wait

CHAT = "chat/completions"
RESPONSES = "responses"
JSON = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream; charset=utf-8"}
_STREAM = re.compile(rb'"stream"\s*:\s*true\b')


@dataclass(frozen=True, slots=True)
class Answer:
    """Without a `length` the body goes out in HTTP chunks, one for each of its bytes objects.

    Status 0 sends no head and no framing, only the body. Endings: `leave` closes the connection after the whole
    body, `close` and `reset` cut it, `hang` leaves it open and says nothing more."""

    body: Iterable[bytes | Wait] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    ending: Literal["whole", "leave", "close", "reset", "hang"] = "whole"


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to `{prefix}/v1/{endpoint}`; `earlier` tells how many came to the same before it."""

    record: Record
    prefix: str
    endpoint: str
    earlier: int
    scripts: Mapping[str, Sequence[Step]]

    @property
    def scenario(self) -> tuple[str, list[str]]:
        name, *parameters = [unquote(part) for part in self.prefix.strip("/").split("/")]
        return name, parameters

    @property
    def is_streamed(self) -> bool:
        """Found without parsing: within a JSON text the quotes would be escaped."""
        return bool(_STREAM.search(self.record.body))

    @property
    def results(self) -> int:
        """How many results of calls the request carries, found in the same way."""
        key = b'"tool_call_id"' if self.endpoint == CHAT else b'"function_call_output"'
        return self.record.body.count(key)

    @property
    def reply(self) -> Reply:
        given = self.record.json
        options = given.get("stream_options") or {}
        return Reply(given.get("model", "test-model"), self.turn, options.get("include_usage", False))

    @property
    def turn(self) -> int:
        """How many responses the conversation holds: each is a row of items that the model made."""
        given = self.record.json
        items = given.get("messages") if self.endpoint == CHAT else given.get("input")
        made = [_is_made_by_model(item) for item in items] if isinstance(items, list) else []
        return sum(now and not before for before, now in zip([False, *made], made, strict=False))

    @property
    def last_text(self) -> str:
        given = self.record.json
        items = given.get("messages") or given.get("input") or ""
        if isinstance(items, str):
            return items
        texts = [_text_of(item.get("content")) for item in items if item.get("role") == "user"]
        return texts[-1] if texts else ""


def _is_made_by_model(item: Mapping[str, Any]) -> bool:
    return item.get("role") == "assistant" or item.get("type") in {"function_call", "reasoning"}


def _text_of(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return str(content or "")


def split_target(target: str) -> tuple[str, str]:
    """The prefix and the endpoint; what is asked through a proxy is a whole URL."""
    prefix, _, endpoint = urlsplit(target).path.partition("/v1/")
    return prefix, endpoint


def plain(ask: Ask, step: Step) -> Answer:
    """What a server that works says."""
    match ask.endpoint:
        case "responses" | "chat/completions":
            return spoken(ask.endpoint, step, ask.reply, is_streamed=ask.is_streamed)
        case "models":
            model = {"id": "test-model", "object": "model", "created": CREATED, "owned_by": "tests"}
            return json_answer({"object": "list", "data": [model]})
        case "":
            return text_answer("A model server for tests.\n")
    return error_answer(404, f"There is no {ask.endpoint[:40]} here.")


def spoken(endpoint: str, step: Step, reply: Reply, *, is_streamed: bool) -> Answer:
    if is_streamed:
        events = completion_chunks if endpoint == CHAT else response_events
        return Answer(events(step, reply), headers=EVENTS)
    whole = whole_completion if endpoint == CHAT else whole_response
    return json_answer(whole(step, reply))


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    body = dump(value)
    return Answer((body,), status, {**JSON, **(headers or {})}, len(body))


def text_answer(text: str, kind: str = "text/plain") -> Answer:
    body = text.encode()
    return Answer((body,), headers={"content-type": f"{kind}; charset=utf-8"}, length=len(body))


def error_answer(
    status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """An error as OpenAI words it."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return json_answer({"error": error_of(message, kind, code)}, status, headers)


def error_of(message: str, kind: str = "server_error", code: str | None = None) -> dict[str, Any]:
    return {"message": message, "type": kind, "param": None, "code": code}
