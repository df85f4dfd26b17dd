"""What children play: each scene takes the folder it works in, the plan for its writes, and whom to tell."""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from py_agent.hosts.cpython import cpython_host
from py_agent.hosts.memory import CountingIds, StepClock
from py_agent.ports.host import Host
from tests.crash.story import Played, play
from tests.crash.system import Plan, watched

_LATER_IDS = 10**6


class Say(Protocol):
    def __call__(self, **words: object) -> None: ...


def fixed_host(root: Path, *, is_later: bool = False) -> Host:
    """A host whose clock and ids are the same in each run; one for later gives ids of its own."""
    ids = CountingIds(_LATER_IDS if is_later else 1)
    return replace(cpython_host(root / "state"), clock=StepClock(), ids=ids)


async def session(root: Path, plan: Plan, say: Say) -> None:
    with watched(plan):
        await play(fixed_host(root), Played(), on_event=lambda event: say(seq=event.seq, calls_at=len(plan.calls)))
