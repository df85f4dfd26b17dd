"""What the package offers by name, and what importing it loads."""

import subprocess
import sys

import pytest

import py_agent
from py_agent import AgentClient, AgentOptions, client


def test_the_package_offers_the_facade_under_its_names() -> None:
    assert AgentClient is client.AgentClient
    assert AgentOptions is client.AgentOptions
    assert all(hasattr(py_agent, name) for name in py_agent.__all__)


def test_a_name_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'AgentCleint'"):
        py_agent.AgentCleint  # type: ignore[attr-defined]  # noqa: B018


def test_nothing_else_is_loaded_until_a_name_is_asked_for() -> None:
    code = (
        "import sys; before = set(sys.modules); import py_agent; print(sorted(set(sys.modules) - before));"
        "py_agent.AgentClient; print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.splitlines() == ["['py_agent']", "True"]
