"""Clock: the time of day and the passing of time, so that runs can be repeated exactly."""

from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""
