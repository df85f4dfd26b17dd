"""Cancelling a run at any moment, on every host: the log stays valid, and nothing is left running."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from py_agent.core.events import Event, Result
from py_agent.core.paths import WorkspacePath
from py_agent.ports.gate import Answer, Question
from tests.contracts.place import Place
from tests.scenes import assert_each_call_has_one_result, client_with, run_all, script, stored

STEPS: list[dict[str, Any]] = [
    {
        "deltas": ["I ", {"pause_seconds": 0}, "write."],
        "calls": [
            {"name": "Write", "input": {"file_path": "a.txt", "content": "long " * 10_000}},
            {"name": "Read", "input": {"file_path": "a.txt"}},
        ],
    },
    {"text": "And read.", "calls": [{"name": "Read", "input": {"file_path": "none.txt"}}]},
    {"text": "Done."},
]
AFTER_CANCEL: list[dict[str, Any]] = [{"text": "Still here."}] * 4
MOST_TURNS = 1_000_000


class Unhurried:
    async def ask(self, question: Question) -> Answer:
        await asyncio.sleep(0)
        return Answer(allowed=True)


async def test_a_run_cancelled_at_any_moment_leaves_a_valid_log_and_no_task(place: Place) -> None:
    host = await place.open()
    reasons = []
    for moment in moments():
        client = client_with(host, script(*STEPS), mode="default", approver=Unhurried())
        async with await client.open() as session:
            canceller = asyncio.create_task(cancel_after(moment, session.cancel))
            told = await run_all(session, "go")
            await canceller
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert_is_valid(told, await stored(session))
            reasons.append(told[-1].stop_reason if isinstance(told[-1], Result) else "none")
            session_id = session.session_id
        async with await client_with(host, script(*AFTER_CANCEL)).open(session_id) as session:
            assert not session.is_unfinished
            if session.workspace.exists(WorkspacePath("a.txt")):
                assert len(await session.workspace.read(WorkspacePath("a.txt"))) == 50_000
            if reasons[-1] == "end":
                break
            assert (await run_all(session, "again"))[-1].type == "result"
    assert reasons[0] == "cancelled"
    assert reasons[-1] == "end"


def moments() -> Iterator[int]:
    """Turns of the event loop, each at first and then further apart: a thread that is waited for takes many."""
    moment = 0
    while moment < MOST_TURNS:
        yield moment
        moment += 1 + moment // 8


async def cancel_after(turns: int, cancel: Callable[[], None]) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    cancel()


def assert_is_valid(told: list[Event], log: list[Event]) -> None:
    assert told[-1].type == "result"
    assert [event for event in told if event.seq is not None] == log
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    assert_each_call_has_one_result(log)
