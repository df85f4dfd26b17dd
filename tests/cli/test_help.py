"""`--help` and `--version`."""

import pytest

from py_agent import __version__
from tests.cli.processes import CommandLine

COMMANDS = [
    ["run"],
    ["changes"],
    ["commit"],
    ["settle"],
    ["smoke"],
    ["sessions"],
    *[["sessions", action] for action in ("list", "show", "resume", "export", "import", "repair")],
]


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_explains_itself_and_takes_the_common_options(py_agent: CommandLine, words: list[str]) -> None:
    done = py_agent(*words, "--help", COLUMNS="80")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: py-agent {' '.join(words)} [options]")
    assert all(option in done.out for option in ("--project DIR", "--state DIR", "--debug"))
    assert ".py-agent/state in the folder" in done.out


def test_the_first_page_names_every_command(py_agent: CommandLine) -> None:
    done = py_agent("--help", COLUMNS="80")
    assert done.code == 0
    assert all(f"\n    {words[0]} " in done.out for words in COMMANDS)
    version = py_agent("--version")
    assert (version.code, version.out) == (0, f"py-agent {__version__}\n")
