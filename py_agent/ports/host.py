"""A host: one platform's implementation of every port, handed down as one value."""

from dataclasses import dataclass

from py_agent.ports.clock import Clock
from py_agent.ports.http import Http
from py_agent.ports.ids import Ids
from py_agent.ports.lock import Locks
from py_agent.ports.storage import Storage


@dataclass(frozen=True, slots=True)
class Host:
    storage: Storage
    locks: Locks
    http: Http
    clock: Clock
    ids: Ids
