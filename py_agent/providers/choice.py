"""Choosing a model by provider and name."""

from collections.abc import Callable

from py_agent.errors import UnknownProvider, UsageError
from py_agent.providers.demo import DemoModel
from py_agent.providers.model import Model
from py_agent.providers.scripted import ScriptedModel

PROVIDERS = ("demo", "scripted")
ReadText = Callable[[str], str]


def choose_model(provider: str, model: str | None, read_text: ReadText) -> Model:
    """`read_text` gives the text of a script's file."""
    match provider:
        case "demo":
            return DemoModel()
        case "scripted":
            if not model:
                raise UsageError("The scripted model needs a script: name its JSON file with --model FILE.")
            return ScriptedModel.from_json(read_text(model), model)
    raise UnknownProvider(f"There is no provider {provider!r}; choose one of {', '.join(PROVIDERS)}.")
