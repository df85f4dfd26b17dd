"""From arguments and environment to a client: the only place that looks at the environment."""

import argparse
import os
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from py_agent.cli.approval import TerminalApprover
from py_agent.cli.config import read_settings
from py_agent.cli.progress import Progress, WatchedFolder
from py_agent.cli.terminal import can_ask, notice
from py_agent.client import AgentClient, AgentOptions
from py_agent.core.limits import RunLimits
from py_agent.core.paths import WorkspacePath
from py_agent.errors import SessionNotFound, UsageError
from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.log.store import SessionMeta
from py_agent.policy.modes import parse_mode
from py_agent.ports.folder import Folder
from py_agent.ports.host import Host
from py_agent.providers.choice import ModelChoice, choose_model
from py_agent.run.project import Project


def make_host(options: argparse.Namespace) -> Host:
    return cpython_host(_state_dir(options))


def make_client(options: argparse.Namespace) -> AgentClient:
    """A client for looking at sessions and committing them."""
    return AgentClient(make_host(options), project=_project(options, LocalFolder(_project_dir(options))))


def make_running_client(options: argparse.Namespace, progress: Progress) -> AgentClient:
    """A client that can also run."""
    host, root = make_host(options), _project_dir(options)
    settings = read_settings(options, os.environ, project=root, notice=notice)
    agent = AgentOptions(
        model=choose_model(settings.model_choice, host, _read_script),
        permission_mode=parse_mode(settings.permission_mode),
        approver=TerminalApprover() if can_ask() and not options.json else None,
        limits=_limits(options, settings.max_steps),
    )
    return AgentClient(host, agent, _project(options, WatchedFolder(LocalFolder(root), progress)))


def make_models(options: argparse.Namespace) -> tuple[ModelChoice, Host]:
    """The endpoint as settings name it, for what asks it without a session."""
    settings = read_settings(options, os.environ, project=_project_dir(options), notice=notice)
    return settings.model_choice, make_host(options)


async def pick_session(client: AgentClient, options: argparse.Namespace) -> str:
    """The session that was named, else the folder's newest."""
    if options.session is not None:
        named: str = options.session
        return named
    metas = [meta for meta in await client.sessions.metas() if _is_of_folder(meta, options)]
    if not metas:
        raise SessionNotFound("This folder has no session yet; `py-agent run` starts one.")
    return max(metas, key=lambda meta: (meta.created_at, meta.session_id)).session_id


async def warn_of_other_folder(client: AgentClient, options: argparse.Namespace, session_id: str) -> None:
    meta = await client.sessions.read_meta(session_id)
    if not _is_of_folder(meta, options):
        notice(f"This session was made in {meta.metadata['project']}, and is used with {_project_dir(options)} now.")


def hide_from_git(options: argparse.Namespace) -> None:
    """Sessions hold copies of files: inside a project they should not be taken for part of it."""
    state = _state_dir(options)
    if state.is_relative_to(_project_dir(options)):
        with suppress(OSError):  # a courtesy, on which nothing depends
            (state / ".gitignore").write_text("*\n", encoding="utf-8")


def _is_of_folder(meta: SessionMeta, options: argparse.Namespace) -> bool:
    """A state directory may be shared by several folders, and a folder may have been moved with its state."""
    made_in, here = meta.metadata.get("project"), _project_dir(options)
    if made_in in (None, str(here)) or _state_dir(options).is_relative_to(here):
        return True
    return not Path(str(made_in)).is_dir()


def _project_dir(options: argparse.Namespace) -> Path:
    path = options.project or Path(os.environ.get("AGENT_WORKSPACE") or ".")
    try:
        found = path.resolve(strict=True)
        os.listdir(found)
        str(found).encode()
    except NotADirectoryError as error:
        raise UsageError(f"{path} is not a directory; name the project's folder with --project DIR.") from error
    except UnicodeEncodeError as error:
        raise UsageError(f"The name of {path} is not valid UTF-8; rename the folder.") from error
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"The folder {path} cannot be read ({reason}); name another with --project DIR.") from error
    return found


def _state_dir(options: argparse.Namespace) -> Path:
    chosen = options.state or os.environ.get("AGENT_STATE_DIR")
    return Path(chosen).resolve() if chosen else _project_dir(options) / ".py-agent" / "state"


def _project(options: argparse.Namespace, folder: Folder) -> Project:
    root, state = _project_dir(options), _state_dir(options)
    if state == root:
        raise UsageError("The state directory cannot be the project's folder itself; choose another with --state.")
    inside = WorkspacePath(state.relative_to(root).as_posix()) if state.is_relative_to(root) else None
    return Project(folder, inside)


def _limits(options: argparse.Namespace, max_steps: int) -> RunLimits:
    given = {
        "max_steps": max_steps,
        "max_seconds": options.max_seconds,
        "max_tokens": options.max_tokens,
        "max_cost_usd": options.max_cost,
    }
    try:
        return RunLimits(**given)
    except ValidationError as error:
        fault = error.errors()[0]
        option = str(fault["loc"][0]).removesuffix("_usd").replace("_", "-")
        raise UsageError(f"--{option}: {fault['msg']}.") from error


def _read_script(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The script {name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The script {name} is not UTF-8 text; save it as such.") from error
