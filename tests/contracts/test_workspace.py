"""The shadow workspace, on every host: files, transactions, events, and no way out."""

import asyncio
from random import Random

import pytest

from py_agent.client import AgentClient, AgentOptions
from py_agent.core.events import ToolResult, WorkspaceChanged
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.errors import InvalidPath, PathMissing, WrongKind
from py_agent.ports.host import Host
from py_agent.providers.model import Model as LanguageModel
from py_agent.run.session import Session
from py_agent.tools.registry import Registry
from py_agent.tools.tool import Tool, ToolContext, ToolInput
from py_agent.workspace.transaction import hash_bytes
from tests.contracts.place import Place
from tests.folders import at, delete, do, keep, write
from tests.scenes import call, client_with, run_all, script, stored
from tests.workspace_model import Model, hashes, random_operation, tree_hashes

DONE = {"text": "Done."}
ESCAPES = [
    "../x",
    "a/../../x",
    "/etc/passwd",
    "/workspace-evil/x",
    "/workspace/../x",
    "..\\x",
    "a\0b",
    "C:\\x",
    "C:/x",
    "x" * 256,
    "leads_out",
    "leads_out/x",
    "inside/../../x",
    "loop",
]
KEPT_INSIDE = ["%2e%2e/x", "...", "a.", "a ", "A", "\u00e9", "e\u0301", "~", "-rf", "a:b", "con", "\u202e"]


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_random_transactions_leave_what_a_dict_of_paths_would_hold(place: Place, seed: int) -> None:
    random, model = Random(seed), Model()
    session = await Session.create(await place.open())
    for _ in range(12):
        for operation in (steps := [random_operation(random) for _ in range(4)]):
            model.can(operation)
        await do(session, *steps)
    assert tree_hashes(session.workspace.tree) == hashes(model.contents)
    for path, data in model.contents.items():
        if data is not None:
            assert await session.workspace.read(at(path)) == data
    await session.close()
    again = await Session.open(await place.restart(), session.session_id)
    assert dict(again.workspace.tree) == dict(session.workspace.tree)
    assert again.workspace.changes() == session.workspace.changes()
    await again.close()


async def test_files_are_listed_stated_globbed_and_snapshot(place: Place) -> None:
    session = await Session.create(await place.open())
    await do(session, write("src/a.py", b"12345"), write("src/deep/b.py", b""), write("c.txt", b"x"))
    workspace = session.workspace
    assert [(name, entry.kind) for name, entry in workspace.list()] == [("c.txt", "file"), ("src", "dir")]
    assert [name for name, _ in workspace.list(at("src"))] == ["a.py", "deep"]
    assert (workspace.stat(at("src/a.py")).size, workspace.stat(ROOT).kind) == (5, "dir")
    assert await workspace.glob("**/*.py") == ["src/a.py", "src/deep/b.py"]
    assert await workspace.glob("./src/*") == ["src/a.py"]
    assert workspace.snapshot()[at("c.txt")].sha256 == hash_bytes(b"x")
    with pytest.raises(PathMissing):
        await workspace.read(at("none"))
    with pytest.raises(WrongKind):
        await workspace.read(at("src"))
    with pytest.raises(InvalidPath):
        await workspace.glob("*" * 5000)
    await session.close()


async def test_empty_directories_executable_bits_and_links_are_kept(place: Place) -> None:
    session = await Session.create(await place.open())
    async with session.workspace.transaction() as transaction:
        transaction.make_dir(at("empty/inner"))
        transaction.write(at("bin/tool"), b"#!", executable=True)
        transaction.link(at("link"), "bin/tool")
        await keep(session, transaction)
    async with session.workspace.transaction() as transaction:
        transaction.write(at("link"), b"#! changed")
        transaction.move(at("bin"), at("sbin"))
        transaction.move(at("link"), at("old"))
        await keep(session, transaction)
    await session.close()
    again = await Session.open(await place.restart(), session.session_id)
    tree = again.workspace.tree
    assert sorted(tree) == ["empty", "empty/inner", "old", "sbin", "sbin/tool"]
    assert (tree[at("sbin/tool")].executable, tree[at("old")].target) == (True, "bin/tool")
    assert await again.workspace.read(at("sbin/tool")) == b"#! changed"
    await again.close()


