"""From arguments and environment to a client: the only place that looks at the environment."""

import argparse
import os
from pathlib import Path

from pydantic import ValidationError

from py_agent.cli.terminal import TerminalApprover, can_ask
from py_agent.client import AgentClient, AgentOptions
from py_agent.core.limits import RunLimits
from py_agent.core.paths import WorkspacePath
from py_agent.errors import SessionNotFound, UsageError
from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.policy.modes import parse_mode
from py_agent.ports.host import Host
from py_agent.providers.choice import choose_model
from py_agent.run.project import Project


def make_host(options: argparse.Namespace) -> Host:
    return cpython_host(_state_dir(options))


def make_client(options: argparse.Namespace) -> AgentClient:
    """A client for looking at sessions and committing them."""
    return AgentClient(make_host(options), project=_project(options))


def make_running_client(options: argparse.Namespace) -> AgentClient:
    """A client that can also run."""
    agent = AgentOptions(
        model=choose_model(options.provider, options.model, _read_script),
        permission_mode=parse_mode(options.permission_mode),
        approver=TerminalApprover() if can_ask() and not options.json else None,
        limits=_limits(options),
    )
    return AgentClient(make_host(options), agent, _project(options))


async def pick_session(client: AgentClient, session_id: str | None) -> str:
    """The session that was named, else the newest."""
    found = session_id or await client.newest()
    if found is None:
        raise SessionNotFound("There is no session yet; `py-agent run` starts one.")
    return found


def _project_dir(options: argparse.Namespace) -> Path:
    path: Path = options.project
    if not path.is_dir():
        raise UsageError(f"{path} is not a directory; name the project's folder with --project DIR.")
    return path.resolve()


def _state_dir(options: argparse.Namespace) -> Path:
    chosen = options.state or os.environ.get("AGENT_STATE_DIR")
    return Path(chosen).resolve() if chosen else _project_dir(options) / ".py-agent" / "state"


def _project(options: argparse.Namespace) -> Project:
    root, state = _project_dir(options), _state_dir(options)
    inside = WorkspacePath(state.relative_to(root).as_posix()) if state.is_relative_to(root) and state != root else None
    if state == root:
        raise UsageError("The state directory cannot be the project's folder itself; choose another with --state.")
    return Project(LocalFolder(root), inside)


def _limits(options: argparse.Namespace) -> RunLimits:
    try:
        return RunLimits(
            max_steps=options.max_steps,
            max_seconds=options.max_seconds,
            max_tokens=options.max_tokens,
            max_cost_usd=options.max_cost,
        )
    except ValidationError as error:
        fault = error.errors()[0]
        raise UsageError(f"--{str(fault['loc'][0]).replace('_', '-')}: {fault['msg']}.") from error


def _read_script(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The script {name} cannot be read: {error}.") from error
