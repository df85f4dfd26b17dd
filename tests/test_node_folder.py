"""A folder on a real disk as Node sees it: what only a disk can hold."""

import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.remote.payload import ROOT

pytestmark = pytest.mark.node
MODULE = (ROOT / "web/host/node/folder.js").as_uri()


def in_node(root: Path, body: str) -> Any:
    """Run some JavaScript with a `folder` and `fs`; gives what it returns."""
    script = f"""
        import fs from "node:fs";
        import {{ NodeFolder }} from "{MODULE}";
        const folder = new NodeFolder({json.dumps(str(root))});
        const result = await (async () => {{ {body} }})();
        process.stdout.write(JSON.stringify(result));
    """
    command = [os.environ["PY_AGENT_NODE"], "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_kind_of_entry_is_listed_as_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mknod(tmp_path / "socket", stat.S_IFSOCK | 0o600)
    (tmp_path / os.fsdecode(b"bad\xff\xc3\xa9")).write_text("x")
    (tmp_path / "link").symlink_to(os.fsdecode(b"to\xff"))
    (tmp_path / "tool").touch(0o755)
    (tmp_path / "d").mkdir()
    entries = json.loads(in_node(tmp_path, "return folder.list('')"))
    found = {entry["name"]: (entry["kind"], entry.get("target"), entry.get("executable")) for entry in entries}
    assert found == {
        "pipe": ("special", None, None),
        "socket": ("special", None, None),
        os.fsdecode(b"bad\xff\xc3\xa9"): ("special", None, None),
        "link": ("symlink", os.fsdecode(b"to\xff"), None),
        "tool": ("file", None, True),
        "d": ("dir", None, None),
    }


def test_reading_a_pipe_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert in_node(tmp_path, "return folder.read('pipe').catch((error) => error.name)") == "PathMissing"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    (outside / "a").write_text("safe")
    (root / "d").symlink_to(outside)
    body = """
        const failures = [];
        for (const act of [
            () => folder.write("d/a", new Uint8Array([1]), false), () => folder.make_dir("d/b"),
            () => folder.link("d/c", "x"), () => folder.remove("d/a"),
        ]) await act().catch((error) => failures.push(error.name));
        return failures;
    """
    assert in_node(root, body) == ["WrongKind"] * 4
    assert [path.name for path in outside.iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("mode", "executable", "expected"),
    [(0o600, "false", 0o600), (0o744, "true", 0o744), (0o640, "true", 0o750), (0o755, "false", 0o644)],
)
def test_permissions_are_kept_but_for_what_the_session_says(
    tmp_path: Path, mode: int, executable: str, expected: int
) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(mode)
    in_node(tmp_path, f"return folder.write('a', new Uint8Array([1]), {executable})")
    assert (tmp_path / "a").stat().st_mode & 0o7777 == expected
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_that_never_rests_is_not_taken_half_written(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("x")
    body = """
        const read = fs.readFileSync;
        let left = 2;
        fs.readFileSync = (...args) => {
            const bytes = read(...args);
            if (left-- > 0) fs.appendFileSync(folder.label + "/log", "more");
            return bytes;
        };
        const size = (await folder.read("log")).length;
        left = 100;
        return [size, await folder.read("log").catch((error) => error.name)];
    """
    assert in_node(tmp_path, body) == [9, "StorageFailed"]


def test_a_directory_of_thousands_lets_others_have_their_turn(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / str(number)).touch()
    body = """
        let turns = 0;
        const timer = setInterval(() => { turns += 1; }, 0);
        const entries = JSON.parse(await folder.list(""));
        clearInterval(timer);
        return [entries.length, turns > 0];
    """
    assert in_node(tmp_path, body) == [2000, True]
