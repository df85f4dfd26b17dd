"""The scripted model: plays a list of steps, one per response, for tests of ours and of users."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from py_agent.core.messages import AssistantTurn, ToolCall
from py_agent.core.usage import Usage
from py_agent.errors import BadScript, ModelError
from py_agent.providers.arguments import parse_arguments
from py_agent.providers.model import CallMade, Done, ModelPart, ModelRequest, TextDelta


class Pause(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    pause_seconds: float = Field(ge=0)


class ScriptedCall(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    input: Any = None
    call_id: str | None = None


class ScriptedStep(BaseModel):
    """One response: text (whole or as deltas with pauses), then calls; or an error in its place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    deltas: tuple[str | Pause, ...] = ()
    calls: tuple[ScriptedCall, ...] = ()
    usage: Usage = Usage()
    error: str | None = None


class ScriptedModel:
    """The step to play follows from the messages, so that a resumed session goes on where it was."""

    def __init__(self, steps: Sequence[ScriptedStep | dict[str, Any]], name: str = "scripted") -> None:
        self._steps = _read_steps(list(steps), name)
        self._name = name
        self._errors_played = 0

    @classmethod
    def from_json(cls, text: str | bytes, name: str) -> "ScriptedModel":
        """Read `{"steps": [...]}` or a bare list of steps."""
        try:
            script = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadScript(f"The script {name} is not JSON: {error}. It must be a list of steps.") from error
        steps = script.get("steps") if isinstance(script, dict) else script
        if not isinstance(steps, list):
            raise BadScript(f'The script {name} has no list of steps; write {{"steps": [{{"text": "..."}}]}}.')
        return cls(steps, name)

    @property
    def name(self) -> str:
        return self._name

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        position = sum(isinstance(message, AssistantTurn) for message in request.messages) + self._errors_played
        if position >= len(self._steps):
            raise ModelError(
                f"The script {self._name} has {len(self._steps)} steps and was asked for one more; add a step."
            )
        step = self._steps[position]
        for delta in (*step.deltas, step.text):
            if isinstance(delta, Pause):
                await asyncio.sleep(delta.pause_seconds)
            elif delta:
                yield TextDelta(delta)
        if step.error is not None:
            self._errors_played += 1
            raise ModelError(step.error)
        for number, call in enumerate(step.calls):
            call_id = call.call_id or f"call-{position + 1}-{number + 1}"
            yield CallMade(ToolCall(call_id=call_id, name=call.name, input=parse_arguments(call.input)))
        yield Done(usage=step.usage)


def _read_steps(steps: list[Any], name: str) -> list[ScriptedStep]:
    try:
        return TypeAdapter(list[ScriptedStep]).validate_python(steps)
    except ValidationError as error:
        fault = error.errors()[0]
        step, *field = fault["loc"]
        where = f"step {int(step) + 1}" + (f", {'.'.join(map(str, field))}" if field else "")
        raise BadScript(f"The script {name} is wrong at {where}: {fault['msg']}.") from error
