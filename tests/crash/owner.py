"""Another process that owns a session until it is killed: it says so, and then waits."""

import asyncio
import sys
from pathlib import Path

from py_agent.hosts.cpython import cpython_host


async def own(state: Path, session: str) -> None:
    host = cpython_host(state)
    await host.locks.acquire(session)
    await host.storage.open(f"{session}/events.jsonl")
    sys.stdout.write("owned\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(own(Path(sys.argv[1]), sys.argv[2]))
