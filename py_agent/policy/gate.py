"""The one gate: judges a call, asks the person where it must, and logs the decision before the call begins."""

import json
from collections.abc import Awaitable, Callable

from py_agent.core.events import BaseEvent, PermissionDecision, PermissionQuestion
from py_agent.policy.modes import Mode, judge
from py_agent.ports.gate import Approver, Decision, GateRequest, Question
from py_agent.ports.ids import Ids

Record = Callable[[BaseEvent], Awaitable[object]]
_SHOWN_CHARACTERS = 2000


class PolicyGate:
    """`record` stores an event; without an `approver`, what would be asked about is denied."""

    def __init__(self, mode: Mode, *, approver: Approver | None, record: Record, ids: Ids) -> None:
        self._mode = mode
        self._approver = approver
        self._record = record
        self._ids = ids

    def foresee(self, request: GateRequest) -> Decision | None:
        verdict, rule = "ask" if request.concern else judge(self._mode, request), self._rule(request)
        if verdict != "ask":
            message = None if verdict == "allow" else f"The permission mode {self._mode} does not allow this call."
            return Decision(verdict == "allow", rule, message)
        if self._approver is None:
            message = "This call needs the person's permission, and nobody is there to ask."
            return Decision(allowed=False, rule=rule, message=message)
        return None

    async def decide(self, request: GateRequest) -> Decision:
        decision = self.foresee(request)
        if decision is None:
            assert self._approver is not None
            return await self._ask(self._approver, request, self._rule(request))
        await self._record(decision_event(request, decision))
        return decision

    def _rule(self, request: GateRequest) -> str:
        return request.concern or f"mode:{self._mode}"

    async def _ask(self, approver: Approver, request: GateRequest, rule: str) -> Decision:
        question = Question(
            question_id=self._ids.new(),
            tool_use_id=request.tool_use_id,
            tool_name=request.tool_name,
            prompt=describe(request),
            reason=request.reason or f"No rule covers this call, so the mode {self._mode} asks.",
        )
        await self._record(
            PermissionQuestion(
                question_id=question.question_id,
                tool_use_id=question.tool_use_id,
                tool_name=question.tool_name,
                prompt=question.prompt,
                reason=question.reason,
            )
        )
        answer = await approver.ask(question)
        message = answer.message if answer.message or answer.allowed else "The person did not allow this call."
        decision = Decision(answer.allowed, rule, message, answer.interrupt)
        await self._record(decision_event(request, decision, question.question_id))
        return decision


def decision_event(request: GateRequest, decision: Decision, question_id: str | None = None) -> PermissionDecision:
    return PermissionDecision(
        tool_use_id=request.tool_use_id,
        allowed=decision.allowed,
        rule=decision.rule,
        question_id=question_id,
        message=decision.message,
        interrupt=decision.interrupt,
    )


def describe(request: GateRequest) -> str:
    """The call as the person is shown it: the tool, and each argument on a line of its own."""
    lines = [request.tool_name]
    for name, value in request.input.items():
        text = json.dumps(value, ensure_ascii=False)
        if len(text) > _SHOWN_CHARACTERS:
            text = f"{text[:_SHOWN_CHARACTERS]}... ({len(text)} characters)"
        lines.append(f"  {name}: {text}")
    return "\n".join(lines)
