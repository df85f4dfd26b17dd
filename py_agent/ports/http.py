"""Http: the only way out to the network. No cookies are sent or kept, and no redirect is followed."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class HttpRequest:
    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class HttpResponse(Protocol):
    @property
    def status(self) -> int:
        """The status code; where a platform hides which redirect it was, 302."""

    @property
    def headers(self) -> Mapping[str, str]:
        """By lower-case name; a browser shows those that the server lets it."""

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives, decompressed; ConnectionLost if it breaks off."""


class Http(Protocol):
    def send(self, request: HttpRequest) -> AbstractAsyncContextManager[HttpResponse]:
        """Send a request and give the response once its head is there; Unreachable if there is none.

        Leaving the context before the body's end, or cancelling at any moment, closes the connection at once."""

    async def close(self) -> None:
        """End all connections. Closing twice is allowed."""
