"""Paths of a real folder that are never imported, shown to tools or written to."""

from py_agent.core.paths import WorkspacePath
from py_agent.workspace.scan import IsReserved

_TEMPORARY_PREFIX = ".py-agent-"


def reserved_paths(state_dir: WorkspacePath | None) -> IsReserved:
    """Git's own directory, our temporary files, and the state directory if it lies in the folder."""

    def is_reserved(path: WorkspacePath) -> bool:
        if state_dir is not None and (path == state_dir or path.is_below(state_dir)):
            return True
        parts = path.parts
        return any(part.lower() == ".git" for part in parts) or parts[-1].startswith(_TEMPORARY_PREFIX)

    return is_reserved
