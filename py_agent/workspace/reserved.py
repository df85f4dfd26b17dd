"""Paths of a real folder that are never imported, shown to tools or written to."""

import unicodedata

from py_agent.core.paths import WorkspacePath
from py_agent.ports.folder import TEMPORARY_PREFIX
from py_agent.workspace.scan import IsReserved

# What some file systems leave out when they compare names.
_UNSEEN = dict.fromkeys(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF]
)
_GIT = {".git", "git~1"}
# Chromium writes to `a.txt.crswap` and moves it to `a.txt`; a crash leaves it behind.
_SWAP_SUFFIX = ".crswap"


def reserved_paths(state_dir: WorkspacePath | None) -> IsReserved:
    """Git's own directory, files on their way into place, and the state directory if it lies in the folder.

    Names count as they do where case, accents' form or a dot at the end make no difference."""
    state = None if state_dir is None else [_folded(name) for name in state_dir.parts]

    def is_reserved(path: WorkspacePath) -> bool:
        names = [_folded(name) for name in path.parts]
        if state is not None and names[: len(state)] == state:
            return True
        if names[-1:] and names[-1].endswith(_SWAP_SUFFIX):
            return True
        return any(name in _GIT or name.startswith(TEMPORARY_PREFIX) for name in names)

    return is_reserved


def _folded(name: str) -> str:
    if not name.isascii():
        name = unicodedata.normalize("NFKC", name.translate(_UNSEEN)).casefold()
    return name.lower().rstrip(". ")
