"""Folders to measure: many small files in many directories."""

import os
import random
from pathlib import Path

_FILE_BYTES = 5_000
_FILES_IN_DIRECTORY = 100
_LONG_AGO_SECONDS = 1_700_000_000


def make_folder(root: Path, files: int) -> Path:
    """Every file differs, and is old enough for its time to be trusted."""
    source = random.Random(7)
    for number in range(files):
        path = root / f"package_{number // _FILES_IN_DIRECTORY}" / f"module_{number % _FILES_IN_DIRECTORY}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.randbytes(_FILE_BYTES // 2).hex().encode())
        os.utime(path, (_LONG_AGO_SECONDS, _LONG_AGO_SECONDS))
    return root
