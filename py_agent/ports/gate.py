"""The gate: every call passes it before it reaches a tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Concern = Literal["in_doubt", "doom_loop"]


@dataclass(frozen=True, slots=True)
class GateRequest:
    """What is about to be done. A `concern` is asked about in every mode, `reason` saying why."""

    tool_use_id: str
    tool_name: str
    input: Mapping[str, Any]
    read_only: bool = False
    edits: bool = False
    concern: Concern | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer, with the rule that gave it. `interrupt` ends the run as well."""

    allowed: bool
    rule: str
    message: str | None = None
    interrupt: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What the person is asked, word for word."""

    question_id: str
    tool_use_id: str
    tool_name: str
    prompt: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The person's word. `message` goes to the model."""

    allowed: bool
    message: str | None = None
    interrupt: bool = False


class Approver(Protocol):
    """The person, however they are reached."""

    async def ask(self, question: Question) -> Answer:
        """Wait for an answer. Cancelling the wait takes the question back."""


class Gate(Protocol):
    def foresee(self, request: GateRequest) -> Decision | None:
        """What `decide` is going to say, if it can say so without the person. Nothing is logged."""

    async def decide(self, request: GateRequest) -> Decision:
        """Decide, asking the person if need be. The decision is in the log when this returns."""
