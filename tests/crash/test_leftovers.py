"""What a crash leaves beside the files of a state directory is not taken for one of them."""

from pathlib import Path

from py_agent.client import AgentClient
from py_agent.hosts.cpython import cpython_host
from py_agent.hosts.memory import memory_host

SESSION_ID = "ab" * 16


async def test_a_file_on_its_way_into_place_is_not_listed(tmp_path: Path) -> None:
    storage = cpython_host(tmp_path).storage
    await storage.write("a/meta.json", b"{}")
    (tmp_path / "a/meta.json.0123abcd.new").write_bytes(b"{")
    assert await storage.list("a") == ["meta.json"]


async def test_a_session_whose_meta_json_never_came_is_not_listed_and_does_not_stop_the_others() -> None:
    host = memory_host()
    await (await host.storage.open(f"sessions/{SESSION_ID}/events.jsonl")).close()
    client = AgentClient(host)
    assert await client.sessions.list() == []
    assert await client.newest() is None
    session_id = await client.sessions.create()
    assert await client.newest() == session_id
