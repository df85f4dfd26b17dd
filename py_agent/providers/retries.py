"""Asking again: a model that may answer later is asked later, a few times, ever further apart."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from py_agent.errors import ModelUnavailable
from py_agent.providers.model import Model, ModelPart, ModelRequest, Retried

TRIES = 3
FIRST_DELAY_SECONDS = 1.0
MAX_DELAY_SECONDS = 30.0


class RetryingModel:
    """What the endpoint itself asks for goes before our own delay."""

    def __init__(
        self,
        model: Model,
        *,
        tries: int = TRIES,
        first_delay_seconds: float = FIRST_DELAY_SECONDS,
        jitter: Callable[[], float] = random.random,  # noqa: S311
    ) -> None:
        self._model = model
        self._tries = tries
        self._first_delay_seconds = first_delay_seconds
        self._jitter = jitter

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        attempt = 1
        while True:
            try:
                async with aclosing(self._model.stream(request)) as parts:  # type: ignore[type-var]
                    async for part in parts:
                        yield part
                return
            except ModelUnavailable as error:
                if attempt >= self._tries:
                    raise
                delay, reason = self._delay(attempt, error), str(error)
            yield Retried(attempt, reason, round(delay, 3))
            await asyncio.sleep(delay)
            attempt += 1

    def _delay(self, attempt: int, error: ModelUnavailable) -> float:
        if error.retry_after_seconds is not None:
            return error.retry_after_seconds
        longest = min(self._first_delay_seconds * 2.0 ** (attempt - 1), MAX_DELAY_SECONDS)
        return longest * (0.5 + self._jitter() / 2)
