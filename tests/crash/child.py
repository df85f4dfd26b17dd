"""A warm process that forks a child for each scene asked for: the children are real, and so are their ends.

A request is a line of JSON. The child says each event that it was told of, and its parent how it ended.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.crash import scenes
from tests.crash.system import Plan

KILLED = 86
_real_write = os.write


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _play(**json.loads(line))
        _, status = os.waitpid(child, 0)
        say(ended=os.waitstatus_to_exitcode(status))


def _play(*, scene: str, root: str, at: int | None, is_half: bool) -> None:
    """Play a scene and end at write number `at`; this never comes back."""
    plan = Plan(lambda: os._exit(KILLED), at=at, is_half=is_half)
    sys.addaudithook(_refuse_unwatched)
    try:
        asyncio.run(getattr(scenes, scene)(Path(root), plan, say))
        say(calls=plan.calls)
    except BaseException as error:  # noqa: BLE001 -- a child must not go on with its parent's work
        say(failure=repr(error))
        os._exit(1)
    os._exit(0)


def _refuse_unwatched(event: str, arguments: tuple[Any, ...]) -> None:
    """A file that is written through `open` would not be seen by the plan."""
    if event == "open" and set(arguments[1] or "") & set("wax+"):
        raise AssertionError(f"{arguments[0]} is not written through os.")


def say(**words: object) -> None:
    _real_write(1, json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    main()
