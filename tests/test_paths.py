"""Workspace paths: every escape is refused or stays inside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import InvalidPath

ESCAPES = [
    "..",
    "../x",
    "a/../../b",
    "a/..",
    "/",
    "/etc/passwd",
    "/workspace-evil/x",
    "/workspace/../x",
    "//x",
    "C:",
    "C:/x",
    "C:\\x",
    "a\\..\\b",
    "\\\\host\\share",
    "a\0b",
    "x" * 256,
    "d/" * 3000 + "x",
    "a/\ud800",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_an_escape_is_refused(text: str) -> None:
    with pytest.raises(InvalidPath):
        WorkspacePath.parse(text)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a/b", "a/b"),
        ("./a//b/", "a/b"),
        ("/workspace/a", "a"),
        ("/workspace", ""),
        (".", ""),
        ("", ""),
        ("%2e%2e/x", "%2e%2e/x"),
        ("a.", "a."),
        ("a ", "a "),
        ("A", "A"),
        ("...", "..."),
    ],
)
def test_a_path_is_read_in_normal_form(text: str, path: str) -> None:
    assert WorkspacePath.parse(text) == path


def test_composed_and_decomposed_names_are_two_names() -> None:
    assert WorkspacePath.parse("\u00e9") != WorkspacePath.parse("e\u0301")


@given(st.text())
def test_whatever_is_taken_in_stays_inside(text: str) -> None:
    try:
        path = WorkspacePath.parse(text)
    except InvalidPath:
        return
    assert ".." not in path.parts
    assert not path.startswith("/")
    assert WorkspacePath(path) == path == WorkspacePath.parse(path)


@given(st.lists(st.text(alphabet="ab.", min_size=1, max_size=3), min_size=1, max_size=5))
def test_parents_are_what_the_path_lies_below(names: list[str]) -> None:
    try:
        path = WorkspacePath("/".join(names))
    except InvalidPath:
        return
    assert [*path.parents(), path] == [WorkspacePath("/".join(path.parts[: n + 1])) for n in range(len(path.parts))]
    assert all(path.is_below(parent) for parent in [ROOT, *path.parents()])
    assert path.parent / path.name == path


def test_a_name_that_only_starts_alike_is_not_below() -> None:
    assert not WorkspacePath("ab/c").is_below(WorkspacePath("a"))


def test_a_model_refuses_a_path_that_leaves_the_workspace() -> None:
    class Holder(BaseModel):
        path: WorkspacePath

    with pytest.raises(ValidationError):
        Holder.model_validate({"path": "../x"})
    assert isinstance(Holder.model_validate({"path": "a/b"}).path, WorkspacePath)
