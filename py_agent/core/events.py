"""Events: what happened, in the vocabulary of the log. The JSON of an event is its wire and disk format.

A stored event has `seq`, `ts` and `session_id`, and `run_id` and `step` where it belongs to a run.
A streamed one (`assistant.delta`, `assistant.reasoning_delta`) is told to subscribers only and has no `seq`.
"""

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from py_agent.core.changes import Change
from py_agent.core.limits import StopReason
from py_agent.core.messages import Image, ProviderItems
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import BlobRef, TreeEntry
from py_agent.core.usage import Usage

Origin = Literal["person", "tool", "folder"]


class BaseEvent(BaseModel):
    """What every event carries; fields that this version does not know are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)

    seq: int | None = None
    ts: float | None = None
    session_id: str | None = None
    run_id: str | None = None
    step: int | None = None


class SystemInit(BaseEvent):
    """The fixed prefix of every request: `prefix` holds instructions, environment and tool schemas."""

    type: Literal["system.init"] = "system.init"
    sdk_version: str
    cwd: str = ""
    options_summary: dict[str, Any] = Field(default_factory=dict)
    prefix: BlobRef


class UserMessage(BaseEvent):
    type: Literal["user.message"] = "user.message"
    text: str
    text_blob: BlobRef | None = None
    images: tuple[Image, ...] = ()


class AssistantDelta(BaseEvent):
    """A piece of text as it arrives; streamed, never stored."""

    type: Literal["assistant.delta"] = "assistant.delta"
    text_delta: str


class AssistantReasoningDelta(BaseEvent):
    """A piece of what the model lets us see of its reasoning; streamed, never stored."""

    type: Literal["assistant.reasoning_delta"] = "assistant.reasoning_delta"
    text_delta: str


class AssistantMessage(BaseEvent):
    """A finished response. One `tool.use` for each of `call_ids` follows in the same batch.

    `cut_off` says why it ends too early; then its calls, none of them sure to be whole, are left out."""

    type: Literal["assistant.message"] = "assistant.message"
    text: str
    text_blob: BlobRef | None = None
    call_ids: tuple[str, ...] = ()
    provider_items: ProviderItems | None = None
    usage: Usage | None = None
    cut_off: str | None = None


class ModelRetried(BaseEvent):
    """The model is asked again after `delay_seconds`; what was streamed of this step so far counts for nothing."""

    type: Literal["model.retried"] = "model.retried"
    attempt: int
    reason: str
    delay_seconds: float


class ToolUse(BaseEvent):
    type: Literal["tool.use"] = "tool.use"
    tool_use_id: str
    call_id: str
    name: str
    input: dict[str, Any] = Field(default_factory=dict)
    input_blob: BlobRef | None = None


class ToolResult(BaseEvent):
    type: Literal["tool.result"] = "tool.result"
    tool_use_id: str
    output: Any = None
    output_blob: BlobRef | None = None
    is_error: bool = False
    error_type: str | None = None
    error_message: str | None = None


class NetFetch(BaseEvent):
    type: Literal["net.fetch"] = "net.fetch"
    tool_use_id: str
    url: str
    status: int
    bytes: int
    truncated: bool = False
    duration_seconds: float = 0.0


class PermissionQuestion(BaseEvent):
    """Asked of the person; `reason` says why it is asked (a rule, a doubt, a loop)."""

    type: Literal["permission.question"] = "permission.question"
    question_id: str
    tool_use_id: str
    tool_name: str
    prompt: str
    reason: str = ""


class PermissionDecision(BaseEvent):
    """Always stored before a call begins: a decision without a result is a call in doubt."""

    type: Literal["permission.decision"] = "permission.decision"
    tool_use_id: str
    allowed: bool
    rule: str
    question_id: str | None = None
    message: str | None = None
    interrupt: bool = False


class RunResumed(BaseEvent):
    """A run that a crash or an exit cut off goes on."""

    type: Literal["run.resumed"] = "run.resumed"


class Result(BaseEvent):
    """The end of a run."""

    type: Literal["result"] = "result"
    final_text: str
    stop_reason: StopReason
    usage: Usage = Usage()
    error_type: str | None = None
    error_message: str | None = None


class Conflict(BaseModel):
    """A path that was changed on both sides, or that a commit may not touch."""

    model_config = ConfigDict(frozen=True)

    path: WorkspacePath
    reason: str
    folder: TreeEntry | None = None


class Skipped(BaseModel):
    """What an import left out: how many, and some of their paths. `rules` are ignore files too long to be read."""

    model_config = ConfigDict(frozen=True)

    reason: Literal["ignored", "too_large", "too_many", "too_much", "name", "special", "unreadable", "rules"]
    count: int
    examples: tuple[str, ...] = ()


class WorkspaceImport(BaseEvent):
    """What was taken over from the real folder. `settled` paths only become the new base."""

    type: Literal["workspace.import"] = "workspace.import"
    source: str
    changes: tuple[Change, ...] = ()
    changes_blob: BlobRef | None = None
    settled: tuple[Change, ...] = ()
    settled_blob: BlobRef | None = None
    conflicts: tuple[Conflict, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class WorkspaceChanged(BaseEvent):
    """One transaction on the workspace, whole."""

    type: Literal["workspace.changed"] = "workspace.changed"
    origin: Origin
    tool_use_id: str | None = None
    changes: tuple[Change, ...] = ()
    changes_blob: BlobRef | None = None


class WorkspaceDiff(BaseEvent):
    """How the workspace differs from the folder when a run ends."""

    type: Literal["workspace.diff"] = "workspace.diff"
    adds: int
    modifies: int
    deletes: int


class WorkspaceCommit(BaseEvent):
    """What was written to the real folder."""

    type: Literal["workspace.commit"] = "workspace.commit"
    target: str
    changes: tuple[Change, ...] = ()
    changes_blob: BlobRef | None = None
    conflicts: tuple[Conflict, ...] = ()


class SessionRecovered(BaseEvent):
    """A torn last line was cut off when the log was opened; its start is kept here."""

    type: Literal["session.recovered"] = "session.recovered"
    dropped_bytes: int
    dropped_text: str = ""


class SessionRepaired(BaseEvent):
    """This session was salvaged from a damaged one; the lines named there were lost."""

    type: Literal["session.repaired"] = "session.repaired"
    from_session_id: str
    lost_lines: tuple[int, ...] = ()


class UnknownEvent(BaseEvent):
    """An event of a later version: kept and passed on as it is."""

    type: str


_Known = (
    SystemInit
    | UserMessage
    | AssistantDelta
    | AssistantReasoningDelta
    | AssistantMessage
    | ModelRetried
    | ToolUse
    | ToolResult
    | NetFetch
    | PermissionQuestion
    | PermissionDecision
    | RunResumed
    | Result
    | WorkspaceImport
    | WorkspaceChanged
    | WorkspaceDiff
    | WorkspaceCommit
    | SessionRecovered
    | SessionRepaired
)
Event = _Known | UnknownEvent
KnownEvent = Annotated[_Known, Field(discriminator="type")]


def parse_event(data: bytes | str) -> Event:
    """Read one event's JSON; a type of a later version becomes an `UnknownEvent`."""
    try:
        return _known_events().validate_json(data)
    except ValidationError as error:
        if error.errors()[0]["type"] != "union_tag_invalid":
            raise
        return UnknownEvent.model_validate_json(data)


def dump_event(event: BaseEvent) -> bytes:
    """The event as one line of JSON without its line end; absent fields are left out."""
    return event.__pydantic_serializer__.to_json(event, exclude_none=True)


@cache
def _known_events() -> TypeAdapter[_Known]:
    return TypeAdapter(KnownEvent)
