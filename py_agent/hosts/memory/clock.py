"""A clock that ticks once for each look at it."""

_FIRST = 1_700_000_000.0


class StepClock:
    def __init__(self, start: float = _FIRST, tick_seconds: float = 0.001) -> None:
        self._start = start
        self._tick_seconds = tick_seconds
        self._ticks = 0

    def now(self) -> float:
        self._ticks += 1
        return round(self._start + self._ticks * self._tick_seconds, 6)

    def monotonic(self) -> float:
        return self.now()
