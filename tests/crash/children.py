"""Children of a warm process: started, listened to and killed from a test."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash.child import KILLED
from tests.crash.moments import Moment
from tests.remote.payload import ROOT


@dataclass(slots=True)
class Ended:
    """How a child ended, its writes, and how many of them were done when it was told of each event."""

    exit_code: int
    calls_at: list[int] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    @property
    def was_killed(self) -> bool:
        return self.exit_code == KILLED


class Children:
    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.crash.child"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, scene: str, root: Path, killed: Moment | None = None) -> Ended:
        self.start(scene, root, killed)
        return self.wait()

    def start(self, scene: str, root: Path, killed: Moment | None = None) -> None:
        moment = {"at": killed.at, "is_half": killed.is_half} if killed else {"at": None, "is_half": False}
        request = {"scene": scene, "root": str(root), **moment}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")

    def hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        words: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "failure" not in words, words["failure"]
        return words

    def wait(self) -> Ended:
        ended = Ended(exit_code=0)
        while "ended" not in (words := self.hear()):
            if "seq" in words:
                assert words["seq"] == len(ended.calls_at) + 1
                ended.calls_at.append(words["calls_at"])
            ended.calls += words.get("calls", [])
        ended.exit_code = words["ended"]
        return ended

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
