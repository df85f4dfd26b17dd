"""The arguments of every subcommand."""

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from py_agent import __version__
from py_agent.cli import changes, run, sessions, smoke
from py_agent.providers.choice import PROVIDERS

COMMANDS = ("run", "changes", "commit", "settle", "sessions", "smoke")
_WITH_VALUE = (
    *("--project", "--state", "--session", "--provider", "--model", "--base-url", "--permission-mode", "--image"),
    *("--max-steps", "--max-seconds", "--max-tokens", "--max-cost"),
)
_PROVIDER = f"""who answers: {", ".join(PROVIDERS)} (default: openai if a key or a base URL is set, else demo)"""
_PROJECT = "the folder to work on (default: $AGENT_WORKSPACE, else this one)"
_MODES = """default (asks before it changes anything), acceptEdits (edits files unasked), bypass (asks nothing),
plan (reads only) or deny (no calls at all)"""
_STATE = "where sessions are kept (default: $AGENT_STATE_DIR, else .py-agent/state in the folder)"
_EXIT_CODES = """Exit codes: 0 completed, 1 failed or a limit reached, 2 wrong usage, 130 cancelled. Where nobody can be
asked, without a terminal or with --json, a call that needs permission is denied."""


def with_command(arguments: Sequence[str]) -> Sequence[str]:
    """Put `run` in front of a goal: of a first word that is no command."""
    position = 0
    while position < len(arguments) and arguments[position].startswith("-"):
        position += 2 if arguments[position] in _WITH_VALUE else 1
    is_goal = position < len(arguments) and arguments[position] not in COMMANDS
    return ["run", *arguments] if is_goal else arguments


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="py-agent",
        usage="py-agent COMMAND [options]\n       py-agent 'what to do'",
        description="An agent that works on a copy of your files. Nothing reaches your folder until you commit it.",
        epilog="`py-agent COMMAND --help` names the options of a command.",
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_run(_add(commands, "run", "GOAL", "work towards a goal"))
    _add_changes(_add(commands, "changes", "", "show what a session changed, as a diff"))
    _add_commit(_add(commands, "commit", "[PATH ...]", "write what a session changed to the folder"))
    _add_settle(_add(commands, "settle", "PATH ... --keep SIDE", "end a conflict: say which version of a file to keep"))
    _add_sessions(_add(commands, "sessions", "ACTION", "list, show, resume, export, import or repair sessions"))
    _add_smoke(_add(commands, "smoke", "", "check what works with a model's endpoint, in both of OpenAI's formats"))
    parser.add_argument("--version", action="version", version=f"py-agent {__version__}", help="show the version")
    _add_common(parser, project=None, state=None, debug=False)
    return parser


