"""Command lines for the person to copy."""

import argparse
import shlex


def command_line(options: argparse.Namespace, *words: str) -> str:
    """A command that acts on the same folder and state as the one that is running."""
    where = [] if options.project is None else ["--project", str(options.project)]
    where += ["--state", str(options.state)] if options.state else []
    return shlex.join(["py-agent", *words, *where])


def count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"
