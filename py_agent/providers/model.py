"""What a model is: asked with a request, it answers with a stream of parts."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from py_agent.core.messages import Message, ProviderItems, ToolCall, ToolSchema
from py_agent.core.usage import Usage
from py_agent.providers.encoding import Encoded


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """`messages` is one list that only grows from request to request of a session.

    `encoded` goes along with that list: what a wire format has made of it before, so that it makes it once."""

    model: str
    instructions: str
    messages: Sequence[Message]
    tools: Sequence[ToolSchema] = ()
    encoded: dict[str, Encoded] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextDelta:
    delta: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    delta: str


@dataclass(frozen=True, slots=True)
class CallMade:
    """A whole call; a partial one is never given out."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Done:
    """The last part of a response. A stream that ends without it was lost.

    `cut_off` says why the model could not finish; of its calls none counts then."""

    usage: Usage = field(default_factory=Usage)
    response_id: str | None = None
    provider_items: ProviderItems | None = None
    cut_off: str | None = None


@dataclass(frozen=True, slots=True)
class Retried:
    """The request failed and is sent again after a delay: all parts before this one count for nothing."""

    attempt: int
    reason: str
    delay_seconds: float


ModelPart = TextDelta | ReasoningDelta | CallMade | Done | Retried


class Model(Protocol):
    @property
    def name(self) -> str:
        """The model's name, as the person chose it."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer part by part. Closing the iterator ends the request; ModelError if there is no answer."""


@dataclass(slots=True)
class ModelOutput:
    """A response put together from its parts."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    done: Done | None = None

    @property
    def text(self) -> str:
        return "".join(self.texts)


async def complete(model: Model, request: ModelRequest) -> ModelOutput:
    """The whole response at once."""
    output = ModelOutput()
    async for part in model.stream(request):
        match part:
            case TextDelta(delta):
                output.texts.append(delta)
            case CallMade(call):
                output.calls.append(call)
            case Done():
                output.done = part
            case Retried():
                output = ModelOutput()
    return output
