"""A process of Node that is killed at some writes of a session in Pyodide; another goes on with it."""

import json
from pathlib import Path

import pytest

from tests.crash import killed
from tests.remote.node import NodeTests

pytestmark = [pytest.mark.node, pytest.mark.slow, pytest.mark.parametrize("host", ["node"])]


@pytest.mark.parametrize("number", range(len(killed.KILLS)), ids=map(repr, killed.KILLS))
def test_a_session_whose_process_was_killed_goes_on_in_another(
    tmp_path: Path, node_tests: NodeTests, host: str, number: int
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    dying = NodeTests(tmp_path)
    try:
        assert "Node gave no answer but ''" in dying.run(wanted("die", root, number))
    finally:
        dying.close()
    assert [*root.rglob("events.jsonl")]
    assert node_tests.run(wanted("go_on", root)) == ""


def wanted(name: str, root: Path, *choices: int) -> str:
    return json.dumps({"module": killed.__name__, "name": name, "choices": choices, "root": str(root), "server": ""})
