"""Giving way: work that takes long lets other tasks run now and then."""

import asyncio

from py_agent.ports.clock import Clock

_UNBROKEN_SECONDS = 0.01
_STEPS_PER_LOOK = 16


class Pace:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = clock.monotonic()
        self._steps = 0

    async def step(self) -> None:
        """To be awaited after each small piece of work."""
        self._steps += 1
        if self._steps % _STEPS_PER_LOOK:
            return
        if self._clock.monotonic() - self._since >= _UNBROKEN_SECONDS:
            await asyncio.sleep(0)
            self._since = self._clock.monotonic()
