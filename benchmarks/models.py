"""Models: what a run costs beyond the requests that it makes, against a bare client making the same ones."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote

from benchmarks.child import ROOT, in_child
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.model_clients import bare, official, ours
from benchmarks.sampling import Measured, medians, prefixed
from benchmarks.scratch import Scratch

Client = Callable[..., Measured]
_BARE = "bare httpx, json.loads"
_READ = quote('{"file_path":"{turn}.txt"}', safe="")


def measure(scratch: Scratch) -> Iterator[Figure]:
    sizes, state = scratch.sizes, scratch.new_path()
    with _server() as server:

        def compare(scenario: str, *clients: Client, runs: int = 1, at_once: int = 1) -> dict[str, float]:
            words = (f"{server}/{scenario}/v1", state, runs, at_once)
            return medians(sizes.repeats, *[_sample(client, words) for client in clients])

        ten_calls = f"tools/10/Read/{_READ}"
        found = compare(ten_calls, ours, bare, official, runs=sizes.model_runs)
        yield from _figures("a run of 10 calls", found, "cpu", "ms CPU", scale=1e3, goal=Goal(2.5, is_ratio=True))
        found = compare(f"deltas/{sizes.deltas}", ours, bare, official)
        goal = Goal(0.5, is_ratio=True, is_least=True)
        yield from _figures(f"{sizes.deltas:,} deltas", found, "events_per_second", "/s", goal=goal)
        turns = sizes.model_turns
        found = compare(f"tools/{turns}/Read/{_READ}", ours, bare)
        yield _figure(f"pause before request {turns}", found, "late_pause", "ms", 1e3, Goal(2, is_ratio=True))
        yield _figure("pause before request 10", found, "early_pause", "ms", 1e3, None)
        found = compare(ten_calls, ours, bare, official, at_once=sizes.at_once)
        goal = Goal(0.65, is_ratio=True, is_least=True)
        yield from _figures(f"{sizes.at_once} runs at once", found, "runs_per_second", "runs/s", goal=goal)


def _sample(client: Client, words: tuple[object, ...]) -> Callable[[], Measured]:
    return lambda: prefixed(client.__name__, in_child(client, *words))


def _figures(
    name: str, found: dict[str, float], key: str, unit: str, *, scale: float = 1.0, goal: Goal
) -> Iterator[Figure]:
    yield _figure(name, found, key, unit, scale, goal)
    reference = Reference(_BARE, found[f"bare_{key}"] * scale)
    yield Figure(f"{name}, the openai package", found[f"official_{key}"] * scale, unit, reference)


def _figure(name: str, found: dict[str, float], key: str, unit: str, scale: float, goal: Goal | None) -> Figure:  # noqa: PLR0917
    return Figure(name, found[f"ours_{key}"] * scale, unit, Reference(_BARE, found[f"bare_{key}"] * scale), goal)


@contextmanager
def _server() -> Iterator[str]:
    """The address of a model server in a process of its own."""
    command = [sys.executable, "-m", "tests.model_server", "--scenario", "echo"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1].removesuffix("/echo/v1")
        finally:
            process.kill()
