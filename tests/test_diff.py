"""Diffs: their hunks lead from the old text to the new one, and no text takes long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.changes import Change
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry
from py_agent.hosts.memory import MemoryStorage
from py_agent.workspace.diff import CONTEXT_LINES, MAX_TEXT_BYTES, Hunk, change_hunks, decode_text, diff_text
from py_agent.workspace.transaction import hash_bytes

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "a\r\n", "\x0c\n", "\u2028\n"]), max_size=30)
TEXTS = st.one_of(LINES.map("".join), LINES.map(lambda lines: "".join(lines) + "end"), st.text(max_size=40))


def hunks_of(old: str, new: str) -> list[Hunk]:
    hunks = diff_text(old, new)
    assert hunks is not None
    return hunks


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def patched(old: str, hunks: list[Hunk]) -> str:
    """What the hunks make of a text, each put where its numbers say."""
    lines, result, at = lines_of(old), [], 0
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        result += lines[at:start]
        assert len(result) == (hunk.new_start - 1 if hunk.new_count else hunk.new_start)
        assert [line.text for line in hunk.lines if line.sign != "+"] == lines[start : start + hunk.old_count]
        added = [line.text for line in hunk.lines if line.sign != "-"]
        assert len(added) == hunk.new_count
        result += added
        at = start + hunk.old_count
    return "".join(result + lines[at:])


@given(old=TEXTS, new=TEXTS)
def test_hunks_make_the_new_text_of_the_old_one(old: str, new: str) -> None:
    hunks = hunks_of(old, new)
    assert patched(old, hunks) == new
    assert bool(hunks) == (old != new)


@given(old=TEXTS, new=TEXTS)
def test_hunks_have_three_lines_around_them_and_do_not_touch(old: str, new: str) -> None:
    end = -1
    for hunk in hunks_of(old, new):
        signs = "".join(line.sign for line in hunk.lines)
        assert len(signs) - len(signs.lstrip()) <= CONTEXT_LINES
        assert len(signs) - len(signs.rstrip()) <= CONTEXT_LINES
        assert " " * (2 * CONTEXT_LINES + 1) not in signs
        assert hunk.old_start > end
        end = hunk.old_start + hunk.old_count


@given(lines=LINES, place=st.integers(0, 30))
def test_one_new_line_is_one_edit(lines: list[str], place: int) -> None:
    changed = [*lines[:place], "new\n", *lines[place:]]
    [hunk] = hunks_of("".join(lines), "".join(changed))
    assert [line.text for line in hunk.lines if line.sign != " "] == ["new\n"]


def test_a_hunk_is_what_other_tools_make_it() -> None:
    old = "".join(f"{number}\n" for number in range(1, 21))
    new = old.replace("5\n", "five\n", 1).replace("19\n", "").replace("20\n", "20")
    first, second = hunks_of(old, new)
    assert (first.header, second.header) == ("@@ -2,7 +2,7 @@", "@@ -16,5 +16,4 @@")
    assert [line.sign + line.text for line in first.lines] == [
        " 2\n",
        " 3\n",
        " 4\n",
        "-5\n",
        "+five\n",
        " 6\n",
        " 7\n",
        " 8\n",
    ]
    assert [line.sign + line.text for line in second.lines][-3:] == ["-19\n", "-20\n", "+20"]


def test_an_empty_side_starts_at_line_zero() -> None:
    assert hunks_of("", "a\nb\n")[0].header == "@@ -0,0 +1,2 @@"
    assert hunks_of("a\n", "")[0].header == "@@ -1,1 +0,0 @@"


ALTERNATING = "a\nb\n" * 10_000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (ALTERNATING, "b\n" + ALTERNATING[:-2]),
        (ALTERNATING, "a\na\nb\nb\n" * 5_000),
        (ALTERNATING, "b\na\na\n" * 6_666),
        (
            "".join(f"old {number}\n" for number in range(20_000)),
            "".join(f"new {number}\n" for number in range(20_000)),
        ),
        ("".join(f"{number}\n" for number in range(20_000)), "".join(f"{number}\n" for number in range(20_000, 0, -1))),
        (
            "".join(f"mark {number}\n" + "a\nb\nc\n" * 200 for number in range(33)),
            "".join(f"mark {number}\n" + "c\na\na\nb\n" * 150 for number in range(33)),
        ),
    ],
)
def test_texts_made_to_be_compared_for_ever_are_done_at_once(old: str, new: str) -> None:
    # The fewest edits would take hundreds of millions of steps to find; the search gives up long before.
    assert patched(old, hunks_of(old, new)) == new


def test_a_few_edits_in_a_long_text_stay_a_few() -> None:
    lines = [f"line {number % 97}\n" for number in range(20_000)]
    changed = list(lines)
    for place in range(500, 20_000, 1_000):
        changed[place] = "changed\n"
    hunks = hunks_of("".join(lines), "".join(changed))
    assert len(hunks) == 20
    assert sum(line.sign != " " for hunk in hunks for line in hunk.lines) == 40


def test_too_many_lines_are_not_compared() -> None:
    assert diff_text("", "x\n" * 20_001) is None


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"\xc3\xa9t\xc3\xa9", "été"), (b"a\0b", None), (b"\xff", None), (b"x" * (MAX_TEXT_BYTES + 1), None)],
)
def test_what_can_be_shown_as_text(data: bytes, text: str | None) -> None:
    assert decode_text(data) == text


async def test_a_change_of_any_kinds_is_shown() -> None:
    blobs = MemoryStorage().blobs
    data = b"one\ntwo\n"
    await blobs.put_many([(hash_bytes(data), data), (hash_bytes(b"\0"), b"\0")])
    file = TreeEntry(kind="file", sha256=hash_bytes(data), size=len(data))
    binary = TreeEntry(kind="file", sha256=hash_bytes(b"\0"), size=1)
    link = TreeEntry(kind="symlink", target="x")

    async def signs(before: TreeEntry | None, after: TreeEntry | None) -> str | None:
        hunks = await change_hunks(blobs, Change(path=WorkspacePath("a"), before=before, after=after))
        return None if hunks is None else "".join(line.sign for hunk in hunks for line in hunk.lines)

    assert await signs(None, file) == "++"
    assert await signs(file, DIRECTORY) == "--"
    assert await signs(file, link) == "--+"
    assert await signs(file, file.model_copy(update={"executable": True})) == ""
    assert await signs(file, binary) is None
    assert await signs(None, file.model_copy(update={"size": MAX_TEXT_BYTES + 1})) is None
