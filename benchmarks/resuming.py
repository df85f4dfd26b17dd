"""Resuming a long session: from a process that is ready to the first request that the model is handed."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from benchmarks.child import in_child, rss_bytes
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.sampling import Measured, medians
from benchmarks.scratch import Scratch
from benchmarks.sessions import SESSION_ID, session_file
from py_agent.client import AgentClient, AgentOptions
from py_agent.hosts.cpython import cpython_host
from py_agent.providers.model import Done, ModelPart, ModelRequest


def measure(scratch: Scratch) -> Iterator[Figure]:
    state = scratch.long_state
    found = medians(
        scratch.sizes.repeats,
        lambda: in_child(resume, state),
        lambda: in_child(read_json, state),
    )
    name = f"resume {scratch.sizes.long_events:,} events, first request"
    yield Figure(name, found["cpu"], "s CPU", Reference("json.loads of each line", found["bare_cpu"]), Goal(2))
    yield Figure(f"{name}, memory", found["memory"] / 1e6, "MB", Reference("the log's file", scratch.long_bytes / 1e6))


class Witness:
    """A model that only notes when it is asked."""

    name = "witness"

    def __init__(self) -> None:
        self.asked_at = 0.0
        self.memory = 0.0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        self.asked_at, self.memory = time.process_time(), rss_bytes()
        assert request.messages
        yield Done()


def resume(state: str) -> Measured:
    return asyncio.run(_resume(Path(state)))


async def _resume(state: Path) -> Measured:
    file, model = session_file(state), Witness()
    size = file.stat().st_size
    client = AgentClient(cpython_host(state), AgentOptions(model=model))
    memory, cpu = rss_bytes(), time.process_time()
    async with await client.open(SESSION_ID) as session:
        async for _ in session.stream("go on"):
            pass
    with file.open("r+b") as log:
        log.truncate(size)
    return {"cpu": model.asked_at - cpu, "memory": model.memory - memory}


def read_json(state: str) -> Measured:
    cpu = time.process_time()
    for line in session_file(Path(state)).read_bytes().splitlines():
        json.loads(line)
    return {"bare_cpu": time.process_time() - cpu}
