"""A session that is read while another process writes to it, until that process is killed."""

import os
import signal
from pathlib import Path

from py_agent.log.store import SessionStore, log_path
from tests.crash.children import Children
from tests.crash.scenes import fixed_host

READS = 50


async def test_a_reader_sees_whole_events_only_while_another_process_writes(children: Children, tmp_path: Path) -> None:
    children.start("chatter", tmp_path)
    pid = children.hear()["pid"]
    try:
        store = SessionStore(fixed_host(tmp_path))
        [session_id] = await store.list()
        lengths = [await read(store, session_id)]
        while len(lengths) < READS or lengths[-1] == lengths[0]:
            lengths.append(await read(store, session_id))
    finally:
        os.kill(pid, signal.SIGKILL)
        assert children.wait().exit_code == -signal.SIGKILL
    assert lengths == sorted(lengths)
    log = (tmp_path / "state" / log_path(session_id)).read_bytes()
    assert await read(store, session_id) == log.count(b"\n")
    await (await store.open(session_id)).close()


async def read(store: SessionStore, session_id: str) -> int:
    opened = await store.open_to_read(session_id)
    seqs = [event.seq async for events in opened.log.read() for event in events]
    await opened.close()
    assert seqs == list(range(1, len(seqs) + 1))
    return len(seqs)
