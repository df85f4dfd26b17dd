"""A session whose process is killed at each of its writes, before it and in the middle of it."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from py_agent.core.events import UserMessage
from tests.crash.children import Children
from tests.crash.notes import telling
from tests.crash.outcome import Outcome, check_cut_off, check_finish, outcome_of
from tests.crash.scenes import fixed_host
from tests.crash.system import TAKE_DATA, Plan, watched


@dataclass(frozen=True, slots=True)
class Kill:
    at: int
    is_half: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """The story without a kill, its writes, and how many of them were done when each event was told."""

    outcome: Outcome
    calls: list[str]
    calls_at: list[int]

    def kills(self) -> Iterator[Kill]:
        for at, name in enumerate(self.calls, start=1):
            yield Kill(at, is_half=False)
            if name in TAKE_DATA:
                yield Kill(at, is_half=True)

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
    kill_each(children, reference, [kill for kill in reference.kills() if kill.at in turn or kill.at % 10 == 0])


@pytest.mark.slow
def test_a_session_killed_at_any_write_is_whole_and_goes_on(children: Children, reference: Reference) -> None:
    kill_each(children, reference, list(reference.kills()))


def kill_each(children: Children, reference: Reference, kills: Sequence[Kill]) -> None:
    for kill in kills:
        with telling(f"{kill} {reference.calls[kill.at - 1]}"), TemporaryDirectory() as root, watched(Plan()):
            asyncio.run(kill_and_go_on(children, reference.outcome, Path(root), kill))


async def kill_and_go_on(children: Children, reference: Outcome, root: Path, kill: Kill) -> None:
    ended = children.run("session", root, at=kill.at, is_half=kill.is_half)
    assert ended.was_killed
    before = await check_cut_off(fixed_host(root), reference, told=len(ended.calls_at))
    await check_finish(fixed_host(root, is_later=bool(before)), reference, before)
