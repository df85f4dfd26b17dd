"""Contract tests in Pyodide in the pinned Node, over lines of JSON."""

import json
import os
import queue
import subprocess
import threading
from pathlib import Path

from tests.remote.payload import ROOT, payload, wheels

TIME_LIMIT_SECONDS = 120


class NodeTests:
    def __init__(self, folder: Path) -> None:
        (folder / "payload.zip").write_bytes(payload())
        self._stderr = (folder / "stderr.txt").open("w+")
        command: list[str | Path] = [
            os.environ["PY_AGENT_NODE"],
            "tests/remote/node.mjs",
            folder / "payload.zip",
            *wheels(),
        ]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, text=True
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._next_failure()

    def run(self, wanted: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(wanted + "\n")
        self._process.stdin.flush()
        return self._next_failure()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._stderr.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def _next_failure(self) -> str:
        try:
            line = self._lines.get(timeout=TIME_LIMIT_SECONDS)
        except queue.Empty:
            line = ""
        try:
            return str(json.loads(line)["failure"])
        except ValueError:
            self._process.kill()
            self._stderr.seek(0)
            return f"Node gave no answer but {line!r}.\n{self._stderr.read()}"
