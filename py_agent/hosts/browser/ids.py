"""Ids from the browser's source of randomness."""

from py_agent.hosts.browser.js import JsIds


class BrowserIds:
    def __init__(self, js: JsIds) -> None:
        self._js = js

    def new(self) -> str:
        return self._js.make()
