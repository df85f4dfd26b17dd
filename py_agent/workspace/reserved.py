"""Paths of a real folder that are never imported, shown to tools or written to."""

from py_agent.core.paths import WorkspacePath
from py_agent.workspace.scan import IsReserved

_TEMPORARY_PREFIX = ".py-agent-"
# Chromium writes to `a.txt.crswap` and moves it to `a.txt`; a crash leaves it behind.
_SWAP_SUFFIX = ".crswap"


def reserved_paths(state_dir: WorkspacePath | None) -> IsReserved:
    """Git's own directory, files on their way into place, and the state directory if it lies in the folder."""

    def is_reserved(path: WorkspacePath) -> bool:
        if state_dir is not None and (path == state_dir or path.is_below(state_dir)):
            return True
        if path.name.startswith(_TEMPORARY_PREFIX) or path.name.endswith(_SWAP_SUFFIX):
            return True
        return any(part.lower() == ".git" for part in path.parts)

    return is_reserved
