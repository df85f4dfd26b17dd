"""Ignore files: they mean what git takes them to mean."""

import subprocess
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from py_agent.core.paths import WorkspacePath
from py_agent.workspace.ignore import IgnoreFile, Pattern, is_ignored, pattern_lines

Rules = Mapping[str, str]

# Ignore files by directory, then what git ignores by them and what it does not. Directories end in a slash.
TABLE: list[tuple[Rules, list[str], list[str]]] = [
    ({"": "*.o\n"}, ["a.o", "d/a.o", "d/.o"], ["d/", "a.c", "a.o.c"]),
    ({"": "/a\n"}, ["a"], ["d/", "d/a"]),
    ({"": "a\n"}, ["a", "d/a"], ["d/", "ab"]),
    ({"": "d/a\n"}, ["d/a"], ["d/", "e/", "e/d/", "e/d/a"]),
    ({"": "a/\n"}, ["d/a/", "d/a/x"], ["a", "d/"]),
    ({"": "/d/*\n!/d/keep\n"}, ["d/x", "d/e/", "d/e/keep"], ["d/", "d/keep"]),
    ({"": "d/\n!d/keep\n"}, ["d/", "d/keep"], []),
    ({"": "*.log\n!keep.log\n"}, ["x.log"], ["keep.log", "d/", "d/keep.log"]),
    ({"": "!keep.log\n*.log\n"}, ["keep.log"], []),
    ({"": "**/a\n"}, ["a", "d/a", "d/e/a"], ["d/", "d/e/"]),
    ({"": "d/**\n"}, ["d/a", "d/e/", "d/e/a"], ["d/"]),
    ({"": "d/**/a\n"}, ["d/a", "d/e/f/a"], ["d/", "d/e/", "d/e/f/", "a"]),
    ({"": "**\n"}, ["a", "d/", "d/a"], []),
    ({"": "**/d/**\n"}, ["d/a", "e/d/f/", "e/d/f/x"], ["d/", "e/", "e/d/", "x"]),
    ({"": "a**b\n"}, ["ab", "axxb"], ["a/", "a/xb"]),
    ({"": "d/a**b\n"}, ["d/axb"], ["d/", "d/a/", "d/a/b"]),
    ({"": "d/x**/b\n"}, ["d/x/b", "d/xy/z/b"], ["d/", "d/x/", "d/xy/", "d/xy/z/"]),
    ({"": "d/**b\n"}, ["d/xb"], ["d/", "d/e/", "d/e/xb"]),
    ({"": "*/a\n"}, ["d/a"], ["a", "d/", "d/e/", "d/e/a"]),
    ({"": "# note\n\\#a\n"}, ["#a", "d/#a"], ["#", "d/"]),
    ({"": "\\!a\n"}, ["!a"], ["a"]),
    ({"": "a \nb\\ \nc\\\\ \n"}, ["a", "b ", "c\\"], ["a ", "b", "c\\ "]),
    ({"": "a\\ \\  \n"}, ["a  "], ["a ", "a"]),
    ({"": "a\t\n"}, ["a\t"], ["a"]),
    ({"": "a\r\nb\r\n"}, ["a", "b"], ["c"]),
    ({"": "\ufeffa\nb"}, ["a", "b"], ["c"]),
    ({"": "a\x0bb\n"}, ["a\x0bb"], ["a", "b"]),
    ({"": "?.c\n"}, ["a.c", "d/a.c"], [".c", "ab.c", "d/"]),
    ({"": "[ab]x\n[!a-c]y\n"}, ["ax", "bx", "dy"], ["cx", "ay"]),
    ({"": "[]]a\n[a-]b\n[\\]]c\n"}, ["]a", "ab", "-b", "]c"], []),
    ({"": "[[:digit:]]*\n"}, ["1a"], ["a1"]),
    ({"": "[a\nb\\\n"}, [], ["[a", "a", "b", "b\\"]),
    ({"": "/\n//\n \n!\n"}, [], ["a", " ", "!"]),
    ({"": "a//\n"}, [], ["a/", "b"]),
    ({"": "./a\n../b\n"}, [], ["a", "b"]),
    ({"": "d/\n"}, ["e/d/", "e/d/x"], ["d", "e/"]),
    ({"": "*.txt\n", "d": "!a.txt\n"}, ["a.txt", "d/b.txt"], ["d/", "d/a.txt", "d/e/", "d/e/a.txt"]),
    ({"": "", "d": "/a\ne/b\n"}, ["d/a", "d/e/b"], ["a", "d/", "d/f/", "d/f/a", "d/e/"]),
    ({"": "!a\n", "d": "a\n"}, ["d/a"], ["a", "d/"]),
    ({"": "d\n", "d": "!a\n"}, ["d/", "d/a"], []),
    ({"": "*\n!*/\n!*.c\n"}, ["a.h", "d/a.h"], ["a.c", "d/", "d/a.c"]),
    ({"": "A\n"}, ["A"], ["a"]),
    ({"": "*\n"}, [".hidden", "a", "d/", "d/x"], []),
    (
        {"": "node_modules/\n/dist\n*.py[co]\n.env*\n!.env.example\n"},
        ["node_modules/", "node_modules/x", "p/node_modules/", "dist", "a.pyc", ".env", ".env.local"],
        ["p/", "p/dist", "a.pyd", ".env.example"],
    ),
]


