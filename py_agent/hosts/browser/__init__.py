"""The browser host: the ports over JavaScript objects that the worker hands in, in a tab and under Node."""

from typing import Protocol

from py_agent.hosts.browser.clock import JsClock
from py_agent.hosts.browser.ids import JsIds, JsRandom
from py_agent.hosts.browser.lock import JsLocks, WebLocks
from py_agent.hosts.browser.storage import JsStorage, WebStorage
from py_agent.ports.host import Host

__all__ = ["JsHost", "browser_host"]


class JsHost(Protocol):
    """What `web/host/` makes."""

    @property
    def storage(self) -> JsStorage: ...

    @property
    def locks(self) -> JsLocks: ...

    @property
    def random(self) -> JsRandom: ...


def browser_host(js_host: JsHost) -> Host:
    return Host(
        storage=WebStorage(js_host.storage),
        locks=WebLocks(js_host.locks),
        clock=JsClock(),
        ids=JsIds(js_host.random),
    )
