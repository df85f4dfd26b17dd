"""What benchmarks work on: made once in a run, in a directory that goes when the run ends."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.child import in_child
from benchmarks.folders import make_folder
from benchmarks.sessions import make_session, session_file


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured; a trial needs less of everything."""

    long_events: int = 100_000
    short_events: int = 10
    appends: int = 300
    files: int = 10_000
    repeats: int = 5
    model_runs: int = 20
    model_turns: int = 500
    deltas: int = 20_000
    at_once: int = 100


class Scratch:
    def __init__(self, root: Path, sizes: Sizes) -> None:
        self.sizes = sizes
        self._root = root
        self._made = 0

    @cached_property
    def long_state(self) -> Path:
        """A state directory with one session of many events."""
        return self._state(self.sizes.long_events)

    @cached_property
    def long_bytes(self) -> int:
        return session_file(self.long_state).stat().st_size

    @cached_property
    def short_state(self) -> Path:
        return self._state(self.sizes.short_events)

    @cached_property
    def folder(self) -> Path:
        """A folder with many small files, none of them changed lately."""
        return make_folder(self.new_path(), self.sizes.files)

    def new_path(self) -> Path:
        """Where something can be made that no one has used yet."""
        self._made += 1
        return self._root / str(self._made)

    def _state(self, events: int) -> Path:
        state = self.new_path()
        in_child(make_session, state, events)
        return state
