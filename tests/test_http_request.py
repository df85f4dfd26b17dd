"""Requests that no host sends, and the http port in memory."""

from collections.abc import AsyncGenerator

import pytest

from py_agent.errors import ConnectionLost, Unreachable, UsageError
from py_agent.hosts.memory import MemoryHttp, MemoryResponse, memory_host
from py_agent.ports.http import HttpRequest

URL = "https://user.example/v1"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/v1",
        "file:///etc/passwd",
        "data:text/plain,x",
        "blob:https://a.example/1",
        "ftp://a.example/",
        "http://",
        "http:///v1",
        "https://me:sk-secret@a.example/",
        "https://me@a.example/",
        "https://a.example\\@b.example/",
        "https://a.example/a b",
        "https://a.example/\r\nHost: b",
        "https://a.example\n",
        "https://a.example:99999/",
        "https://a.example:0/",
        "https://a.example:x/",
    ],
)
def test_a_url_that_leads_elsewhere_or_holds_a_secret_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError, match="must be http or https") as caught:
        HttpRequest(url)
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("value", ["a\r\nx-evil: 1", "a\nb", "a\rb", "a\0b", "sk-key\n", "naïve", "“key”", "\x7f"])
def test_a_header_whose_value_would_end_it_is_refused_and_not_repeated(value: str) -> None:
    with pytest.raises(UsageError, match="The header x-key holds") as caught:
        HttpRequest(URL, headers={"x-key": f"sk-secret{value}"})
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["", "a b", "a:b", "a\r\nb", "ä", "Host", "cookie", "Content-Length", "TRANSFER-ENCODING", "Proxy-X", "sec-fetch"],
)
def test_a_header_that_is_none_or_belongs_to_the_platform_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="header"):
        HttpRequest(URL, headers={name: "x"})


@pytest.mark.parametrize(
    ("method", "body"), [("get", b""), ("CONNECT", b""), ("TRACE", b""), ("GET", b"x"), ("HEAD", b"x"), ("A B", b"")]
)
def test_a_method_that_not_every_host_can_send_is_refused(method: str, body: bytes) -> None:
    with pytest.raises(UsageError, match="cannot be sent"):
        HttpRequest(URL, method, body=body)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://API.example/v1/responses?key=1#x", "https://api.example"),
        ("HTTP://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/a", "http://[::1]:8000"),
        ("https://a.example?http://b.example/", "https://a.example"),
        ("https://a.example#/b", "https://a.example"),
        ("https://bücher.example/", "https://bücher.example"),
    ],
)
def test_the_origin_is_what_may_be_shown_of_a_url(url: str, origin: str) -> None:
    assert HttpRequest(url).origin == origin


async def test_a_function_answers_in_memory_and_what_it_was_asked_is_kept() -> None:
    async def answer(request: HttpRequest) -> MemoryResponse:
        return MemoryResponse(201, {"X-Seen": request.headers["x-own"]}, b"you said " + request.body)

    http = MemoryHttp(answer)
    request = HttpRequest(URL, "POST", {"x-own": "1"}, b"hello")
    async with memory_host(http=http).http.send(request) as response:
        assert (response.status, response.headers) == (201, {"x-seen": "1"})
        assert [chunk async for chunk in response.chunks()] == [b"you said hello"]
    assert http.requests == [request]
    await http.close()


async def test_a_body_in_memory_may_break_off_and_is_closed_when_it_is_left() -> None:
    ends: list[str] = []

    async def body() -> AsyncGenerator[bytes, None]:
        try:
            yield b"one"
            raise ConnectionLost("The response broke off.")
        finally:
            ends.append("closed")

    async def answer(request: HttpRequest) -> MemoryResponse:
        return MemoryResponse(body=body())

    http = MemoryHttp(answer)
    async with http.send(HttpRequest(URL)) as response:
        assert await anext(response.chunks()) == b"one"
    assert ends == ["closed"]
    async with http.send(HttpRequest(URL)) as response:
        chunks = response.chunks()
        assert await anext(chunks) == b"one"
        with pytest.raises(ConnectionLost):
            await anext(chunks)


async def test_memory_reaches_nothing_unless_it_is_told_how() -> None:
    with pytest.raises(Unreachable, match=r"^https://user\.example cannot be reached"):
        await memory_host().http.send(HttpRequest(f"{URL}?key=sk-secret")).__aenter__()
