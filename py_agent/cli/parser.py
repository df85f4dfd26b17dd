"""The arguments of every subcommand."""

import argparse
from pathlib import Path

from py_agent import __version__
from py_agent.cli import changes, run, sessions
from py_agent.policy.modes import MODES
from py_agent.providers.choice import PROVIDERS

COMMANDS = ("run", "changes", "commit", "sessions")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="py-agent",
        description="An agent that works on a copy of your files. Nothing reaches your folder until you commit.",
        epilog="A first word that is no command is a goal for `run`: py-agent 'list the files'",
    )
    parser.add_argument("--version", action="version", version=f"py-agent {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    common = _common()
    _add_run(commands.add_parser("run", parents=[common], help="work towards a goal"))
    _add_changes(commands.add_parser("changes", parents=[common], help="show what a session changed, as a diff"))
    _add_commit(commands.add_parser("commit", parents=[common], help="write a session's changes to the folder"))
    _add_sessions(commands.add_parser("sessions", help="list, show, resume, export, import, repair"), common)
    return parser


def _common() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="the folder (default: here)")
    common.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="where sessions are kept (default: AGENT_STATE_DIR, else .py-agent/state in the folder)",
    )
    common.add_argument("--debug", action="store_true", help="show where an error came from")
    return common


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", metavar="M", help="the model; for the scripted provider a JSON file")
    parser.add_argument(
        "--provider", metavar="P", default="demo", help=f"one of {', '.join(PROVIDERS)} (default: demo)"
    )
    parser.add_argument("--permission-mode", metavar="MODE", default="default", help=f"one of {', '.join(MODES)}")
    parser.add_argument("--max-steps", type=int, default=50, metavar="N", help="responses per run (default: 50)")
    parser.add_argument("--max-seconds", type=float, metavar="S", help="end the run after this time")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="end the run after so many tokens")
    parser.add_argument("--max-cost", type=float, metavar="USD", help="end the run after this cost")
    parser.add_argument("--json", action="store_true", help="print one event per line; never asks")


def _add_session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help="the session (default: the newest)")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("goal", help="what to do")
    parser.add_argument("--session", metavar="ID", help="go on with this session (default: a new one)")
    _add_model(parser)
    parser.set_defaults(command=run.run)


def _add_changes(parser: argparse.ArgumentParser) -> None:
    _add_session(parser)
    parser.set_defaults(command=changes.show)


def _add_commit(parser: argparse.ArgumentParser) -> None:
    _add_session(parser)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only these files or directories")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.set_defaults(command=changes.commit)


def _add_sessions(parser: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listing = actions.add_parser("list", parents=[common], help="all sessions, newest first")
    listing.set_defaults(command=sessions.list_all)
    show = actions.add_parser("show", parents=[common], help="a session's conversation")
    show.add_argument("id")
    show.add_argument("--json", action="store_true", help="its events, one per line")
    show.set_defaults(command=sessions.show)
    resume = actions.add_parser("resume", parents=[common], help="go on with a run that was cut off")
    resume.add_argument("id")
    _add_model(resume)
    resume.set_defaults(command=run.resume)
    export = actions.add_parser("export", parents=[common], help="write a session to one file")
    export.add_argument("id")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: session-ID.zip")
    export.set_defaults(command=sessions.export)
    take_in = actions.add_parser("import", parents=[common], help="take in an exported session or an events.jsonl")
    take_in.add_argument("file", type=Path)
    take_in.set_defaults(command=sessions.take_in)
    repair = actions.add_parser("repair", parents=[common], help="salvage a damaged session into a new one")
    repair.add_argument("id")
    repair.set_defaults(command=sessions.repair)
