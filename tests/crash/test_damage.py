"""Logs that were cut or damaged at random, against a simple model of what must be left of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from py_agent.core.events import Event, SessionRecovered, SessionRepaired, UserMessage, dump_event
from py_agent.errors import CorruptSessionLog
from py_agent.hosts.memory import MemoryStorage, memory_host
from py_agent.log.codec import seal
from py_agent.log.store import SessionStore, log_path
from py_agent.log.transfer import repair_session


@dataclass(frozen=True, slots=True)
class Append:
    texts: list[str]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the log is cut, as a part of its length."""

    part: float


TEXTS = st.text(max_size=30)
APPENDS = st.builds(Append, st.lists(TEXTS, min_size=1, max_size=4))
CUTS = st.builds(Cut, st.floats(0, 1))


class Model:
    """A session on memory, and the events that must be in its log."""

    def __init__(self) -> None:
        self.storage = MemoryStorage()
        self.store = SessionStore(memory_host(self.storage))
        self.session_id = ""
        self.events: list[Event] = []

    @property
    def log(self) -> bytearray:
        return self.storage.files[log_path(self.session_id)]

    async def append(self, texts: Sequence[str]) -> None:
        opened = await self.store.open(self.session_id)
        self.events += await opened.log.append(*[UserMessage(text=text) for text in texts])
        await opened.close()

    async def cut(self, size: int) -> None:
        kept = self.log[:size]
        self.storage.files[log_path(self.session_id)] = kept
        torn = len(kept) - (kept.rfind(b"\n") + 1)
        del self.events[kept.count(b"\n") :]
        opened = await self.store.open(self.session_id)
        if torn:
            last = (await self.read())[-1]
            assert isinstance(last, SessionRecovered)
            assert last.dropped_bytes == torn
            self.events.append(last)
        await opened.close()

    async def read(self) -> list[Event]:
        opened = await self.store.open_to_read(self.session_id)
        return [event async for events in opened.log.read() for event in events]


@settings(deadline=None)
@given(steps=st.lists(APPENDS | CUTS, max_size=12))
def test_a_log_that_is_cut_again_and_again_holds_what_came_before_each_cut(steps: list[Append | Cut]) -> None:
    async def run() -> None:
        model = Model()
        model.session_id = await model.store.create()
        await model.append(["first"])
        for step in steps:
            match step:
                case Append(texts):
                    await model.append(texts)
                case Cut(part):
                    await model.cut(round(part * len(model.log)))
            assert await model.read() == model.events
            assert [event.seq for event in model.events] == list(range(1, len(model.events) + 1))

    asyncio.run(run())


@settings(deadline=None)
@given(
    texts=st.lists(TEXTS, min_size=3, max_size=8),
    span=st.tuples(st.floats(0, 1), st.integers(0, 200)),
    put=st.binary(max_size=40) | st.just(b"\n"),
)
def test_damage_is_named_changes_nothing_and_costs_only_the_lines_it_hit(
    texts: list[str], span: tuple[float, int], put: bytes
) -> None:
    async def run() -> None:
        model = Model()
        model.session_id = await model.store.create()
        await model.append(texts)
        whole = bytes(model.log)
        last = whole[:-1].rindex(b"\n")
        start = round(span[0] * last)
        damaged = whole[:start] + put + whole[min(start + span[1], last) :]
        assume(damaged != whole)
        model.log[:] = damaged
        await check_refused(model, damaged)
        await check_repaired(model, whole, damaged)

    asyncio.run(run())


async def check_refused(model: Model, damaged: bytes) -> None:
    pairs = zip(damaged.split(b"\n"), model_lines(model), strict=False)
    first = next(number for number, (line, known) in enumerate(pairs, start=1) if line != known)
    for open_it in (model.store.open, model.store.open_to_read):
        with pytest.raises(CorruptSessionLog) as caught:
            await open_it(model.session_id)
        assert (caught.value.session_id, caught.value.line) == (model.session_id, first)
    assert model.log == damaged


async def check_repaired(model: Model, whole: bytes, damaged: bytes) -> None:
    lines = damaged.split(b"\n")
    good = set(whole.split(b"\n")[:-1])
    new_id, lost = await repair_session(memory_host(model.storage, first_id=1000), model.session_id)
    assert lost == [number for number, line in enumerate(lines, start=1) if line and line not in good]
    assert model.log == damaged
    opened = await model.store.open_to_read(new_id)
    first, *rest = [event async for events in opened.log.read() for event in events]
    assert isinstance(first, SessionRepaired)
    assert first.lost_lines == tuple(lost)
    by_line = dict(zip(model_lines(model), model.events, strict=True))
    assert [stripped(event) for event in rest] == [stripped(by_line[line]) for line in lines if line in good]


def model_lines(model: Model) -> list[bytes]:
    return [seal(dump_event(event))[:-1] for event in model.events]


def stripped(event: Event) -> Event:
    return event.model_copy(update={"seq": None, "session_id": None})


async def test_a_whole_last_line_with_a_wrong_number_is_damage_and_no_torn_end() -> None:
    model = Model()
    model.session_id = await model.store.create()
    await model.append(["one", "two", "three"])
    first, _, third, _ = bytes(model.log).split(b"\n")
    model.log[:] = damaged = first + b"\n" + third + b"\n"
    await check_refused(model, damaged)
