"""What asks a model in a benchmark, each in a process of its own: py_agent, a bare client, the official SDK."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.sampling import Measured
from py_agent.client import AgentClient, AgentOptions
from py_agent.core.limits import RunLimits
from py_agent.hosts.cpython import cpython_host
from py_agent.ports.http import Http, HttpRequest, HttpResponse
from py_agent.providers.choice import ModelChoice, openai_model
from py_agent.providers.responses import tool_item
from py_agent.tools.registry import default_registry

Run = Callable[[], Awaitable[int]]
# The pause before a request: the median of this many around the one that is looked at.
_AROUND = 10


def ours(base_url: str, state: str, runs: str, at_once: str) -> Measured:
    return asyncio.run(_ours(base_url, Path(state), int(runs), int(at_once)))


def bare(base_url: str, _: str, runs: str, at_once: str) -> Measured:
    return asyncio.run(_bare(base_url, int(runs), int(at_once)))


def official(base_url: str, _: str, runs: str, at_once: str) -> Measured:
    return asyncio.run(_official(base_url, int(runs), int(at_once)))


async def _ours(base_url: str, state: Path, runs: int, at_once: int) -> Measured:
    host = cpython_host(state)
    http = WatchedHttp(host.http)
    host = replace(host, http=http)
    model = openai_model(ModelChoice("openai", "m", base_url, "x", wire_format="responses"), host)
    options = AgentOptions(model=model, permission_mode="bypass", limits=RunLimits(max_steps=10_000))
    client = AgentClient(host, options)

    async def run() -> int:
        async with await client.open() as session:
            return len([event async for event in session.stream("go")])

    measured = await _measure(run, runs, at_once)
    await http.close()
    return {**measured, **_pauses(http.pauses)}


async def _bare(base_url: str, runs: int, at_once: int) -> Measured:
    import httpx

    from benchmarks.bare_client import BareRun

    start = {"model": "m", "stream": True, "store": False, "tools": _tools()}
    pauses: list[float] = []
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as client:

        async def run() -> int:
            one = BareRun(client, base_url, start)
            await one.run()
            pauses[:] = one.pauses
            return one.events

        measured = await _measure(run, runs, at_once)
    return {**measured, **_pauses(pauses)}


async def _official(base_url: str, runs: int, at_once: int) -> Measured:
    from openai import AsyncOpenAI

    official_client: Any = AsyncOpenAI(base_url=base_url, api_key="x")
    async with official_client as client:

        async def run() -> int:
            items: list[Any] = [{"role": "user", "content": "go"}]
            events = 0
            while True:
                calls: list[Any] = []
                stream = await client.responses.create(model="m", input=items, tools=_tools(), stream=True, store=False)
                async for event in stream:
                    events += 1
                    if event.type == "response.output_item.done":
                        items.append(event.item)
                        calls += [event.item] if event.item.type == "function_call" else []
                if not calls:
                    return events
                items += [
                    {"type": "function_call_output", "call_id": call.call_id, "output": '{"content":"x"}'}
                    for call in calls
                ]

        return {**await _measure(run, runs, at_once), **_pauses([])}


async def _measure(run: Run, runs: int, at_once: int) -> dict[str, float]:
    """CPU and wall seconds of a run, its events, and runs per second with so many at once; after one to warm up."""
    await run()
    cpu, wall, events = time.process_time(), time.perf_counter(), 0
    for _ in range(runs):
        found = await asyncio.gather(*[run() for _ in range(at_once)])
        events += sum(found)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    count = runs * at_once
    return {
        "cpu": cpu / count,
        "wall": wall / count,
        "events_per_second": events / wall,
        "runs_per_second": count / wall,
    }


def _pauses(pauses: list[float]) -> dict[str, float]:
    """The pause before an early request and before the last ones."""
    if len(pauses) < 2 * _AROUND:
        return {"early_pause": 0.0, "late_pause": 0.0}
    return {"early_pause": median(pauses[5 : 5 + _AROUND]), "late_pause": median(pauses[-_AROUND:])}


def _tools() -> list[dict[str, Any]]:
    return [tool_item(schema) for schema in default_registry().schemas()]


class WatchedHttp:
    """Notes how long it is from a response's end to the next request."""

    def __init__(self, http: Http) -> None:
        self.pauses: list[float] = []
        self._http = http
        self._ended = 0.0

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        self.pauses.append(time.perf_counter() - self._ended)
        async with self._http.send(request) as response:
            yield response
        self._ended = time.perf_counter()

    async def close(self) -> None:
        await self._http.close()
