"""The loop: ask the model, carry out its calls, until it is done. Read this first.

A run works in a task of its own and tells what happens through the session's log; whoever iterates
over it hears each event once it is on disk, and each delta as it arrives.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from py_agent.core.events import (
    AssistantDelta,
    AssistantReasoningDelta,
    Event,
    ModelRetried,
    RunResumed,
    UserMessage,
)
from py_agent.core.limits import RunLimits, StopReason
from py_agent.errors import BadAnswer, ModelError, PyAgentError, UsageError
from py_agent.log.state import OpenRun
from py_agent.ports.gate import Gate
from py_agent.providers.arguments import without_surrogates
from py_agent.providers.model import CallMade, Done, Model, ModelOutput, ReasoningDelta, Retried, TextDelta
from py_agent.run.answer import answer_events
from py_agent.run.calls import Calls, ContextFactory, no_extras, not_run
from py_agent.run.ending import close_run, end_run
from py_agent.run.project import Project
from py_agent.run.requests import Requests
from py_agent.run.session import Session
from py_agent.tools.registry import Registry

Begin = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Agent:
    """What a run works with."""

    model: Model
    tools: Registry
    gate: Gate
    limits: RunLimits = field(default_factory=RunLimits)
    instructions: str = ""
    project: Project | None = None
    context_factory: ContextFactory = no_extras


class Loop:
    """The runs of one session, one at a time."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self._session = session
        self._agent = agent
        self._requests = Requests(session)
        self._calls = Calls(session, agent.tools, agent.gate, agent.context_factory)
        self._is_running = False
        self._working: asyncio.Task[None] | None = None  # as long as it can be cancelled

    def run(self, text: str, images: Sequence[bytes] = ()) -> AsyncGenerator[Event, None]:
        """Start a run with the person's words and pictures. One that was cut off before is closed first."""
        return self._stream(lambda: self._begin(text, images))

    def resume(self) -> AsyncGenerator[Event, None]:
        """Go on with the run that was cut off."""
        if self._session.state.run is None:
            raise UsageError(f"Session {self._session.session_id} has no unfinished run; send it a message instead.")
        return self._stream(self._take_up)

    def cancel(self) -> None:
        """End the run; its last events still arrive. Without a run, or a second time, nothing happens."""
        if self._working is not None:
            # Not at once: a task that is cancelled before its first step ends without a word.
            asyncio.get_running_loop().call_soon(self._interrupt)

    def _interrupt(self) -> None:
        task, self._working = self._working, None
        if task is not None:
            task.cancel()

    async def _stream(self, begin: Begin) -> AsyncGenerator[Event, None]:
        if self._is_running:
            raise UsageError("This session is running already; cancel that run or wait for it.")
        self._is_running = True
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        stop_listening = self._session.log.listen(events.put_nowait)
        task = self._working = asyncio.create_task(self._work(begin))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            self.cancel()
            await asyncio.wait([task])
            stop_listening()
            self._is_running = False
        task.result()

    async def _work(self, begin: Begin) -> None:
        """One run from its first event to its result, however it ends."""
        reason: StopReason
        error: PyAgentError | None = None
        scope = asyncio.timeout(self._agent.limits.max_seconds)
        try:
            async with scope:
                await begin()
                reason = await self._turns()
        except TimeoutError:
            if not scope.expired():
                raise
            reason = "max_seconds"
        except asyncio.CancelledError:
            reason = "cancelled"
        except PyAgentError as fault:
            reason, error = "error", fault
        self._working = None
        await end_run(self._session, reason, error)

    async def _begin(self, text: str, images: Sequence[bytes]) -> None:
        session, agent = self._session, self._agent
        kept = tuple([await session.keep_image(image) for image in images])
        if session.state.run is not None:
            await close_run(session, "error", UsageError("The run was cut off and not resumed."))
        await self._requests.fix_prefix(agent.model, agent.tools, agent.instructions)
        if agent.project is not None:
            await agent.project.take_over(session)
        words = await session.text_fields(text)
        await session.append(UserMessage(run_id=session.host.ids.new(), images=kept, **words))

    async def _take_up(self) -> None:
        await self._session.append(RunResumed())
        run = self._open_run()
        if run.missing_call_ids:
            reason = "The response that this call belonged to was cut off; it is asked for again."
            await self._session.append(*[not_run(tool_use_id, reason) for tool_use_id in run.calls])

    async def _turns(self) -> StopReason:
        while True:
            run = self._open_run()
            if not run.is_answered and (reason := self._agent.limits.spent_by(run.usage)):
                return reason
            for call in list(run.calls.values()):
                decision = await self._calls.carry_out(call)
                if decision is not None and decision.interrupt:
                    return "cancelled"
            repeated = self._session.repetition.request()
            if repeated and not (await self._agent.gate.decide(repeated)).allowed:
                return "loop"
            run = self._open_run()
            if run.is_answered:
                return "end"
            if run.step >= self._agent.limits.max_steps:
                return "max_steps"
            await self._ask(run)

    async def _ask(self, run: OpenRun) -> None:
        """One request and its response, which enters the log whole or not at all."""
        output = await self._listen(run, run.step + 1)
        if output.done is None:
            raise ModelError(f"The answer of {self._agent.model.name} broke off; run the request again.")
        answer, uses = await answer_events(self._session, output, output.done, run.step + 1)
        is_spent = self._agent.limits.spent_by(run.usage + output.done.usage)
        decision = self._calls.foresee(uses[0]) if uses and not is_spent else []
        await self._session.append(answer, *uses, *decision)
        if output.done.cut_off:
            raise BadAnswer(f"{self._agent.model.name} could not finish its answer: {output.done.cut_off}.")

    async def _listen(self, run: OpenRun, step: int) -> ModelOutput:
        """Tell the parts of a response as they arrive, and put them together."""
        log, output = self._session.log, ModelOutput()
        place: dict[str, Any] = {"session_id": log.session_id, "run_id": run.run_id, "step": step}
        request = await self._requests.next(self._agent.model)
        async with aclosing(self._agent.model.stream(request)) as parts:  # type: ignore[type-var]
            async for part in parts:
                match part:
                    case TextDelta(text):
                        output.texts.append(delta := without_surrogates(text))
                        log.tell(AssistantDelta(**place, text_delta=delta))
                    case ReasoningDelta(text):
                        log.tell(AssistantReasoningDelta(**place, text_delta=without_surrogates(text)))
                    case CallMade(call):
                        output.calls.append(call)
                    case Retried(attempt, reason, delay_seconds):
                        output = ModelOutput()
                        retried = ModelRetried(step=step, attempt=attempt, reason=reason, delay_seconds=delay_seconds)
                        await self._session.append(retried)
                    case Done():
                        output.done = part
        return output

    def _open_run(self) -> OpenRun:
        run = self._session.state.run
        if run is None:
            raise UsageError("The run has ended already.")
        return run
