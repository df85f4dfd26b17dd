"""Globs that match in linear time, whoever wrote them: `*`, `?`, `[a-z]`, `[!a-z]`, and `**` for directories.

A backslash takes the next character as it is. Nothing here backtracks more than one step.
"""

from collections.abc import Sequence
from functools import lru_cache

from py_agent.core.paths import WorkspacePath

_ANY = None
_Token = str | None | tuple[bool, tuple[tuple[str, str], ...]]


class Glob:
    """A pattern for whole paths. Without `**`, a `*` stays within one name."""

    def __init__(self, pattern: str) -> None:
        self._parts = [part for part in pattern.split("/") if part not in ("", ".")]

    def matches(self, path: WorkspacePath) -> bool:
        return match_parts(self._parts, path.parts)


def match_parts(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Match name by name; `**` stands for any number of names, none included."""
    position = at = 0
    star = resume = -1
    while at < len(names):
        if position < len(pattern) and pattern[position] == "**":
            star, resume = position, at
            position += 1
        elif position < len(pattern) and match_name(pattern[position], names[at]):
            position, at = position + 1, at + 1
        elif star >= 0:
            resume += 1
            position, at = star + 1, resume
        else:
            return False
    return all(part == "**" for part in pattern[position:])


def match_name(pattern: str, name: str) -> bool:
    """Match one name against one part of a pattern."""
    tokens = _tokens(pattern)
    position = at = 0
    star = resume = -1
    while at < len(name):
        if position < len(tokens) and tokens[position] is _ANY:
            star, resume = position, at
            position += 1
        elif position < len(tokens) and _fits(tokens[position], name[at]):
            position, at = position + 1, at + 1
        elif star >= 0:
            resume += 1
            position, at = star + 1, resume
        else:
            return False
    return all(token is _ANY for token in tokens[position:])


def _fits(token: _Token, character: str) -> bool:
    if isinstance(token, tuple):
        is_negated, ranges = token
        return any(low <= character <= high for low, high in ranges) != is_negated
    return token in ("", character)


@lru_cache(maxsize=512)
def _tokens(pattern: str) -> tuple[_Token, ...]:
    """`*` is None, `?` the empty string, a set a tuple, anything else itself."""
    tokens: list[_Token] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "*":
            if not (tokens and tokens[-1] is _ANY):
                tokens.append(_ANY)
        elif character == "?":
            tokens.append("")
        elif character == "[" and (end := _set_end(pattern, at)) > 0:
            tokens.append(_set(pattern[at:end]))
            at = end + 1
        elif character == "\\" and at < len(pattern):
            tokens.append(pattern[at])
            at += 1
        else:
            tokens.append(character)
    return tuple(tokens)


def _set_end(pattern: str, start: int) -> int:
    """Where the closing bracket stands, or -1: an open bracket without one is a plain character."""
    first = start + 1 if pattern[start : start + 1] in ("!", "^") else start
    at = first
    while at < len(pattern):
        if pattern[at] == "]" and at > first:
            return at
        at += 2 if pattern[at] == "\\" else 1
    return -1


def _set(body: str) -> tuple[bool, tuple[tuple[str, str], ...]]:
    is_negated = body[0] in "!^"
    characters = _characters(body[1:] if is_negated else body)
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(characters):
        low, _ = characters[at]
        if at + 2 < len(characters) and characters[at + 1] == ("-", False):
            ranges.append((low, characters[at + 2][0]))
            at += 3
        else:
            ranges.append((low, low))
            at += 1
    return is_negated, tuple(ranges)


def _characters(body: str) -> list[tuple[str, bool]]:
    """Each character, and whether a backslash stood before it."""
    found: list[tuple[str, bool]] = []
    at = 0
    while at < len(body):
        is_escaped = body[at] == "\\" and at + 1 < len(body)
        at += is_escaped
        found.append((body[at], is_escaped))
        at += 1
    return found
