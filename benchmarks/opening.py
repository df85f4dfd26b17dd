"""Opening a long log: every line checked and indexed, none of them kept."""

import asyncio
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

from benchmarks.child import in_child, rss_bytes
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.sampling import Measured, medians
from benchmarks.scratch import Scratch
from benchmarks.sessions import SESSION_ID, session_file
from py_agent.hosts.cpython import cpython_host
from py_agent.log.store import SessionStore


def measure(scratch: Scratch) -> Iterator[Figure]:
    state = scratch.long_state
    found = medians(
        scratch.sizes.repeats,
        lambda: in_child(open_log, state),
        lambda: in_child(check_lines, state),
    )
    name = f"open a log of {scratch.sizes.long_events:,} events"
    yield Figure(name, found["cpu"], "s CPU", Reference("split and crc32 of each line", found["bare_cpu"]), Goal(1))
    file_size = Reference("the log's file", scratch.long_bytes / 1e6)
    yield Figure(f"{name}, memory", found["memory"] / 1e6, "MB", file_size, Goal(1, is_ratio=True))


def open_log(state: str) -> Measured:
    return asyncio.run(_open_log(Path(state)))


async def _open_log(state: Path) -> Measured:
    store = SessionStore(cpython_host(state))
    memory, cpu = rss_bytes(), time.process_time()
    opened = await store.open(SESSION_ID)
    cpu, memory = time.process_time() - cpu, rss_bytes() - memory
    await opened.close()
    return {"cpu": cpu, "memory": memory}


def check_lines(state: str) -> Measured:
    cpu = time.process_time()
    for line in session_file(Path(state)).read_bytes().split(b"\n"):
        zlib.crc32(line)
    return {"bare_cpu": time.process_time() - cpu}
