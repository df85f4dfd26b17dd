"""The reference: httpx and json.loads, with nothing around them that a program could do without."""

import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx

Item = dict[str, Any]


class BareRun:
    """The same requests as a run of ours makes; its calls have a ready answer."""

    def __init__(self, client: httpx.AsyncClient, base_url: str, start: Item) -> None:
        self._client = client
        self._url = f"{base_url}/responses"
        self._start = start
        self.events = 0
        self.pauses: list[float] = []

    async def run(self) -> None:
        items: list[Item] = [{"role": "user", "content": "go"}]
        ended = time.perf_counter()
        while True:
            body = json.dumps({**self._start, "input": items}).encode()
            self.pauses.append(time.perf_counter() - ended)
            output = [item async for item in self._ask(body)]
            ended = time.perf_counter()
            calls = [item for item in output if item["type"] == "function_call"]
            items += output
            items += [
                {"type": "function_call_output", "call_id": call["call_id"], "output": '{"content":"x"}'}
                for call in calls
            ]
            if not calls:
                return

    async def _ask(self, body: bytes) -> AsyncIterator[Item]:
        headers = {"content-type": "application/json", "authorization": "Bearer x"}
        async with self._client.stream("POST", self._url, content=body, headers=headers) as response:
            async for line in response.aiter_lines():
                if not line.startswith("data: ") or line == "data: [DONE]":
                    continue
                event = json.loads(line[6:])
                self.events += 1
                if event["type"] == "response.output_item.done":
                    yield event["item"]
