"""Symlinks: where their targets lead."""

from py_agent.core.paths import MOUNT, ROOT, WorkspacePath
from py_agent.errors import InvalidPath

MAX_TARGET_BYTES = 4095


def is_possible_target(target: str) -> bool:
    """Whether every host can hold a link to it."""
    try:
        size = len(target.encode())
    except UnicodeEncodeError:
        return False
    return 0 < size <= MAX_TARGET_BYTES and "\0" not in target


def follow(directory: WorkspacePath, link: WorkspacePath, target: str) -> tuple[WorkspacePath, list[str]]:
    """Where the walk goes on from a link in `directory`, and the names of the target that are left to walk."""
    if target == MOUNT or target.startswith(MOUNT + "/"):
        directory, target = ROOT, target[len(MOUNT) :]
    elif target.startswith("/"):
        raise InvalidPath(f"The symlink {link!r} leads out of the workspace, to {target!r}.")
    return directory, [part for part in target.split("/") if part not in ("", ".")]


def leads_out(link: WorkspacePath, target: str) -> bool:
    """Whether a link could lead out of the folder it lies in, whatever lies on the way.

    A step up after a step down counts as out: what is stepped down into may be a link, today or later."""
    names = [part for part in target.split("/") if part not in ("", ".")]
    ups = next((count for count, name in enumerate(names) if name != ".."), len(names))
    return target.startswith("/") or ".." in names[ups:] or ups > len(link.parents())


def relative_target(link: WorkspacePath, target: str) -> str:
    """A target as it can stand in a real folder: `/workspace/a` is written as the link's directory sees it."""
    if not is_possible_target(target):
        raise InvalidPath(f"A symlink cannot lead to {target[:60]!r}; name a path in the workspace.")
    if target != MOUNT and not target.startswith(MOUNT + "/"):
        return target
    ups = [".."] * len(link.parents())
    return "/".join([*ups, *WorkspacePath.parse(target).parts]) or "."
