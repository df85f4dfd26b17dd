"""Settings: what flags say, else the environment, else the project's file, else the user's, else a default."""

import argparse
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from py_agent.core.limits import RunLimits
from py_agent.errors import UsageError
from py_agent.providers.choice import ModelChoice

PROJECT_FILE = Path(".py-agent/config.toml")
# What a folder could use to send a key elsewhere or to lower a guard, if nobody has said that they trust it.
NEEDS_TRUST = ("base_url", "permission_mode")
Notice = Callable[[str], None]


class FileSettings(BaseModel):
    """A `config.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    model: str | None = None
    provider: str | None = None
    base_url: str | None = None
    permission_mode: str | None = None
    max_steps: int | None = Field(default=None, ge=1)


@dataclass(frozen=True, slots=True)
class Settings:
    model_choice: ModelChoice
    permission_mode: str
    max_steps: int


def read_settings(
    options: argparse.Namespace, environment: Mapping[str, str], *, project: Path, notice: Notice
) -> Settings:
    layers = [
        {name: getattr(options, name, None) for name in FileSettings.model_fields},
        {"model": environment.get("AGENT_MODEL") or None, "base_url": environment.get("OPENAI_BASE_URL") or None},
        read_file(project / PROJECT_FILE, untrusted=notice).model_dump(),
        read_file(user_file(environment)).model_dump(),
    ]

    def first(name: str) -> str | None:
        return next((str(layer[name]) for layer in layers if layer.get(name) is not None), None)

    api_key, base_url = environment.get("OPENAI_API_KEY") or None, first("base_url")
    is_chat = environment.get("AGENT_FORCE_CHAT_COMPLETIONS", "").lower() in ("1", "true", "yes")
    choice = ModelChoice(
        provider=first("provider") or ("openai" if api_key or base_url else "demo"),
        model=first("model"),
        base_url=base_url,
        api_key=api_key,
        wire_format="chat" if is_chat else "auto",
    )
    steps = int(first("max_steps") or RunLimits().max_steps)
    return Settings(choice, permission_mode=first("permission_mode") or "default", max_steps=steps)


def read_file(path: Path, untrusted: Notice | None = None) -> FileSettings:
    """A file's settings, none if there is no file; those that need trust are left out where it is not given."""
    try:
        settings = FileSettings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return FileSettings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        known = ", ".join(FileSettings.model_fields)
        raise UsageError(f"{path}: {where}: {fault['msg']}. The keys are {known}.") from error
    ignored = [name for name in NEEDS_TRUST if untrusted and getattr(settings, name) is not None]
    if untrusted and ignored:
        untrusted(f"{path} sets {' and '.join(ignored)}, which is ignored: a folder's own file may not.")
    return settings.model_copy(update=dict.fromkeys(ignored))


def user_file(environment: Mapping[str, str]) -> Path:
    home = environment.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "py-agent" / "config.toml"
