"""Carrying out one call: through the gate, in a transaction, with exactly one result."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from py_agent.core.events import BaseEvent, ToolResult, ToolUse, WorkspaceChanged
from py_agent.errors import PyAgentError, StorageError
from py_agent.log.state import OpenCall
from py_agent.policy.gate import decision_event
from py_agent.ports.gate import Decision, Gate, GateRequest
from py_agent.run.session import Session
from py_agent.tools.registry import Registry
from py_agent.tools.tool import Tool, ToolContext

ContextFactory = Callable[[str, ToolUse], Mapping[str, Any]]


def no_extras(session_id: str, use: ToolUse) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Calls:
    session: Session
    tools: Registry
    gate: Gate
    context_factory: ContextFactory = no_extras
    foreseen: dict[str, Decision] = field(default_factory=dict)

    def foresee(self, use: ToolUse) -> list[BaseEvent]:
        """The decision on a call that is carried out next, for the log: stored together with the response that made
        the call, it takes no flush of its own. Nothing, if the person has to be asked."""
        try:
            tool = self.tools.get(use.name)
            tool.parse(use.input)
        except PyAgentError:
            return []
        request = _request(OpenCall(use), tool)
        decision = None if use.input_blob else self.gate.foresee(request)
        if decision is None:
            return []
        self.foreseen[use.tool_use_id] = decision
        return [decision_event(request, decision).model_copy(update={"step": use.step})]

    async def carry_out(self, call: OpenCall) -> Decision | None:
        """Bring a call to its result. Gives the gate's decision, if it got that far."""
        use = call.use
        try:
            tool = self.tools.get(use.name)
            arguments = tool.parse(await self._input(use))
        except PyAgentError as error:
            await self.session.append(failure(use.tool_use_id, error))
            return None
        decision = self.foreseen.pop(use.tool_use_id, None) or _earlier_refusal(call)
        decision = decision or await self.gate.decide(_request(call, tool))
        if not decision.allowed:
            await self.session.append(refusal(use.tool_use_id, decision))
            return decision
        await self._run(use, tool, arguments)
        return decision

    async def _run(self, use: ToolUse, tool: Tool[Any], arguments: Any) -> None:
        session = self.session
        async with session.workspace.transaction() as transaction:
            context = ToolContext(
                session_id=session.session_id,
                tool_use_id=use.tool_use_id,
                workspace=transaction,
                extras=self.context_factory(session.session_id, use),
            )
            events: list[BaseEvent] = []
            try:
                output = await tool.run(arguments, context)
                fields = await session.json_fields("output", output)
                if changes := await transaction.seal():
                    events.append(WorkspaceChanged(origin="tool", tool_use_id=use.tool_use_id, changes=tuple(changes)))
                events.append(ToolResult(tool_use_id=use.tool_use_id, **fields))
            except StorageError:
                raise
            except Exception as error:  # noqa: BLE001 -- whatever a tool raises is for the model to read
                events = [failure(use.tool_use_id, error)]
            await session.append(*events)

    async def _input(self, use: ToolUse) -> Mapping[str, Any]:
        if use.input_blob is None:
            return use.input
        data: dict[str, Any] = json.loads(await self.session.host.storage.blobs.get(use.input_blob.sha256))
        return data


def failure(tool_use_id: str, error: BaseException) -> ToolResult:
    message = str(error) or type(error).__name__
    return ToolResult(tool_use_id=tool_use_id, is_error=True, error_type=type(error).__name__, error_message=message)


def refusal(tool_use_id: str, decision: Decision) -> ToolResult:
    return ToolResult(
        tool_use_id=tool_use_id,
        is_error=True,
        error_type="PermissionDenied",
        error_message=decision.message or "The call was not allowed.",
    )


def not_run(tool_use_id: str, reason: str) -> ToolResult:
    return ToolResult(tool_use_id=tool_use_id, is_error=True, error_type="NotRun", error_message=reason)


def _request(call: OpenCall, tool: Tool[Any]) -> GateRequest:
    use = call.use
    doubt = ""
    if call.is_in_doubt:
        known = f" It had changed {', '.join(call.changed_paths)}." if call.changed_paths else ""
        doubt = f"This call had begun when the session was cut off, and may have had its effect.{known} Run it again?"
    return GateRequest(
        tool_use_id=use.tool_use_id,
        tool_name=use.name,
        input=use.input,
        read_only=tool.read_only,
        edits=tool.edits,
        concern="in_doubt" if doubt else None,
        reason=doubt,
    )


def _earlier_refusal(call: OpenCall) -> Decision | None:
    """A refusal that was logged before a crash stands; the person is not asked twice."""
    earlier = call.decision
    if earlier is None or earlier.allowed:
        return None
    return Decision(allowed=False, rule=earlier.rule, message=earlier.message, interrupt=earlier.interrupt)
