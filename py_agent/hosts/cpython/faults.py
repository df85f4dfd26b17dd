"""How the operating system's errors become ours."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from py_agent.errors import StorageFailed, StorageFull, StorageMissing

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def storage_faults(path: Path | str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise StorageMissing(f"There is no {path}.") from error
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFull(
                f"No room to write {path}: {error.strerror}. Free some space; nothing stored before is lost."
            ) from error
        raise StorageFailed(f"{path} could not be used: {error.strerror}.") from error
