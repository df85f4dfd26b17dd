"""Contract tests in Pyodide in a worker of Chromium, driven by Playwright."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.remote.payload import ROOT, payload, wheels
from web.serve import CONNECT_BY_PREFIX, bind

TIME_LIMIT_SECONDS = 120
T = TypeVar("T")
_RUN = """async ([wanted, milliseconds]) => {
  const limit = new Promise((_, reject) => setTimeout(() => reject(new Error("time limit")), milliseconds));
  const answer = new Promise((resolve) => worker.addEventListener("message", ({data}) => resolve(data), {once: true}));
  worker.postMessage(wanted);
  return Promise.race([answer, limit]);
}"""


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """A folder on loopback, as `build.py serve` gives it."""
    with bind(root, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


class BrowserThread:
    """Playwright keeps an event loop running in its thread, where no test could start its own."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._stack = ExitStack()
        self._browser = self.do(self._launch)

    def do(self, action: Callable[[], T]) -> T:
        return self._pool.submit(action).result()

    def new_page(self) -> Page:
        """Only to be called from within `do`."""
        return self._browser.new_context().new_page()

    def close(self) -> None:
        self.do(self._stack.close)
        self._pool.shutdown()

    def _launch(self) -> Browser:
        playwright = self._stack.enter_context(sync_playwright())
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=os.environ["PY_AGENT_CHROMIUM"], args=arguments)
        self._stack.callback(browser.close)
        return browser


class ChromiumTests:
    def __init__(self, browser: BrowserThread) -> None:
        self._browser = browser
        self._console: list[str] = []
        self._stack = ExitStack()
        # The tests' worker may reach what the product's own may.
        CONNECT_BY_PREFIX["/tests/remote/worker"] = CONNECT_BY_PREFIX["/worker/agent"]
        self._address = self._stack.enter_context(serving(ROOT))
        self._page = browser.do(self._open)

    def run(self, wanted: str) -> str:
        self._console.clear()
        arguments = [wanted, TIME_LIMIT_SECONDS * 1000]
        failure = str(self._browser.do(lambda: self._page.evaluate(_RUN, arguments)))
        return "\n".join([failure, *self._console]) if failure else ""

    def close(self) -> None:
        self._stack.close()

    def _open(self) -> Page:
        page = self._browser.new_page()
        page.on("console", lambda message: self._console.append(message.text))
        page.route("**/payload.zip", _send_payload)
        page.goto(f"{self._address}/tests/remote/page.html")
        dist = "/" + str(Path(os.environ["PY_AGENT_DIST"]).relative_to(ROOT))
        names = ",".join(f"{dist}/wheels/{wheel.name}" for wheel in wheels())
        url = f"/tests/remote/worker.js?payload=/payload.zip&wheels={names}&pyodide={dist}/pyodide"
        page.evaluate("(url) => { globalThis.worker = new Worker(url, {type: 'module'}); }", url)
        return page


def _send_payload(route: Route) -> None:
    route.fulfill(body=payload(), content_type="application/zip")
