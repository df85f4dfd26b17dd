"""A place whose disk counts what is written to it, and fails as it is told to."""

from collections.abc import Sequence
from typing import Literal, Protocol

from tests.contracts.place import Place

# Full: no room for more, but room can be made. Failing: what waits for the disk fails. Dead: nothing works.
# Killed: the process ends, which a place in Node can do.
Fault = Literal["full", "failing", "dead", "killed"]


class Disk(Protocol):
    @property
    def calls(self) -> Sequence[str]:
        """What was written since the place was renewed, by the names of the calls."""

    @property
    def has_struck(self) -> bool:
        """Whether a call has failed as planned."""

    def plan(self, fault: Fault, at: int, *, is_half: bool = False, is_lasting: bool = True) -> None:
        """Fail at call number `at`, counted from 1: before it, or after half of its bytes; then always, or never."""

    def heal(self) -> None:
        """Fail no more."""


class Owner(Protocol):
    async def kill(self) -> None:
        """End it without a word to it."""


class FaultyPlace(Place, Protocol):
    @property
    def disk(self) -> Disk:
        """What the hosts of this place write to."""

    async def renew(self) -> None:
        """Go on with an empty state directory, an empty folder and a disk that is well."""

    async def own(self, session: str) -> Owner:
        """Let another process, or worker, open a session to write, named by its directory."""
