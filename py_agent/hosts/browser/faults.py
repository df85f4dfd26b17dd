"""How errors thrown by web/host/ become ours: they carry the name of the class to raise."""

from collections.abc import Iterator
from contextlib import contextmanager

from py_agent.errors import (
    ConnectionLost,
    InvalidPath,
    PathExists,
    PathMissing,
    SessionLocked,
    StorageFailed,
    StorageFull,
    StorageMissing,
    Unreachable,
    WrongKind,
)

_ERRORS = {
    error.__name__: error
    for error in (
        ConnectionLost,
        InvalidPath,
        PathExists,
        PathMissing,
        SessionLocked,
        StorageFailed,
        StorageFull,
        StorageMissing,
        Unreachable,
        WrongKind,
    )
}


@contextmanager
def js_faults() -> Iterator[None]:
    """Raise what JavaScript threw as the error that it names; any other error is a mistake and stays."""
    try:
        yield
    except Exception as error:
        kind = _ERRORS.get(getattr(error, "name", ""))
        if kind is None:
            raise
        raise kind(str(getattr(error, "message", ""))) from error
