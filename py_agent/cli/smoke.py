"""`py-agent smoke`: what works with an endpoint, as a table of both formats."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from py_agent.cli.setup import make_models
from py_agent.cli.terminal import notice, say
from py_agent.errors import UsageError
from py_agent.ports.host import Host
from py_agent.providers.choice import ModelChoice, openai_model
from py_agent.providers.model import Model
from py_agent.providers.openai import WireFormat
from py_agent.providers.smoke import Check, check_endpoint

FORMATS: tuple[WireFormat, ...] = ("responses", "chat")
# Without these a run cannot work; the others are good to have.
_NEEDED = ("an answer, streamed", "a call, and its result")


async def smoke(options: argparse.Namespace) -> int:
    choice, host = make_models(options)
    if choice.provider != "openai":
        raise UsageError(
            f"The provider {choice.provider} has no endpoint to check; name one with --base-url or OPENAI_BASE_URL."
        )
    columns: dict[str, Sequence[Check]] = {}
    for wire_format in FORMATS:
        notice(f"Asking {openai_model(choice, host).endpoint} in the format {wire_format} ...")
        columns[wire_format] = await _check(replace(choice, wire_format=wire_format), host)
    _show(columns)
    return 0 if any(_is_usable(checks) for checks in columns.values()) else 1


async def _check(choice: ModelChoice, host: Host) -> list[Check]:
    def make(is_streamed: bool) -> Model:
        return openai_model(replace(choice, is_streamed=is_streamed), host)

    return await check_endpoint(make, host.clock)


def _show(columns: dict[str, Sequence[Check]]) -> None:
    width = max(len(check.name) for checks in columns.values() for check in checks) + 2
    say("".join(text.ljust(width) for text in ("", *columns)).rstrip())
    for row in zip(*columns.values(), strict=True):
        cells = ["failed" if check.problem else f"ok, {check.seconds:.1f} s" for check in row]
        say("".join(text.ljust(width) for text in (row[0].name, *cells)).rstrip())
    for wire_format, checks in columns.items():
        for problem in dict.fromkeys(check.problem for check in checks if check.problem):
            names = ", ".join(check.name for check in checks if check.problem == problem)
            say(f"\n{wire_format} ({names}): {problem}")


def _is_usable(checks: Sequence[Check]) -> bool:
    return not any(check.problem for check in checks if check.name in _NEEDED)