async def test_each_change_names_its_call_and_what_was_before_and_after(place: Place) -> None:
    steps = script(
        call("Write", file_path="d/a.txt", content="one"),
        call("Write", file_path="d/a.txt", content="two", overwrite=True),
        DONE,
    )
    async with await client_with(await place.open(), steps).open() as session:
        events = await run_all(session, "go")
        first, second = [event for event in events if isinstance(event, WorkspaceChanged)]
        results = [event.tool_use_id for event in events if isinstance(event, ToolResult)]
        assert [first.tool_use_id, second.tool_use_id] == results
        assert (first.origin, first.changes[0].path, first.changes[0].after) == ("tool", "d", TreeEntry(kind="dir"))
        assert [sha256(first.changes[1].before), sha256(first.changes[1].after)] == [None, hash_bytes(b"one")]
        [change] = second.changes
        assert [sha256(change.before), sha256(change.after)] == [hash_bytes(b"one"), hash_bytes(b"two")]


def sha256(entry: TreeEntry | None) -> str | None:
    return entry.sha256 if entry is not None else None


class NoInput(ToolInput):
    pass


async def write_and_fail(arguments: NoInput, context: ToolContext) -> None:
    context.workspace.write(at("half.txt"), b"half")
    context.workspace.delete(at("kept.txt"))
    raise ValueError("it went wrong")


async def write_and_wait(arguments: NoInput, context: ToolContext) -> None:
    context.workspace.write(at("half.txt"), b"half")
    await asyncio.Event().wait()


def client_with_tools(host: Host, model: LanguageModel, *tools: Tool[NoInput]) -> AgentClient:
    return AgentClient(host, AgentOptions(model=model, tools=Registry(tools), permission_mode="bypass"))


async def test_a_tool_that_fails_changes_nothing(place: Place) -> None:
    tool = Tool("Fail", "Fails.", NoInput, write_and_fail, edits=True)
    client = client_with_tools(await place.open(), script(call("Fail"), DONE), tool)
    async with await client.open() as session:
        await do(session._session, write("kept.txt", b"x"))
        events = await run_all(session, "go")
        [result] = [event for event in events if isinstance(event, ToolResult)]
        assert (result.is_error, result.error_message) == (True, "it went wrong")
        assert not [event for event in events if isinstance(event, WorkspaceChanged)]
        assert sorted(session.workspace.tree) == ["kept.txt"]


async def test_a_tool_that_is_cancelled_changes_nothing_and_the_next_one_can_work(place: Place) -> None:
    tool = Tool("Wait", "Waits.", NoInput, write_and_wait, edits=True)
    client = client_with_tools(await place.open(), script(call("Wait"), DONE), tool)
    async with await client.open() as session:
        async for event in session.stream("go"):
            if event.type == "permission.decision":
                session.cancel()
        assert not [event for event in await stored(session) if isinstance(event, WorkspaceChanged)]
        await do(session._session, write("later.txt", b"x"))
        assert sorted(session.workspace.tree) == ["later.txt"]


async def test_transactions_take_turns(place: Place) -> None:
    session = await Session.create(await place.open())
    await do(session, write("count", b"0"))

    async def count_up() -> None:
        async with session.workspace.transaction() as transaction:
            number = int(await transaction.read(at("count")))
            await asyncio.sleep(0)
            transaction.write(at("count"), b"%d" % (number + 1))
            await keep(session, transaction)

    await asyncio.gather(*[count_up() for _ in range(10)])
    assert await session.workspace.read(at("count")) == b"10"
    await session.close()


