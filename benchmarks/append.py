"""Appending: what one more event costs a short log and a long one."""

import asyncio
import os
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.child import in_child
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.sampling import Measured, medians, prefixed
from benchmarks.scratch import Scratch
from benchmarks.sessions import SESSION_ID, Author, session_file
from py_agent.hosts.cpython import cpython_host
from py_agent.run.session import Session


def measure(scratch: Scratch) -> Iterator[Figure]:
    sizes, short, long = scratch.sizes, scratch.short_state, scratch.long_state
    found = medians(
        sizes.repeats,
        lambda: prefixed("short", in_child(append_events, short, sizes.appends)),
        lambda: prefixed("long", in_child(append_events, long, sizes.appends)),
    )
    at_short, at_long = f"append at {sizes.short_events:,} events", f"append at {sizes.long_events:,} events"
    bare = "pwrite and fdatasync of the same bytes"
    yield Figure(at_short, found["short_cpu"], "µs CPU", Reference(bare, found["short_bare_cpu"]))
    yield Figure(
        at_long, found["long_cpu"], "µs CPU", Reference(at_short, found["short_cpu"]), Goal(1.2, is_ratio=True)
    )
    yield Figure(f"{at_long}, flushed", found["long_wall"], "µs", Reference(bare, found["long_bare_wall"]))


def append_events(state: str, count: str) -> Measured:
    """Microseconds per event, ours and bare in turns; the log is left as it was."""
    return asyncio.run(_append_events(Path(state), int(count)))


async def _append_events(state: Path, count: int) -> Measured:
    file = session_file(state)
    size = file.stat().st_size
    session = await Session.open(cpython_host(state), SESSION_ID)
    bare = os.open(state / "bare", os.O_RDWR | os.O_CREAT)
    ours, theirs = _Stopwatch(), _Stopwatch()
    for event in islice(Author().events(), count):
        before = file.stat().st_size
        with ours:
            await session.append(event)
        line = b"x" * (file.stat().st_size - before)
        with theirs:
            os.pwrite(bare, line, before)
            os.fdatasync(bare)
    await session.close()
    os.close(bare)
    os.truncate(file, size)
    return {**ours.each(count), **prefixed("bare", theirs.each(count))}


class _Stopwatch:
    """Adds up the CPU and wall time of what it is held around."""

    def __init__(self) -> None:
        self._cpu = self._wall = 0.0

    def __enter__(self) -> None:
        self._cpu -= time.process_time()
        self._wall -= time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._cpu += time.process_time()
        self._wall += time.perf_counter()

    def each(self, count: int) -> Measured:
        return {"cpu": self._cpu / count * 1e6, "wall": self._wall / count * 1e6}
