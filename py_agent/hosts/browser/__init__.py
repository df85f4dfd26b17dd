"""The browser host: the ports over JavaScript objects that the worker hands in, in a browser or in Node."""

from py_agent.hosts.browser.clock import BrowserClock
from py_agent.hosts.browser.folder import BrowserFolder
from py_agent.hosts.browser.http import BrowserHttp
from py_agent.hosts.browser.ids import BrowserIds
from py_agent.hosts.browser.js import JsFolder, JsHost
from py_agent.hosts.browser.lock import BrowserLocks
from py_agent.hosts.browser.storage import BrowserStorage
from py_agent.ports.host import Host

__all__ = ["BrowserFolder", "JsFolder", "JsHost", "browser_host"]


def browser_host(js: JsHost) -> Host:
    """A host over what `browserHost` or `nodeHost` of web/host/ made."""
    return Host(
        storage=BrowserStorage(js.storage),
        locks=BrowserLocks(js.locks),
        http=BrowserHttp(js.http),
        clock=BrowserClock(js.clock),
        ids=BrowserIds(js.ids),
    )