async def test_sessions_do_not_see_each_others_files_but_share_their_bytes(place: Place) -> None:
    host = await place.open()
    one, other = await Session.create(host), await Session.create(host)
    await do(one, write("a", b"shared"))
    assert not other.workspace.exists(at("a"))
    assert await host.storage.blobs.has(hash_bytes(b"shared"))
    await do(other, write("b", b"shared"))
    assert await other.workspace.read(at("b")) == b"shared"
    await one.close()
    await other.close()


async def with_links(session: Session) -> None:
    """Links as an import finds them, which no tool makes."""
    tree = session.workspace.tree
    for link, target in (("leads_out", "../.."), ("inside", "d"), ("loop", "loop")):
        tree.put(at(link), TreeEntry(kind="symlink", target=target))


@pytest.mark.parametrize("path", ESCAPES)
async def test_no_tool_gets_out(place: Place, path: str) -> None:
    steps = script(
        call("Read", file_path=path),
        call("Write", file_path=path, content="x"),
        call("Write", file_path=path, content="x", overwrite=True),
        call("List", path=path),
        DONE,
    )
    async with await client_with(await place.open(), steps).open() as session:
        await with_links(session._session)
        before = dict(session.workspace.tree)
        results = [event for event in await run_all(session, "go") if isinstance(event, ToolResult)]
        assert [result.error_type for result in results] == ["InvalidPath"] * 4
        assert dict(session.workspace.tree) == before


@pytest.mark.parametrize("path", KEPT_INSIDE)
async def test_an_odd_name_is_a_name_like_any_other(place: Place, path: str) -> None:
    steps = script(call("Write", file_path=path, content="x"), call("Read", file_path=f"/workspace/./{path}"), DONE)
    async with await client_with(await place.open(), steps).open() as session:
        results = [event for event in await run_all(session, "go") if isinstance(event, ToolResult)]
        assert [result.is_error for result in results] == [False, False]
        assert [entry for entry, found in session.workspace.tree.items() if found.kind == "file"] == [path]


async def test_two_spellings_of_a_name_are_two_files(place: Place) -> None:
    session = await Session.create(await place.open())
    names = ["a", "A", "\u00e9", "e\u0301", "a.", "a "]
    await do(session, *[write(name, name.encode()) for name in names])
    assert [await session.workspace.read(at(name)) for name in names] == [name.encode() for name in names]
    await session.close()


async def test_long_lists_of_changes_come_back_from_the_log(place: Place) -> None:
    session = await Session.create(await place.open())
    await do(session, *[write(f"d{number % 7}/{number}", b"%d" % number) for number in range(700)])
    [event] = [event async for events in session.log.read() for event in events]
    assert isinstance(event, WorkspaceChanged)
    assert event.changes_blob is not None
    assert len(event.model_dump_json()) < 2000
    await session.close()
    again = await Session.open(await place.restart(), session.session_id)
    assert dict(again.workspace.tree) == dict(session.workspace.tree)
    assert len(again.workspace.tree) == 707
    await again.close()


async def test_a_path_of_the_root_alone_is_the_whole_workspace(place: Place) -> None:
    session = await Session.create(await place.open())
    await do(session, write("a", b""))
    assert [name for name, _ in session.workspace.list(WorkspacePath.parse("/workspace"))] == ["a"]
    assert session.workspace.exists(WorkspacePath.parse("."))
    await session.close()


async def test_a_deletion_of_a_directory_is_one_event_with_each_path(place: Place) -> None:
    session = await Session.create(await place.open())
    await do(session, write("d/a", b"1"), write("d/e/b", b"2"))
    await do(session, delete("d"))
    events = [event async for events in session.log.read() for event in events]
    assert isinstance(events[-1], WorkspaceChanged)
    assert [(str(change.path), change.kind) for change in events[-1].changes] == [
        ("d", "delete"),
        ("d/a", "delete"),
        ("d/e", "delete"),
        ("d/e/b", "delete"),
    ]
    assert dict(session.workspace.tree) == {}
    await session.close()
