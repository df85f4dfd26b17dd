"""What must hold when a story was cut off, and once it was played on to its end."""

from dataclasses import dataclass
from typing import Any

from py_agent.core.events import Event, Result, ToolResult
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.errors import StorageMissing
from py_agent.log.codec import decode_line
from py_agent.log.state import fold_state
from py_agent.log.store import SessionStore, directory, log_path
from py_agent.ports.host import Host
from py_agent.run.session import Session
from tests.crash.story import Played, play
from tests.scenes import assert_each_call_has_one_result

SESSION_ID = f"{1:032x}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A session as it is on disk: its log, and the files that follow from it."""

    log: bytes
    events: list[Event]
    files: dict[WorkspacePath, tuple[Any, ...]]

    @property
    def stop_reasons(self) -> list[str]:
        return [event.stop_reason for event in self.events if isinstance(event, Result)]


async def outcome_of(host: Host) -> Outcome:
    session = await Session.open(host, SESSION_ID, to_read=True)
    events = [event async for events in session.log.read() for event in events]
    files = {path: _content(entry) for path, entry in session.workspace.snapshot().items()}
    await session.close()
    return Outcome(await host.storage.read(log_path(SESSION_ID)), events, files)


async def check_cut_off(host: Host, reference: Outcome, told: int) -> list[Event]:
    """The log is a piece of the reference's and holds all that was told; gives the whole events in it."""
    await _check_names(host)
    try:
        log = await host.storage.read(log_path(SESSION_ID))
    except StorageMissing:
        log = b""
    assert reference.log.startswith(log)
    lines = log.split(b"\n")[:-1]
    assert told <= len(lines)
    if SESSION_ID in await SessionStore(host).list():
        found = await outcome_of(host)
        assert found.events == [decode_line(line) for line in lines]
    else:
        assert not lines
    return reference.events[: len(lines)]


async def check_finish(host: Host, reference: Outcome, before: list[Event]) -> None:
    """Played on, the story ends as the reference does, and nothing is done twice unasked."""
    played = Played()
    await play(host, played)
    after = await outcome_of(host)
    assert after.files == reference.files
    assert after.stop_reasons == reference.stop_reasons
    assert_each_call_has_one_result(after.events)
    assert len(played.ran) == len(set(played.ran))
    assert not {event.tool_use_id for event in before if isinstance(event, ToolResult)} & {*played.ran}
    assert {question.tool_use_id for question in played.asked if "had begun" in question.reason} == _in_doubt(before)
    await _check_names(host)


async def _check_names(host: Host) -> None:
    """What is on its way into place is never listed."""
    for path in ("", "sessions", directory(SESSION_ID)):
        assert not [name for name in await host.storage.list(path) if name.endswith(".new")]


def _in_doubt(events: list[Event]) -> set[str]:
    run = fold_state(events).run
    return {call.use.tool_use_id for call in run.calls.values() if call.is_in_doubt} if run else set()


def _content(entry: TreeEntry) -> tuple[Any, ...]:
    return entry.kind, entry.sha256, entry.target, entry.executable
