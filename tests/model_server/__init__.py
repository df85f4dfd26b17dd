"""A model server for tests and benchmarks: real HTTP/1.1 that speaks OpenAI's two wire formats, well or badly.

`{base}/{scenario}/v1` is a base URL; `python -m tests.model_server --help` names the scenarios.
"""

from tests.model_server.server import ModelServer
from tests.model_server.steps import Call, Gate, Pause, Reasoning, Step, Usage

__all__ = ["Call", "Gate", "ModelServer", "Pause", "Reasoning", "Step", "Usage"]
