"""What tests share: sessions with a scripted model, and people who answer as they are told."""

from collections.abc import Sequence
from typing import Any

from py_agent.client import AgentClient, AgentOptions, AgentSession
from py_agent.core.events import Event, ToolResult, ToolUse
from py_agent.core.limits import RunLimits
from py_agent.policy.modes import Mode
from py_agent.ports.gate import Answer, Approver, Question
from py_agent.ports.host import Host
from py_agent.providers.model import Model
from py_agent.providers.scripted import ScriptedModel
from py_agent.run.project import Project


class Person:
    """Answers questions from a list, and keeps what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.asked: list[Question] = []
        self._answers = list(answers)

    async def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        return self._answers.pop(0)


def script(*steps: dict[str, Any]) -> ScriptedModel:
    return ScriptedModel(steps)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"calls": [{"name": name, "input": arguments}]}


def client_with(
    host: Host,
    model: Model,
    *,
    mode: Mode = "bypass",
    approver: Approver | None = None,
    limits: RunLimits | None = None,
    project: Project | None = None,
) -> AgentClient:
    options = AgentOptions(model=model, permission_mode=mode, approver=approver, limits=limits or RunLimits())
    return AgentClient(host, options, project)


async def run_all(session: AgentSession, text: str) -> list[Event]:
    return [event async for event in session.stream(text)]


async def stored(session: AgentSession) -> list[Event]:
    return [event async for event in session.history()]


def types(events: Sequence[Event], *, deltas: bool = False) -> list[str]:
    return [event.type for event in events if deltas or event.type != "assistant.delta"]


def assert_each_call_has_one_result(events: Sequence[Event]) -> None:
    uses = [event.tool_use_id for event in events if isinstance(event, ToolUse)]
    results = [event.tool_use_id for event in events if isinstance(event, ToolResult)]
    assert sorted(uses) == sorted(results)
