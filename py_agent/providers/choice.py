"""Choosing a model by provider and name."""

from collections.abc import Callable
from dataclasses import dataclass, field

from py_agent.errors import UnknownProvider, UsageError
from py_agent.ports.host import Host
from py_agent.providers.demo import DemoModel
from py_agent.providers.endpoint import OPENAI_URL, Endpoint
from py_agent.providers.model import Model
from py_agent.providers.openai import IDLE_SECONDS, OpenAIModel, WireFormat
from py_agent.providers.retries import RetryingModel
from py_agent.providers.scripted import ScriptedModel

PROVIDERS = ("demo", "scripted", "openai")
DEFAULT_MODEL = "gpt-4o-mini"
ReadText = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model, and how to reach it."""

    provider: str = "demo"
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    wire_format: WireFormat = "auto"
    is_streamed: bool = True
    store: bool = False
    idle_seconds: float = IDLE_SECONDS


def choose_model(choice: ModelChoice, host: Host, read_text: ReadText) -> Model:
    """`read_text` gives the text of a script's file."""
    match choice.provider:
        case "demo":
            return DemoModel()
        case "scripted":
            if not choice.model:
                raise UsageError("The scripted model needs a script: name its JSON file with --model FILE.")
            return ScriptedModel.from_json(read_text(choice.model), choice.model)
        case "openai":
            return RetryingModel(openai_model(choice, host))
    raise UnknownProvider(f"There is no provider {choice.provider!r}; choose one of {', '.join(PROVIDERS)}.")


def openai_model(choice: ModelChoice, host: Host) -> OpenAIModel:
    endpoint = Endpoint.parse(choice.base_url or OPENAI_URL, choice.api_key)
    if endpoint.base_url == OPENAI_URL and not choice.api_key:
        raise UsageError(f"{OPENAI_URL} needs a key: set OPENAI_API_KEY, or name another endpoint with --base-url.")
    return OpenAIModel(
        endpoint,
        choice.model or DEFAULT_MODEL,
        http=host.http,
        clock=host.clock,
        wire_format=choice.wire_format,
        is_streamed=choice.is_streamed,
        store=choice.store,
        idle_seconds=choice.idle_seconds,
    )
