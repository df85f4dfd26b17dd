"""The clock of the browser or of Node."""

from py_agent.hosts.browser.js import JsClock


class BrowserClock:
    def __init__(self, js: JsClock) -> None:
        self._js = js

    def now(self) -> float:
        return float(self._js.now())

    def monotonic(self) -> float:
        return float(self._js.monotonic())
