"""The clock: Pyodide's own follows the browser's."""

import time


class JsClock:
    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()
