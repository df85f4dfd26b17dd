"""Running the command line: in a process of its own, with pipes or with a terminal."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIME_LIMIT_SECONDS = 60
PROGRAM = (sys.executable, "-W", "error", "-m", "py_agent")
CTRL_C = "\x03"
CTRL_D = "\x04"
# Runs in a session of its own, where the terminal becomes the one that Ctrl-C comes from.
_TAKE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
# Files beyond this size are as impossible to write as on a disk that is full.
_LIMIT_FILES = """
import os, resource, sys
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
os.execv(sys.argv[2], sys.argv[2:])
"""
# Takes root's right to read everything away, for good and for what it starts.
_OBEY_PERMISSIONS = """
import ctypes, os, sys
drop = 24
if os.geteuid() == 0:
    for right in (1, 2):
        assert ctypes.CDLL(None).prctl(drop, right, 0, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """Standard output as lines of JSON, which it must be to the last byte."""
        assert not self.out or self.out.endswith("\n")
        return [json.loads(line) for line in self.out.split("\n")[:-1]]


class CommandLine:
    """A project's folder, and commands that are given in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        self.state = self.project / ".py-agent" / "state"
        self.project.mkdir()

    def __call__(self, *words: str | Path, **variables: str) -> Done:
        return finish(self.start(*words, **variables))

    def start(self, *words: str | Path, before: Sequence[str] = (), **variables: str) -> "subprocess.Popen[bytes]":
        """Start without a terminal, its output to be read; `before` are the words before the program's."""
        pipe = subprocess.PIPE
        command = [*before, *PROGRAM, *map(str, words)]
        return subprocess.Popen(
            command, cwd=self.project, env=_environment(variables), stdin=pipe, stdout=pipe, stderr=pipe
        )

    @contextmanager
    def terminal(self, *words: str | Path, **variables: str) -> Iterator["Terminal"]:
        """Start in a terminal; what still runs at the end is ended."""
        ours, its = os.openpty()
        command = [sys.executable, "-c", _TAKE_TERMINAL, *PROGRAM, *map(str, words)]
        with os.fdopen(ours, "r+b", buffering=0) as screen:
            process = subprocess.Popen(
                command,
                cwd=self.project,
                env=_environment(variables),
                stdin=its,
                stdout=its,
                stderr=its,
                start_new_session=True,
            )
            os.close(its)
            try:
                yield Terminal(process, screen.fileno())
            finally:
                process.kill()
                process.wait()

    def with_full_disk(self, limit_bytes: int, *words: str | Path) -> Done:
        return finish(self.start(*words, before=[sys.executable, "-c", _LIMIT_FILES, str(limit_bytes)]))

    def as_mere_user(self, *words: str | Path) -> Done:
        """Run with the permissions of files in force, also for root."""
        return finish(self.start(*words, before=[sys.executable, "-c", _OBEY_PERMISSIONS]))

    def script(self, *steps: dict[str, Any]) -> list[str]:
        """Write a script and give the options that play it."""
        path = self.root / "script.json"
        path.write_text(json.dumps({"steps": steps}), encoding="utf-8")
        return ["--provider", "scripted", "--model", str(path)]

    def sessions(self) -> list[str]:
        """The ids of all sessions, the newest first."""
        metas = [json.loads(path.read_text()) for path in self.state.glob("sessions/*/meta.json")]
        return [meta["session_id"] for meta in sorted(metas, key=lambda meta: -meta["created_at"])]

    def log(self, session_id: str) -> Path:
        return self.state / "sessions" / session_id / "events.jsonl"

    def logged(self, session_id: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log(session_id).read_text().splitlines()]


class Terminal:
    """What is on the screen, and a keyboard."""

    def __init__(self, process: "subprocess.Popen[bytes]", descriptor: int) -> None:
        self.process = process
        self.text = ""
        self._seen = 0
        self._descriptor = descriptor

    def expect(self, words: str) -> str:
        """Wait until the words appear that were not there before; gives what came up to them."""
        while (found := self.text.find(words, self._seen)) < 0:
            assert self._read(), f"It ended without {words!r}:\n{self.text}"
        shown, self._seen = self.text[self._seen : found], found + len(words)
        return shown

    def type(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def end(self) -> int:
        """Wait for the end; gives the exit code."""
        while self._read():
            continue
        return self.process.wait(TIME_LIMIT_SECONDS)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], TIME_LIMIT_SECONDS)
        assert ready, f"Nothing happened any more after:\n{self.text}"
        try:
            data = os.read(self._descriptor, 65536)
        except OSError:  # Linux says so where nobody has the terminal open any more
            return False
        self.text += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)


def finish(process: "subprocess.Popen[bytes]") -> Done:
    try:
        out, err = process.communicate(timeout=TIME_LIMIT_SECONDS)
    finally:
        process.kill()
    return Done(process.returncode, out.decode(), err.decode())


def _environment(variables: dict[str, str]) -> dict[str, str]:
    """The environment without what the command line reads there, lest a developer's own settings count."""
    ours = ("AGENT_", "OPENAI_", "XDG_CONFIG_HOME")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**inherited, "XDG_CONFIG_HOME": os.devnull, **variables}
