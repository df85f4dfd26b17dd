"""A session whose process is killed at each of its writes, before it and in the middle of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from py_agent.core.events import UserMessage
from tests.crash.children import Children
from tests.crash.moments import Moment, moments
from tests.crash.notes import telling
from tests.crash.outcome import Outcome, check_cut_off, check_finish, outcome_of
from tests.crash.scenes import fixed_host
from tests.crash.system import Plan, watched


@dataclass(frozen=True, slots=True)
class Reference:
    """The story without a kill, its writes, and how many of them were done when each event was told."""

    outcome: Outcome
    calls: list[str]
    calls_at: list[int]

    def calls_of_turn(self, number: int) -> range:
        starts = [event.seq or 0 for event in self.outcome.events if isinstance(event, UserMessage)]
        return range(self.calls_at[starts[number] - 2] + 1, self.calls_at[starts[number + 1] - 2] + 1)


@pytest.fixture(scope="module")
def reference(children: Children, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    root = tmp_path_factory.mktemp("reference")
    ended = children.run("session", root)
    assert ended.exit_code == 0
    return Reference(asyncio.run(outcome_of(fixed_host(root))), ended.calls, ended.calls_at)


def test_a_session_killed_at_any_write_of_a_turn_is_whole_and_goes_on(children: Children, reference: Reference) -> None:
    turn = reference.calls_of_turn(1)
    some = [moment for moment in moments(reference.calls) if moment.at in turn or moment.at % 10 == 0]
    kill_each(children, reference, some)


@pytest.mark.slow
def test_a_session_killed_at_any_write_is_whole_and_goes_on(children: Children, reference: Reference) -> None:
    kill_each(children, reference, moments(reference.calls))


def kill_each(children: Children, reference: Reference, kills: Sequence[Moment]) -> None:
    for moment in kills:
        with telling(f"{moment}"), TemporaryDirectory() as root, watched(Plan()):
            ended = children.run("session", Path(root), moment)
            assert ended.was_killed
            asyncio.run(go_on(Path(root), reference.outcome, told=len(ended.calls_at)))


async def go_on(root: Path, reference: Outcome, *, told: int) -> None:
    before = await check_cut_off(fixed_host(root), reference, told=told)
    await check_finish(fixed_host(root, is_later=bool(before)), reference, before)
