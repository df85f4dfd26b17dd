"""The conversation as a model is sent it, free of any wire format.

Messages are made from events, which are checked, and a long session holds very many of them: so they are plain
classes with slots, which take a fraction of a pydantic model's memory.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from py_agent.core.trees import BlobRef


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model made it; `call_id` is the provider's own and goes back unchanged."""

    call_id: str
    name: str
    input: dict[str, Any] = field(default_factory=dict)
    input_blob: BlobRef | None = None


class ProviderItems(BaseModel):
    """A response's output items, verbatim and in order, tagged by wire format.

    `response_id` is there if the server keeps the response and can be asked to go on from it."""

    model_config = ConfigDict(frozen=True)

    format: str
    items: tuple[dict[str, Any], ...] = ()
    items_blob: BlobRef | None = None
    response_id: str | None = None


class Image(BaseModel):
    """A picture, kept as a blob; `data` is there once it was read back."""

    model_config = ConfigDict(frozen=True)

    mime_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    blob: BlobRef
    data: bytes | None = Field(default=None, exclude=True, repr=False)


@dataclass(frozen=True, slots=True)
class UserText:
    """The person's words, and pictures beside them."""

    role: ClassVar[Literal["user"]] = "user"
    text: str
    text_blob: BlobRef | None = None
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """One response: its text and its calls."""

    role: ClassVar[Literal["assistant"]] = "assistant"
    text: str
    text_blob: BlobRef | None = None
    calls: tuple[ToolCall, ...] = ()
    provider_items: ProviderItems | None = None


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call gave. A failed one says why in `output` as well."""

    role: ClassVar[Literal["tool"]] = "tool"
    call_id: str
    output: Any = None
    output_blob: BlobRef | None = None
    is_error: bool = False


Message = UserText | AssistantTurn | CallResult


class ToolSchema(BaseModel):
    """A tool as the model is told of it; `parameters` is a JSON schema."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any]