class _Formatter(argparse.HelpFormatter):
    """Keeps `.py-agent` in one piece."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def _add(commands: Any, words: str, rest: str, text: str) -> argparse.ArgumentParser:
    """The parser of a command, as its words, what follows them and what it does."""
    parser: argparse.ArgumentParser = commands.add_parser(
        words.rsplit(maxsplit=1)[-1],
        prog=f"py-agent {words}",
        usage=f"py-agent {words} [options] {rest}".rstrip(),
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        formatter_class=_Formatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    return parser


def _add_common(parser: argparse.ArgumentParser, **defaults: object) -> None:
    """They may stand before or after the command, so only the outermost parser has their defaults."""
    parser.add_argument("--project", type=Path, metavar="DIR", help=_PROJECT)
    parser.add_argument("--state", type=Path, metavar="DIR", help=_STATE)
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    parser.set_defaults(**defaults)


def _add_model(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _add_endpoint(parser)
    add("--permission-mode", metavar="MODE", default=None, help=_MODES)
    add("--max-steps", type=int, metavar="N", default=None, help="end the run after N responses (default: 50)")
    add("--max-seconds", type=float, metavar="S", default=None, help="end the run after S seconds")
    add("--max-tokens", type=int, metavar="N", default=None, help="end the run after N tokens")
    add("--max-cost", type=float, metavar="USD", default=None, help="end the run once it has cost so much")
    add("--json", action="store_true", default=False, help="print events, one JSON object per line; never ask")


def _add_endpoint(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--provider", metavar="P", default=None, help=_PROVIDER)
    add("--model", metavar="M", default=None, help="the model; for the provider `scripted`, the file of a script")
    add("--base-url", metavar="URL", default=None, help="an OpenAI-compatible endpoint, as http://localhost:1234/v1")


def _add_session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", default=None, help="the session (default: the folder's newest)")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXIT_CODES
    parser.add_argument("goal", nargs="+", metavar="GOAL", help="what to do, in quotes")
    parser.add_argument("--session", metavar="ID", default=None, help="go on with this session (default: a new one)")
    _add_image(parser)
    _add_model(parser)
    _add_common(parser)
    parser.set_defaults(command=run.run)


def _add_image(parser: argparse.ArgumentParser) -> None:
    text = "a picture to show to the model (PNG, JPEG, GIF or WebP); can be given several times"
    parser.add_argument("--image", type=Path, metavar="FILE", action="append", default=[], help=text)


def _add_smoke(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Exit code 0 if a run can work with the endpoint in at least one of the two formats."
    _add_endpoint(parser)
    _add_common(parser)
    parser.set_defaults(command=smoke.smoke)


def _add_changes(parser: argparse.ArgumentParser) -> None:
    _add_session(parser)
    _add_common(parser)
    parser.set_defaults(command=changes.show)


def _add_commit(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "A file that changed in the folder as well is left as it is and named; the exit code is then 1."
    parser.add_argument("paths", nargs="*", metavar="PATH", default=(), help="only these files or directories")
    _add_session(parser)
    parser.add_argument("--yes", action="store_true", default=False, help="write without asking")
    _add_common(parser)
    parser.set_defaults(command=changes.commit)


def _add_settle(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="the files that are in conflict")
    text = "session: a commit may write the session's version over the folder's; folder: the session takes the folder's"
    parser.add_argument("--keep", choices=("session", "folder"), required=True, help=text)
    _add_session(parser)
    _add_common(parser)
    parser.set_defaults(command=changes.settle)


def _add_sessions(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    listing = _add(actions, "sessions list", "", "list all sessions, the newest first")
    listing.set_defaults(command=sessions.list_all)
    show = _add_with_id(actions, "show", "show the conversation of a session")
    show.add_argument("--json", action="store_true", default=False, help="its events, one JSON object per line")
    show.set_defaults(command=sessions.show)
    resume = _add_with_id(actions, "resume", "go on with a run that was cut off")
    resume.epilog = _EXIT_CODES
    _add_model(resume)
    resume.set_defaults(command=run.resume)
    export = _add_with_id(actions, "export", "write a session with all its files to one file")
    name = "the file to write (default: session-ID.zip, here)"
    export.add_argument("-o", "--output", type=Path, metavar="FILE", default=None, help=name)
    export.set_defaults(command=sessions.export)
    take_in = _add(actions, "sessions import", "FILE", "take in an exported session or an events.jsonl")
    take_in.add_argument("file", type=Path, metavar="FILE", help="what `sessions export` wrote, or a log alone")
    take_in.set_defaults(command=sessions.take_in)
    repair = _add_with_id(actions, "repair", "copy what can be read of a damaged session into a new one")
    repair.set_defaults(command=sessions.repair)
    for each in (parser, listing, show, resume, export, take_in, repair):
        _add_common(each)


def _add_with_id(actions: Any, name: str, text: str) -> argparse.ArgumentParser:
    parser = _add(actions, f"sessions {name}", "ID", text)
    parser.add_argument("id", metavar="ID", help="its id, as `py-agent sessions list` shows it")
    return parser
