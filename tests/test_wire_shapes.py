"""The shapes of our requests, held against the types of the official `openai` package."""

import json
from typing import Any

import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter, with_config
from pydantic_core import SchemaValidator

from py_agent.core.messages import AssistantTurn, ProviderItems
from py_agent.providers.chat import ChatWire
from py_agent.providers.responses import ResponsesWire
from py_agent.providers.wire import Wire
from tests.test_wires import MESSAGES, request

REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x", "status": "completed"}
MESSAGE = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c9",
    "name": "Read",
    "arguments": "{}",
    "status": "completed",
}
CAME = AssistantTurn(text="Hi", provider_items=ProviderItems(format="responses", items=(REASONING, MESSAGE, CALL)))


@pytest.mark.parametrize(
    ("wire", "shape"),
    [
        (ResponsesWire(), ResponseCreateParamsStreaming),
        (ResponsesWire(store=True), ResponseCreateParamsStreaming),
        (ChatWire(), CompletionCreateParamsStreaming),
    ],
)
def test_a_request_has_the_official_shape(wire: Wire, shape: type[Any]) -> None:
    body = json.loads(wire.body(request(*MESSAGES, CAME), stream=True))
    SchemaValidator(eager(TypeAdapter(with_config(extra="forbid")(shape)).core_schema)).validate_python(body)


def eager(schema: Any) -> Any:
    """The same schema with lists for its iterables, whose items would only be checked when they are taken out."""
    if isinstance(schema, list):
        return [eager(item) for item in schema]
    if isinstance(schema, tuple):
        return tuple(eager(item) for item in schema)
    if not isinstance(schema, dict):
        return schema
    kind = {"type": "list"} if schema.get("type") == "generator" else {}
    return {key: eager(value) for key, value in schema.items()} | kind
