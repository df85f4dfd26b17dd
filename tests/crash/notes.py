"""Which of many cases an error belongs to."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def telling(case: str) -> Iterator[None]:
    """Add the case to whatever error comes through."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"This was: {case}")
        raise
