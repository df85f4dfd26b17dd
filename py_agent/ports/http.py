"""Http: the only way out to the network. No cookies are sent or kept, and no redirect is followed."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from py_agent.errors import UsageError

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_URL = re.compile(r"https?://[^\s/?#@\\]+([/?#]\S*)?", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")
# A browser sends its own and drops the caller's, so no host takes them: Host and Transfer-Encoding could fool a server.
_PLATFORMS_OWN = re.compile(
    "accept-(charset|encoding)|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host"
    "|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|trailer|transfer-encoding|upgrade|via"
    "|te",  # codespell:ignore te
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """UsageError for one that some host could not send as it is. Errors never repeat the URL or a header's value."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def __post_init__(self) -> None:
        if not _URL.fullmatch(self.url) or not _has_valid_port(self.url):
            raise UsageError("The URL of a request must be http or https, with a host and without a user or password.")
        if self.method not in METHODS or (self.body and self.method in {"GET", "HEAD"}):
            raise UsageError(f"A {self.method[:20]} request with {len(self.body)} bytes cannot be sent.")
        for name, value in self.headers.items():
            _check_header(name, value)

    @property
    def origin(self) -> str:
        """Scheme, host and port: what of the URL may be shown to anyone."""
        return "/".join(self.url.split("?")[0].split("#")[0].split("/")[:3]).lower()


def _has_valid_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _check_header(name: str, value: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name[:40]!r} is no name for a header.")
    if _PLATFORMS_OWN.fullmatch(name):
        raise UsageError(f"The header {name} is set by the platform alone.")
    if not _VALUE.fullmatch(value):
        raise UsageError(f"The header {name} holds a line break or another character that no header can carry.")


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
