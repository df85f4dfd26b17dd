"""A folder of its own for each test of the command line."""

from pathlib import Path

import pytest

from tests.cli.processes import CommandLine


@pytest.fixture
def py_agent(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)
