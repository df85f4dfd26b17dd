"""Making requests: the prefix that is fixed at a session's start, then the history so far."""

from py_agent import __version__
from py_agent.context.history import History
from py_agent.context.prefix import Prefix, build_prefix
from py_agent.core.events import SystemInit
from py_agent.providers.encoding import Encoded
from py_agent.providers.model import Model, ModelRequest
from py_agent.run.session import Session
from py_agent.tools.registry import Registry


class Requests:
    """A resumed session is sent the bytes it was sent before: its prefix is read back, not made anew."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._history = History(session.host.storage.blobs)
        self._prefix: Prefix | None = None
        self._encoded: dict[str, Encoded] = {}

    async def fix_prefix(self, model: Model, tools: Registry, instructions: str) -> None:
        """Store the prefix, once in a session's life."""
        session = self._session
        if session.state.prefix is not None:
            return
        project = str(session.meta.metadata.get("project", ""))
        prefix = build_prefix(
            project=project,
            now=session.host.clock.now(),
            tools=tools.schemas(),
            extra_instructions=instructions,
        )
        blob = await session.put_blob(prefix.model_dump_json().encode())
        summary = {"model": model.name, "tools": tools.names()}
        await session.append(SystemInit(sdk_version=__version__, cwd=project, options_summary=summary, prefix=blob))

    async def next(self, model: Model) -> ModelRequest:
        prefix = self._prefix = self._prefix or await self._read_prefix()
        messages = await self._history.extend(self._session.transcript.messages)
        return ModelRequest(model.name, prefix.instructions, messages, prefix.tools, self._encoded)

    async def _read_prefix(self) -> Prefix:
        blob = self._session.state.prefix
        if blob is None:
            return Prefix(instructions="")
        return Prefix.model_validate_json(await self._session.host.storage.blobs.get(blob.sha256))