def left_out(rules: Rules, paths: Collection[str]) -> set[str]:
    """What is ignored itself, or lies in a directory that is."""
    files = {directory: _file(directory, text) for directory, text in rules.items()}
    found = set()
    for text in paths:
        path = WorkspacePath(text.removesuffix("/"))
        for step in (*path.parents(), path):
            near = [files[directory] for directory in ("", *step.parents()) if directory in files]
            if is_ignored(step, near, is_directory=step != path or text.endswith("/")):
                found.add(text)
    return found


def _file(directory: str, text: str) -> IgnoreFile:
    patterns = [Pattern.parse(line) for line in pattern_lines(text)]
    return IgnoreFile(WorkspacePath(directory), [pattern for pattern in patterns if pattern is not None])


def left_out_by_git(rules: Rules, paths: Collection[str]) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _git(root, "init", "--quiet")
        for text in paths:
            path = root / text
            (path if text.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
            if not text.endswith("/"):
                path.touch()
        for directory, text in rules.items():
            (root / directory / ".gitignore").write_bytes(text.encode())
        names = {text.removesuffix("/"): text for text in paths}
        found = _git(root, "check-ignore", "--stdin", "-z", stdin="\0".join(names))
        return {names[name] for name in found.split("\0") if name}


def _git(root: Path, *words: str, stdin: str = "") -> str:
    command = ["git", "-c", "core.excludesFile=/dev/null", *words]
    done = subprocess.run(command, cwd=root, input=stdin.encode(), capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode()


@pytest.mark.parametrize(("rules", "ignored", "kept"), TABLE)
def test_what_git_ignores_is_left_out(rules: Rules, ignored: list[str], kept: list[str]) -> None:
    assert left_out(rules, [*ignored, *kept]) == set(ignored)


def test_a_line_longer_than_any_path_matches_nothing() -> None:
    assert Pattern.parse("*" * 5000) is None


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "ignored", "kept"), TABLE)
def test_the_table_is_what_git_says(rules: Rules, ignored: list[str], kept: list[str]) -> None:
    assert left_out_by_git(rules, [*ignored, *kept]) == set(ignored)


NAMES = st.sampled_from(["a", "b", "ab", "a.o", "b.o", "c", " ", "!", "#a", "[a]", "-", "*", "a "])
PIECES = ["a", "b", "c", ".o", "*", "**", "/", "/**/", "**/", "?", "[ab]", "[!a]", "[a-c]", "[]-a]", "[[:alpha:]]"]
LINES = st.lists(st.sampled_from([*PIECES, "\\*", "\\a", "\\ ", "!", "#", " ", "[", "]", "-", "\r"]), max_size=6).map(
    "".join
)
TEXTS = st.lists(LINES, min_size=1, max_size=4).map("\n".join)


@st.composite
def trees(draw: st.DrawFn) -> set[str]:
    """Paths of files and directories in which no file is a directory too."""
    paths = draw(st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=15))
    parents = {str(parent) for path in paths for parent in WorkspacePath(path).parents()}
    directories = parents | {path for path in paths if draw(st.booleans())}
    return {f"{path}/" if path in directories else path for path in {*paths, *parents}}


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(paths=trees(), text=TEXTS, below=TEXTS)
def test_rules_agree_with_git(paths: set[str], text: str, below: str) -> None:
    directory = min((path.removesuffix("/") for path in paths if path.endswith("/")), default="")
    rules = {directory: below, "": text}
    assert left_out(rules, paths) == left_out_by_git(rules, paths)
