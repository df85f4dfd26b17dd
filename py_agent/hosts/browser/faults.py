"""How errors of JavaScript become ours: they carry the names of our classes."""

from collections.abc import Iterator
from contextlib import contextmanager

from py_agent import errors


@contextmanager
def js_faults() -> Iterator[None]:
    try:
        yield
    except errors.PyAgentError:
        raise
    except Exception as error:
        kind = getattr(errors, str(getattr(error, "name", "")), None)
        if isinstance(kind, type) and issubclass(kind, errors.PyAgentError):
            raise kind(str(getattr(error, "message", error))) from error
        raise
