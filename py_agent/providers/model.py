"""What a model is: asked with a request, it answers with a stream of parts."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from py_agent.core.messages import Message, ProviderItems, ToolCall, ToolSchema
from py_agent.core.usage import Usage


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """`messages` is one list that only grows from request to request of a session."""

    model: str
    instructions: str
    messages: Sequence[Message]
    tools: Sequence[ToolSchema] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    delta: str


@dataclass(frozen=True, slots=True)
class CallMade:
    """A whole call; a partial one is never given out."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Done:
    """The last part of a whole response. A stream that ends without it was cut off."""

    usage: Usage = field(default_factory=Usage)
    response_id: str | None = None
    provider_items: ProviderItems | None = None


ModelPart = TextDelta | CallMade | Done


class Model(Protocol):
    @property
    def name(self) -> str:
        """The model's name, as the person chose it."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer part by part. Closing the iterator ends the request; ModelError if there is no answer."""


@dataclass(slots=True)
class ModelOutput:
    """A response put together from its parts."""

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    done: Done | None = None


async def complete(model: Model, request: ModelRequest) -> ModelOutput:
    """The whole response at once."""
    output = ModelOutput()
    async for part in model.stream(request):
        match part:
            case TextDelta(delta):
                output.text += delta
            case CallMade(call):
                output.calls.append(call)
            case Done():
                output.done = part
    return output
