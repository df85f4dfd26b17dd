"""Globs: they agree with a simple model, and no pattern takes long."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.glob import Glob, match_name, match_parts
from py_agent.core.paths import WorkspacePath

NAMES = st.text(alphabet="abc-", min_size=1, max_size=6)


def simple(pattern: str) -> re.Pattern[str]:
    """The pattern as a regular expression, character by character; sets and escapes aside."""
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(character, re.escape(character)) for character in pattern), re.DOTALL)


@given(pattern=st.text(alphabet="abc*?-", max_size=8), name=NAMES)
def test_a_name_matches_as_the_simple_model_says(pattern: str, name: str) -> None:
    assert match_name(pattern, name) == bool(simple(pattern).fullmatch(name))


@given(
    pattern=st.lists(st.sampled_from(["a", "b", "*", "**"]), max_size=6),
    names=st.lists(st.sampled_from(["a", "b", "c"]), max_size=6),
)
def test_parts_match_as_the_simple_model_says(pattern: list[str], names: list[str]) -> None:
    expression = "".join({"**": "(?:[^/]+/)*", "*": "[^/]+/"}.get(part, f"{part}/") for part in pattern)
    assert match_parts(pattern, names) == bool(re.fullmatch(expression, "".join(f"{name}/" for name in names)))


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "d/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "d/e/a.py", True),
        ("src/**", "src/a/b", True),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[]x]", "]", True),
        ("[a", "[a", True),
        ("a\\*", "a*", True),
        ("a\\*", "ab", False),
        ("[\\]]", "]", True),
        ("[a\\-c]", "b", False),
    ],
)
def test_sets_and_escapes(pattern: str, path: str, *, matches: bool) -> None:
    assert Glob(pattern).matches(WorkspacePath(path)) is matches


def test_a_pattern_made_to_backtrack_is_done_in_steps_that_grow_with_its_length() -> None:
    steps: list[int] = []

    class Counting(str):
        __slots__ = ()

        def __getitem__(self, index: object) -> str:
            steps[-1] += 1
            return super().__getitem__(index)  # type: ignore[index]

    for length in (50, 100, 200):
        steps.append(0)
        assert not match_name("*a" * 20 + "b", Counting("a" * length))
    assert all(later < 3 * earlier for earlier, later in pairwise(steps))
