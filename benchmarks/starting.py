"""Starting: what it takes to import py_agent, and to stand ready for a run."""

from collections.abc import Iterator
from textwrap import dedent

from benchmarks.child import cpu_of, memory_of
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.sampling import medians, prefixed
from benchmarks.scratch import Scratch

_NOTHING = "pass"
_PACKAGE = "import py_agent"
_CLIENT = "from py_agent import AgentClient"
_PYDANTIC = "import pydantic"


def measure(scratch: Scratch) -> Iterator[Figure]:
    found = medians(
        scratch.sizes.repeats,
        *[lambda code=code: {code: cpu_of(code)} for code in (_NOTHING, _PACKAGE, _CLIENT, _PYDANTIC)],
        lambda: prefixed("ready", memory_of(_ready(str(scratch.new_path())))),
        lambda: prefixed("pydantic", memory_of(_PYDANTIC)),
    )
    yield Figure(_PACKAGE, found[_PACKAGE], "s CPU", Reference("the bare interpreter", found[_NOTHING]))
    yield Figure(_CLIENT, found[_CLIENT], "s CPU", Reference(_PYDANTIC, found[_PYDANTIC]), Goal(0.3))
    for name, key in (("a ready process, memory", "rss"), ("a ready process, peak memory", "peak")):
        reference = Reference(_PYDANTIC, found[f"pydantic_{key}"] / 1e6)
        yield Figure(name, found[f"ready_{key}"] / 1e6, "MB", reference, Goal(60))


def _ready(state: str) -> str:
    """Code that opens a new session with the demo model and ends while it is open."""
    return dedent(f"""
        import asyncio, pathlib
        from py_agent import AgentClient
        from py_agent.hosts.cpython import cpython_host
        session = asyncio.run(AgentClient(cpython_host(pathlib.Path({state!r}))).open())
    """)
