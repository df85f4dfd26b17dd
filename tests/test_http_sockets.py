"""Http on CPython: what only sockets, proxies and event loops of its own bring with them."""

import asyncio
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from py_agent.errors import Unreachable, UsageError
from py_agent.hosts.cpython import SocketHttp
from py_agent.hosts.cpython.http_faults import reason
from py_agent.ports.http import HttpRequest
from tests.model_server import ModelServer

OUTSIDE = "http://outside.example"


@pytest.fixture
def server(model_server: ModelServer) -> ModelServer:
    model_server.records.clear()
    return model_server


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


async def send(request: HttpRequest, http: SocketHttp | None = None) -> tuple[int, bytes]:
    async with (http or SocketHttp()).send(request) as response:
        return response.status, b"".join([chunk async for chunk in response.chunks()])


@contextmanager
def forgetful_server() -> Iterator[tuple[str, threading.Semaphore]]:
    """Answers one request on each connection, then closes it without a word, and tells that it did."""
    closed = threading.Semaphore(0)

    def serve() -> None:
        for _ in range(2):
            connection, _ = listening.accept()
            with connection:
                assert connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            closed.release()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", closed
        thread.join()


async def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again() -> None:
    with forgetful_server() as (url, closed):
        http = SocketHttp()
        request = HttpRequest(url, "POST", body=b"x")
        assert await send(request, http) == (200, b"ok")
        closed.acquire()
        assert await send(request, http) == (200, b"ok")


@pytest.mark.parametrize(("method", "count"), [("POST", 1), ("PATCH", 1), ("GET", 2), ("PUT", 2)])
async def test_only_a_request_that_does_no_harm_twice_is_sent_twice(
    server: ModelServer, method: str, count: int
) -> None:
    with pytest.raises(Unreachable, match="it closed the connection without an answer"):
        await send(HttpRequest(f"{server.url}/drop", method))
    assert [record.method for record in server.records] == [method] * count


async def test_a_proxy_of_the_environment_is_asked_and_told_its_own_secret_alone(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.url.replace("//", "//me:pw@"))
    await send(HttpRequest(f"{OUTSIDE}/echo/v1/models", headers={"authorization": "Bearer x"}))
    [record] = server.records
    assert record.target == f"{OUTSIDE}/echo/v1/models"
    assert record.headers["proxy-authorization"].startswith("Basic ")
    assert record.headers["authorization"] == "Bearer x"


async def test_no_proxy_is_asked_for_this_machine_or_for_hosts_that_are_excepted(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.refusing_url.replace("//", "//me:sk-secret@"))
    for host in ("127.0.0.1", "localhost"):
        assert (await send(HttpRequest(f"{server.url.replace('127.0.0.1', host)}/echo/v1/models")))[0] == 200
    with pytest.raises(Unreachable, match="through the proxy http://127") as caught:
        await send(HttpRequest(OUTSIDE))
    assert "sk-secret" not in str(caught.value)
    monkeypatch.setenv("no_proxy", "a" * 64)
    with pytest.raises(Unreachable, match="there is no host of that name"):
        await send(HttpRequest(f"http://{'a' * 64}/"))


async def test_a_proxy_that_cannot_be_spoken_to_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(UsageError, match="http_proxy names a proxy that cannot be used"):
        await send(HttpRequest(OUTSIDE))


async def test_secrets_of_netrc_stay_there(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password sk-secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    await send(HttpRequest(f"{server.url}/echo/v1/models"))
    assert "authorization" not in server.records[0].headers


async def test_cancelling_an_upload_that_is_stuck_leaves_no_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        http = SocketHttp()
        request = HttpRequest(f"http://127.0.0.1:{listening.getsockname()[1]}", "POST", body=bytes(50_000_000))
        sending = asyncio.create_task(send(request, http))
        connection, _ = await asyncio.to_thread(listening.accept)
        with connection:
            before = len(os.listdir("/dev/fd"))
            assert await asyncio.to_thread(connection.recv, 4) == b"POST"
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
            await asyncio.sleep(0)
            assert len(os.listdir("/dev/fd")) == before - 1


async def test_https_to_a_server_that_speaks_http_says_so(server: ModelServer) -> None:
    with pytest.raises(Unreachable, match="does not speak TLS"):
        await send(HttpRequest(server.url.replace("http:", "https:")))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            aiohttp.ClientConnectorCertificateError(
                ConnectionKey("a.example", 443, True, True, None, None, None),
                ssl.SSLCertVerificationError(1, "[SSL] self-signed"),
            ),
            "its TLS certificate is not trusted",
        ),
        (
            aiohttp.ClientConnectorDNSError(
                ConnectionKey("a.example", 443, True, True, None, None, None), socket.gaierror(socket.EAI_AGAIN, "")
            ),
            "could not be looked up now",
        ),
        (
            aiohttp.ClientConnectorError(
                ConnectionKey("a.example", 443, True, True, None, None, None), OSError(113, "x")
            ),
            "No route to host",
        ),
        (aiohttp.ConnectionTimeoutError("to https://a.example/?key=sk-secret"), "no connection within 30 seconds"),
        (aiohttp.InvalidURL("https://a.example/?key=sk-secret"), "not an address"),
    ],
)
def test_a_reason_is_a_sentence_without_secrets(error: Exception, words: str) -> None:
    assert words in reason(error)
    assert "sk-secret" not in reason(error)


def run_python(code: str) -> None:
    """A Python of its own, in which every warning is an error, that must have nothing to complain of."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_of_aiohttp_is_loaded_before_the_first_request() -> None:
    run_python("import sys, py_agent.client, py_agent.hosts.cpython; sys.exit('aiohttp' in sys.modules)")


@pytest.mark.parametrize(
    "ending",
    [
        "pass",
        "raise SystemExit(0)",
        "await http.close()",
        "hanging.cancel(); await asyncio.wait([hanging]); del http, hanging; gc.collect()",
    ],
)
def test_a_program_that_ends_leaves_no_warning(server: ModelServer, ending: str) -> None:
    run_python(f"""
import asyncio, gc
from py_agent.hosts.cpython import SocketHttp
from py_agent.ports.http import HttpRequest

async def ask(http, path):
    async with http.send(HttpRequest("{server.url}/" + path, "POST", body=b"{{}}")) as response:
        async for chunk in response.chunks():
            return chunk

async def main(http):
    hanging = asyncio.ensure_future(ask(http, "hang"))
    hanging.add_done_callback(lambda task: task.cancelled() or task.exception())
    cycle = [http]
    cycle.append(cycle)
    for path in ("echo/v1/responses", "endless/v1/responses"):
        assert await ask(http, path)
    del cycle
    {ending}

http = SocketHttp()
for _ in range(2):
    asyncio.run(main(http))
    asyncio.run(main(SocketHttp()))
""")
