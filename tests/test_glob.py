"""Globs: they agree with a simple model, and no pattern takes long."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.glob import Glob

NAMES = st.text(alphabet="abc-", min_size=1, max_size=6)


def simple(pattern: str) -> re.Pattern[str]:
    """The pattern as a regular expression, character by character; sets and escapes aside."""
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(character, re.escape(character)) for character in pattern), re.DOTALL)


@given(pattern=st.text(alphabet="abc*?-", max_size=8), name=NAMES)
def test_a_name_matches_as_the_simple_model_says(pattern: str, name: str) -> None:
    assert Glob(pattern).matches(name) == bool(simple(pattern).fullmatch(name))


@given(
    pattern=st.lists(st.sampled_from(["a", "b", "*", "**", "a*b", "*a*"]), min_size=1, max_size=6),
    names=st.lists(st.sampled_from(["a", "b", "c", "ab", "acb", "bab"]), min_size=1, max_size=6),
)
def test_parts_match_as_the_simple_model_says(pattern: list[str], names: list[str]) -> None:
    *before, last = pattern
    parts = ["(?:[^/]+/)*" if part == "**" else simple_part(part) + "/" for part in before]
    expression = "".join(parts) + (".+" if last == "**" else simple_part(last))
    assert Glob("/".join(pattern)).matches("/".join(names)) == bool(re.fullmatch(expression, "/".join(names)))


def simple_part(part: str) -> str:
    return "".join("[^/]*" if character == "*" else character for character in part)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "d/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "d/e/a.py", True),
        ("src/**", "src/a/b", True),
        ("src/**", "src", False),
        ("a/**/b", "a/b", True),
        ("a**/b", "ax/b", True),
        ("a**/b", "a/x/b", False),
        ("?", "/", False),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[!a]", "/", False),
        ("a[/]b", "a/b", False),
        ("[c-a]", "b", False),
        ("[]x]", "]", True),
        ("[a-]", "-", True),
        ("[[:digit:]]", "7", True),
        ("[[:digit:]]", "d", False),
        ("[[:nothing:]]", "n", False),
        ("[a", "[a", True),
        ("a\\*", "a*", True),
        ("a\\*", "ab", False),
        ("a\\", "a\\", True),
        ("[\\]]", "]", True),
        ("[a\\-c]", "b", False),
        ("[&&a]", "&", True),
        ("*", "a\nb", True),
    ],
)
def test_sets_and_escapes(pattern: str, path: str, *, matches: bool) -> None:
    assert Glob(pattern).matches(path) is matches


@pytest.mark.parametrize(("pattern", "is_whole"), [("[a", False), ("a\\", False), ("[[:x:]]", False), ("[a]\\b", True)])
def test_a_pattern_that_is_not_whole_says_so(pattern: str, *, is_whole: bool) -> None:
    assert Glob(pattern).is_whole is is_whole


@pytest.mark.parametrize(("text", "path"), [("./src//*.py", "src/a.py"), ("a/", "a"), ("/a", "a")])
def test_a_pattern_is_read_in_normal_form(text: str, path: str) -> None:
    assert Glob.parse(text).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 1000 + "b", "a" * 255),
        ("?*" * 1000 + "b", "a" * 255),
        ("**/a/" * 500 + "b", "a/" * 2000 + "a"),
        ("**/" + "*a*/" * 300 + "b", "aa/" * 1300 + "a"),
        ("**/" * 1000 + "*a*a*a*a*/b", "aaaaaaaaaaaa/" * 300 + "a"),
    ],
)
def test_a_pattern_made_to_backtrack_comes_to_an_end(pattern: str, path: str) -> None:
    # Going back on each star would take more steps than there are seconds since the Big Bang.
    assert not Glob(pattern).matches(path)
