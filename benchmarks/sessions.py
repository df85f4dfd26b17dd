"""Sessions to measure: runs of an agent that reads and writes files, made up but of the usual shape."""

import asyncio
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.sampling import Measured
from py_agent.core.changes import Change
from py_agent.core.events import (
    AssistantMessage,
    BaseEvent,
    PermissionDecision,
    Result,
    ToolResult,
    ToolUse,
    UserMessage,
    WorkspaceChanged,
    WorkspaceDiff,
)
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.core.usage import Usage
from py_agent.hosts.cpython import cpython_host
from py_agent.log.store import SessionStore, log_path
from py_agent.providers.demo import DemoModel
from py_agent.run.requests import Requests
from py_agent.run.session import Session
from py_agent.tools.registry import default_registry

SESSION_ID = "5e" * 16
_WORDS = "the run reads what a tool wrote before it asks where each file of this module is kept"
_USAGE = Usage(input=12_000, output=180, cache_read=11_000, cost_usd=0.01)
_BATCH = 1000
_STEPS = 9


def session_file(state: Path) -> Path:
    return state / log_path(SESSION_ID)


def make_session(state: str, events: str) -> Measured:
    """Make a session of so many events in a new state directory."""
    asyncio.run(_make_session(Path(state), int(events)))
    return {}


async def _make_session(state: Path, count: int) -> None:
    host = cpython_host(state)
    await SessionStore(host).create({"project": "/home/someone/project"}, session_id=SESSION_ID)
    session = await Session.open(host, SESSION_ID)
    await Requests(session).fix_prefix(DemoModel(), default_registry(), "")
    events = islice(Author().events(), count - session.log.length)
    while batch := list(islice(events, _BATCH)):
        await session.log.append(*batch)
    await session.close()


class Author:
    """Makes up events, the same ones every time."""

    def __init__(self) -> None:
        self._random = random.Random(7)

    def events(self) -> Iterator[BaseEvent]:
        """Runs without end."""
        while True:
            yield from self._run(self._hex(32))

    def words(self, average: int) -> str:
        """Text of about so many words; some texts are much longer than most."""
        count = 1 + int(self._random.expovariate(1 / average))
        return " ".join(self._random.choices(_WORDS.split(), k=count))

    def _run(self, run_id: str) -> Iterator[BaseEvent]:
        yield UserMessage(run_id=run_id, text=self.words(40))
        for step in range(1, _STEPS + 1):
            for event in self._last_step() if step == _STEPS else self._step(writes=step % 2 == 1):
                yield event.model_copy(update={"run_id": run_id, "step": step})

    def _step(self, *, writes: bool) -> Iterator[BaseEvent]:
        """One response with one call, which writes a file or reads one."""
        path = f"source/package_{self._random.randrange(40)}/module_{self._random.randrange(60)}.py"
        use_id, call_id = self._hex(32), f"call_{self._hex(24)}"
        named, whole = {"file_path": path}, {"file_path": path, "content": self.words(150)}
        yield AssistantMessage(text=self.words(30), call_ids=(call_id,), usage=_USAGE)
        yield ToolUse(
            tool_use_id=use_id,
            call_id=call_id,
            name="Write" if writes else "Read",
            input=whole if writes else named,
        )
        yield PermissionDecision(tool_use_id=use_id, allowed=True, rule="mode acceptEdits")
        if writes:
            yield WorkspaceChanged(origin="tool", tool_use_id=use_id, changes=(self._change(path),))
        yield ToolResult(tool_use_id=use_id, output=named if writes else whole)

    def _last_step(self) -> Iterator[BaseEvent]:
        text = self.words(60)
        yield AssistantMessage(text=text, usage=_USAGE)
        yield WorkspaceDiff(adds=3, modifies=1, deletes=0)
        yield Result(final_text=text, stop_reason="end", usage=_USAGE)

    def _change(self, path: str) -> Change:
        before, after = (
            TreeEntry(kind="file", sha256=self._hex(64), size=900, mtime_ns=1_770_000_000_000_000_000) for _ in range(2)
        )
        return Change(path=WorkspacePath(path), before=before, after=after)

    def _hex(self, length: int) -> str:
        return f"{self._random.getrandbits(4 * length):0{length}x}"
