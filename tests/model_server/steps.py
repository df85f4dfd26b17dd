"""What a model says in one response, whatever the wire format."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is sent for a while."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Gate:
    """Nothing is sent until someone opens the gate: `POST /gates/{name}`, or `ModelServer.open_gate`."""

    name: str


Wait = Pause | Gate


@dataclass(frozen=True, slots=True)
class Reasoning:
    summary: str = ""
    encrypted_content: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """`arguments` is JSON text, or what a bad model would send instead."""

    name: str
    arguments: str = "{}"
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 10
    cached_tokens: int = 0
    output_tokens: int = 5
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """Reasoning first, then the text (the deltas and after them `text`) or a refusal, then the calls."""

    text: str = ""
    deltas: tuple[str | Wait, ...] = ()
    reasoning: tuple[Reasoning, ...] = ()
    refusal: str = ""
    calls: tuple[Call, ...] = ()
    usage: Usage = field(default_factory=Usage)
    ending: Literal["stop", "length", "content_filter"] = "stop"

    @property
    def parts(self) -> tuple[str | Wait, ...]:
        return (*self.deltas, self.text) if self.text else self.deltas

    @property
    def whole_text(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Reply:
    """Which response of a conversation it is, and of which model; ids follow from it."""

    model: str = "test-model"
    turn: int = 0
    with_usage: bool = True

    def new_id(self, kind: str, number: int = 0) -> str:
        return f"{kind}_{self.turn + 1:04}{number:04}"

    def call_id(self, call: Call, number: int) -> str:
        return call.call_id or self.new_id("call", number)


def read_steps(given: list[dict[str, Any]]) -> tuple[Step, ...]:
    """Steps as JSON has them: names as in `Step`, a wait as `{"pause_seconds": 1}` or `{"gate": "name"}`."""
    return tuple(map(_read_step, given))


def _read_step(given: Mapping[str, Any]) -> Step:
    fields = dict(given)
    if "deltas" in fields:
        fields["deltas"] = tuple(map(_read_delta, fields["deltas"]))
    if "reasoning" in fields:
        fields["reasoning"] = tuple(Reasoning(**each) for each in fields["reasoning"])
    if "calls" in fields:
        fields["calls"] = tuple(map(_read_call, fields["calls"]))
    if "usage" in fields:
        fields["usage"] = Usage(**fields["usage"])
    return Step(**fields)


def _read_delta(given: str | Mapping[str, Any]) -> str | Wait:
    if isinstance(given, str):
        return given
    return Gate(given["gate"]) if "gate" in given else Pause(given["pause_seconds"])


def _read_call(given: Mapping[str, Any]) -> Call:
    arguments = given.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Call(given["name"], text, given.get("call_id", ""))
