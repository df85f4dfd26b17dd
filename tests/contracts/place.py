"""A place: where a contract's state lives while hosts come and go."""

from typing import Protocol

from py_agent.ports.folder import Folder
from py_agent.ports.host import Host


class Place(Protocol):
    @property
    def server(self) -> str:
        """The URL of a model server on this machine, without a slash at its end."""

    async def open(self) -> Host:
        """A host over this place's state."""

    async def restart(self) -> Host:
        """What a new process or worker would see, which no host from before is used beside."""

    async def folder(self) -> Folder:
        """A real folder of this place, empty at first and then always the same."""
