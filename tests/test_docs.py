"""The documents: their examples run, their links lead somewhere, and the tests they name exist."""

import ast
import asyncio
import inspect
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from py_agent.core import events
from py_agent.log.codec import decode_line, find_fault
from tests.cli.processes import CommandLine

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
KINDS = ("python", "sh", "json", "toml", "text")
BLOCK = re.compile(r"^```(\S*) ?(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its kind, the name that it is saved under, if any, and its text."""

    document: Path
    kind: str
    name: str
    text: str


def blocks_of(document: Path) -> list[Block]:
    return [Block(document, *found) for found in BLOCK.findall(document.read_text(encoding="utf-8"))]


def parametrized(*kinds: str) -> pytest.MarkDecorator:
    found = [block for document in DOCUMENTS for block in blocks_of(document) if block.kind in kinds]
    return pytest.mark.parametrize("block", found, ids=lambda block: f"{block.document.name}-{block.kind}")


def each_document() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)


@each_document()
def test_every_block_says_what_it_is(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    blocks = blocks_of(document)
    assert len(re.findall(r"^\s*(```|~~~)", text, re.MULTILINE)) == 2 * len(blocks)
    assert {block.kind for block in blocks} <= set(KINDS)


@parametrized("python")
def test_a_python_example_runs(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = compile(block.text, str(block.document), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(code, {"__name__": "__main__"})
    if inspect.iscoroutine(result):
        asyncio.run(result)


@parametrized("json", "toml")
def test_data_can_be_parsed(block: Block) -> None:
    assert json.loads(block.text) if block.kind == "json" else tomllib.loads(block.text)


@each_document()
def test_the_commands_of_a_document_work_one_after_the_other(document: Path, tmp_path: Path) -> None:
    py_agent = CommandLine(tmp_path)
    for block in blocks_of(document):
        if block.name:
            (py_agent.project / block.name).write_text(block.text, encoding="utf-8")
        for words in commands_of(block):
            match words:
                case ["py-agent", *rest]:
                    run(py_agent, rest)
                case ["python", "build.py", step, *_]:
                    subprocess.run([sys.executable, ROOT / "build.py", step, "--help"], check=True)
                case _:
                    pytest.fail(f"{document.name} has a command that is not checked: {words}")


def commands_of(block: Block) -> Iterator[list[str]]:
    if block.kind == "sh":
        for line in block.text.splitlines():
            if words := shlex.split(line, comments=True):
                yield words


def run(py_agent: CommandLine, words: list[str]) -> None:
    """Run in a terminal where every question is answered with yes; ID stands for the newest session."""
    newest = py_agent.sessions()[0] if py_agent.sessions() else ""
    with py_agent.terminal(*[re.sub(r"\bID\b", newest, word) for word in words]) as terminal:
        terminal.type("y\n" * 3)
        assert terminal.end() == 0, terminal.text


def test_the_first_example_writes_the_file_it_speaks_of(tmp_path: Path) -> None:
    py_agent = CommandLine(tmp_path)
    first = next(block for block in blocks_of(ROOT / "README.md") if block.text.startswith("py-agent"))
    for words in commands_of(first):
        run(py_agent, words[1:])
    assert (py_agent.project / "notes" / "a.txt").read_text() == "hello\n"


@each_document()
def test_links_lead_somewhere(document: Path) -> None:
    for link in LINK.findall(document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.is_relative_to(ROOT), link
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link


def anchors_of(document: Path) -> list[str]:
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


def test_each_guard_in_the_security_document_names_a_test_that_exists() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for file, name in NAMED_TEST.findall(text):
        assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), name
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| what")]
    assert len(rows) > 10
    assert [row for row in rows if not NAMED_TEST.search(row)] == []


def test_the_table_of_events_names_every_type() -> None:
    text = (ROOT / "docs" / "sessions.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([a-z._]+)` \|", text, re.MULTILINE)
    known = [model.model_fields["type"].default for model in get_args(events._Known)]
    assert sorted(named) == sorted(known)


def test_the_line_that_shows_the_format_of_the_log_is_one() -> None:
    lines = [block.text.strip().encode() for block in blocks_of(ROOT / "docs" / "sessions.md") if '"sum"' in block.text]
    assert [(find_fault(line, 3), decode_line(line).type) for line in lines] == [(None, "user.message")]


@each_document()
def test_every_source_file_that_a_document_names_exists(document: Path) -> None:
    named = re.findall(r"`((?:py_agent|tests|web|docs)/[\w./-]*)`", document.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []
