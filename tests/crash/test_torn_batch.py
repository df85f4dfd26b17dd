"""A log that ends anywhere, also between the events of one batch: the run is taken up there."""

from copy import deepcopy
from itertools import accumulate, pairwise

from py_agent.core.events import AssistantMessage, Event, Result, ToolUse, UserMessage
from py_agent.core.limits import RunLimits
from py_agent.core.paths import WorkspacePath
from py_agent.hosts.memory import MemoryStorage, memory_host
from py_agent.log.state import fold_state
from py_agent.log.store import log_path
from tests.crash.notes import telling
from tests.crash.outcome import SESSION_ID, check_cut_off, check_finish, outcome_of
from tests.crash.story import Played, play
from tests.scenes import call, client_with, run_all, script, types


def test_a_response_that_was_cut_off_is_no_step() -> None:
    events: list[Event] = [
        UserMessage(run_id="a", text="go"),
        AssistantMessage(step=1, text="", call_ids=("x", "y")),
        ToolUse(step=1, tool_use_id="1", call_id="x", name="Read"),
    ]
    run = fold_state(events).run
    assert run is not None
    assert (run.step, run.missing_call_ids) == (0, {"y"})
    run = fold_state([*events, ToolUse(step=1, tool_use_id="2", call_id="y", name="Read")]).run
    assert run is not None
    assert run.step == 1


async def test_a_spent_limit_still_holds_when_the_run_is_resumed() -> None:
    storage = MemoryStorage()
    steps = script({**call("Write", file_path="a.txt", content="x"), "usage": {"input": 5}}, {"text": "never"})
    client = client_with(memory_host(storage), steps, limits=RunLimits(max_tokens=5))
    async with await client.open() as session:
        told = await run_all(session, "go")
        log = storage.files[log_path(session.session_id)]
    for kept in range(types(told).index("tool.use") + 1, len(told)):
        lines = log.splitlines(keepends=True)
        storage.files[log_path(session.session_id)] = bytearray(b"".join(lines[:kept]))
        async with await client.open(session.session_id) as session:
            events = [event async for event in session.resume()]
            assert isinstance(events[-1], Result)
            assert events[-1].stop_reason == "max_tokens"
            assert not session.workspace.exists(WorkspacePath("a.txt"))


async def test_a_story_ends_the_same_from_wherever_its_log_was_cut() -> None:
    storage = MemoryStorage()
    await play(memory_host(storage), Played())
    reference = await outcome_of(memory_host(storage))
    ends = accumulate(map(len, reference.log.splitlines(keepends=True)), initial=0)
    for start, end in pairwise(ends):
        for size in (start, (start + end) // 2):
            cut = deepcopy(storage)
            del cut.files[log_path(SESSION_ID)][size:]
            with telling(f"cut at byte {size}"):
                before = await check_cut_off(memory_host(cut), reference, told=0)
                await check_finish(memory_host(cut, first_id=1000), reference, before)
