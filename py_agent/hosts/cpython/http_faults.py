"""How aiohttp's errors become ours: in sentences that name the origin, never a query, a user or a header's value."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import aiohttp

from py_agent.errors import ConnectionLost, Unreachable
from py_agent.ports.http import HttpRequest

CONNECT_SECONDS = 30


@contextmanager
def head_faults(request: HttpRequest, proxy: str | None = None) -> Iterator[None]:
    try:
        yield
    # A host's name that the resolver cannot even encode is a UnicodeError.
    except (aiohttp.ClientError, OSError, UnicodeError) as error:
        through = f" through the proxy {_origin(proxy)}" if proxy else ""
        raise Unreachable(f"{request.origin} could not be reached{through}: {reason(error)}.") from error


@contextmanager
def body_faults(request: HttpRequest) -> Iterator[None]:
    try:
        yield
    except (aiohttp.ClientError, OSError) as error:
        raise ConnectionLost(f"The response of {request.origin} broke off before its end.") from error


def reason(error: Exception) -> str:
    """Why there is no response. What aiohttp says itself may hold a whole URL."""
    match error:
        case aiohttp.ClientConnectorError() | UnicodeError():
            return _connect_fault(error)
        case aiohttp.ServerTimeoutError():
            return f"there was no connection within {CONNECT_SECONDS} seconds"
        case aiohttp.ClientConnectionError() | OSError():
            return "it closed the connection without an answer"
        case aiohttp.ClientHttpProxyError():
            return f"the proxy answered {error.status}"
        case aiohttp.ClientResponseError():
            return "its answer cannot be read as HTTP"
    return "it is not an address that can be asked"


def _connect_fault(error: aiohttp.ClientConnectorError | UnicodeError) -> str:
    match error:
        case aiohttp.ClientConnectorCertificateError():
            verdict = getattr(error.certificate_error, "verify_message", "")
            return f"its TLS certificate is not trusted ({verdict or 'no reason given'})"
        case aiohttp.ClientConnectorSSLError():
            return "it does not speak TLS as https needs it (is it an http address?)"
        case aiohttp.ClientConnectorError(errno=socket.EAI_AGAIN):
            return "its name could not be looked up now (is there a network?)"
        case aiohttp.ClientConnectorDNSError() | UnicodeError():
            return "there is no host of that name"
        case aiohttp.ClientConnectorError(errno=errno.ECONNREFUSED):
            return "the connection was refused (is the server running?)"
    return os.strerror(error.errno) if error.errno else "no connection could be made"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
