"""Http over real connections to a real server, on every host that has them."""

import asyncio
import json
from typing import Any
from urllib.parse import quote

import pytest

from py_agent.errors import ConnectionLost, NetworkError, Unreachable
from py_agent.ports.host import Host
from py_agent.ports.http import Http, HttpRequest, HttpResponse
from tests.contracts.place import Place

pytestmark = pytest.mark.network

KEY = {"authorization": "Bearer sk-secret-1"}
STREAM = b'{"model": "m", "input": "hello", "stream": true}'


async def body_of(http: Http, request: HttpRequest) -> bytes:
    async with http.send(request) as response:
        return await read_all(response)


async def read_all(response: HttpResponse) -> bytes:
    return b"".join([chunk async for chunk in response.chunks()])


async def get_json(http: Http, url: str) -> Any:
    return json.loads(await body_of(http, HttpRequest(url)))


async def opened(place: Place) -> Host:
    """A host, and a server that remembers nothing."""
    host = await place.open()
    await body_of(host.http, HttpRequest(f"{place.server}/requests", "DELETE"))
    return host


async def asked(http: Http, place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = await get_json(http, f"{place.server}/requests")
    return found


async def assert_ends_at_once(host: Host, place: Place, left: float) -> None:
    """The server saw the end of its first request's connection within 100 ms of `left`."""
    record = (await asked(host.http, place))[0]
    ended = (await get_json(host.http, f"{place.server}/requests/{record['number']}"))["ended"]
    assert ended is not None
    assert ended - left < 0.1


async def test_a_request_arrives_as_it_is_and_its_response_tells_status_and_headers(place: Place) -> None:
    host = await opened(place)
    url = f"{place.server}/status/418/7?a=%20b"
    request = HttpRequest(url, "POST", {**KEY, "Content-Type": "text/x", "x-own": "a, b"}, b"\x00\xff body")
    async with host.http.send(request) as response:
        assert response.status == 418
        assert response.headers["retry-after"] == "7"
        assert response.headers["content-type"] == "application/json"
        assert all(name == name.lower() for name in response.headers)
        assert "418" in json.loads(await read_all(response))["error"]["message"]
    [record] = await asked(host.http, place)
    assert (record["method"], record["target"]) == ("POST", "/status/418/7?a=%20b")
    assert record["body"] == "\x00� body"
    expected = {**KEY, "content-type": "text/x", "x-own": "a, b", "content-length": "7"}
    assert expected.items() <= record["headers"].items()


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
async def test_every_method_arrives(place: Place, method: str) -> None:
    host = await opened(place)
    await body_of(host.http, HttpRequest(f"{place.server}/mirror", method))
    assert [record["method"] for record in await asked(host.http, place)] == [method]


async def test_a_chunk_is_seen_before_the_next_is_sent(place: Place) -> None:
    host = await place.open()
    gate = host.ids.new()
    async with host.http.send(HttpRequest(f"{place.server}/gate/{gate}")) as response:
        chunks = response.chunks()
        assert await anext(chunks) == b"first"
        await body_of(host.http, HttpRequest(f"{place.server}/gates/{gate}", "POST"))
        assert [chunk async for chunk in chunks] == [b"last"]


async def test_five_megabytes_come_back_as_they_were_sent(place: Place) -> None:
    host = await opened(place)
    data = bytes(range(256)) * (5 * 4096)
    assert await body_of(host.http, HttpRequest(f"{place.server}/mirror", "POST", body=data)) == data
    await opened(place)


async def test_a_compressed_body_is_given_as_it_was_before(place: Place) -> None:
    host = await place.open()
    assert await get_json(host.http, f"{place.server}/gzip") == {"text": "squeezed " * 1000}


async def test_a_body_that_cannot_be_decompressed_is_an_error_of_the_network(place: Place) -> None:
    host = await place.open()
    with pytest.raises(NetworkError):
        await body_of(host.http, HttpRequest(f"{place.server}/bad-gzip"))


async def test_a_cookie_is_never_sent_back(place: Place) -> None:
    host = await opened(place)
    for _ in range(3):
        await body_of(host.http, HttpRequest(f"{place.server}/cookies"))
    records = await asked(host.http, place)
    assert len(records) == 3
    assert not any("cookie" in record["headers"] for record in records)


async def test_a_redirect_is_told_and_not_followed(place: Place) -> None:
    host = await opened(place)
    canary = f"{place.server.replace('127.0.0.1', 'localhost')}/mirror"
    url = f"{place.server}/redirect/{quote(canary, safe='')}"
    async with host.http.send(HttpRequest(url, "POST", KEY, b"x")) as response:
        assert 300 < response.status < 400
        assert response.headers.get("location") in {canary, None}
        assert await read_all(response) == b""
    [record] = await asked(host.http, place)
    assert record["target"].startswith("/redirect/")
    await body_of(host.http, HttpRequest(canary))
    assert len(await asked(host.http, place)) == 2


async def test_a_refused_connection_is_named_by_its_origin_alone(place: Place) -> None:
    host = await place.open()
    refusing = (await get_json(host.http, f"{place.server}/refusing"))["url"]
    with pytest.raises(Unreachable) as caught:
        await body_of(host.http, HttpRequest(f"{refusing}/path?key=sk-secret-2", "GET", KEY))
    assert str(caught.value).startswith(f"{refusing} could not be reached: ")
    assert "path" not in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_a_host_that_does_not_exist_is_unreachable(place: Place) -> None:
    host = await place.open()
    origin = f"https://{'a' * 64}.test"
    with pytest.raises(Unreachable, match=f"^{origin} could not be reached"):
        await body_of(host.http, HttpRequest(f"{origin}/v1"))


@pytest.mark.parametrize("scenario", ["drop", "not-http"])
async def test_a_server_that_gives_no_response_is_unreachable(place: Place, scenario: str) -> None:
    host = await place.open()
    with pytest.raises(Unreachable, match=f"^{place.server} could not be reached"):
        await body_of(host.http, HttpRequest(f"{place.server}/{scenario}", "POST", body=b"x"))


@pytest.mark.parametrize("scenario", ["cut/20", "reset/20"])
@pytest.mark.parametrize("body", [b'{"input": "hello"}', STREAM])
async def test_a_body_that_breaks_off_is_lost(place: Place, scenario: str, body: bytes) -> None:
    host = await place.open()
    request = HttpRequest(f"{place.server}/{scenario}/v1/responses", "POST", KEY, body)
    async with host.http.send(request) as response:
        assert response.status == 200
        with pytest.raises(ConnectionLost, match=f"^The response of {place.server} broke off"):
            await read_all(response)


@pytest.mark.parametrize("scenario", ["endless", "silent"])
async def test_leaving_a_response_early_ends_its_connection_at_once(place: Place, scenario: str) -> None:
    host = await opened(place)
    async with host.http.send(HttpRequest(f"{place.server}/{scenario}/v1/responses", "POST", KEY, STREAM)) as response:
        if scenario == "endless":
            assert await anext(response.chunks())
        left = host.clock.now()
    await assert_ends_at_once(host, place, left)


@pytest.mark.parametrize("scenario", ["endless", "silent"])
async def test_cancelling_while_the_body_arrives_ends_the_connection_at_once(place: Place, scenario: str) -> None:
    host = await opened(place)
    begun = asyncio.Event()

    async def read() -> None:
        request = HttpRequest(f"{place.server}/{scenario}/v1/responses", "POST", KEY, STREAM)
        async with host.http.send(request) as response:
            begun.set()
            async for _ in response.chunks():
                await asyncio.sleep(0)

    reading = asyncio.create_task(read())
    await begun.wait()
    await cancel_and_see_the_end(reading, host, place)


async def test_cancelling_while_the_head_is_waited_for_ends_the_connection_at_once(place: Place) -> None:
    host = await opened(place)
    sending = asyncio.create_task(body_of(host.http, HttpRequest(f"{place.server}/hang", "POST", KEY, b"x")))
    assert len(await get_json(host.http, f"{place.server}/arrivals/1")) == 1
    await cancel_and_see_the_end(sending, host, place)


async def cancel_and_see_the_end(task: asyncio.Task[Any], host: Host, place: Place) -> None:
    left = host.clock.now()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await assert_ends_at_once(host, place, left)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_closing_ends_what_is_under_way_and_may_be_done_twice(place: Place) -> None:
    host = await opened(place)
    under_way = [
        asyncio.create_task(body_of(host.http, HttpRequest(f"{place.server}/{scenario}", "POST", KEY, STREAM)))
        for scenario in ("silent/v1/responses", "hang")
    ]
    assert len(await get_json(host.http, f"{place.server}/arrivals/2")) == 2
    async with host.http.send(HttpRequest(f"{place.server}/endless/v1/responses", "POST", KEY, STREAM)) as response:
        assert await anext(response.chunks())
        left = host.clock.now()
        await host.http.close()
        await host.http.close()
        with pytest.raises(ConnectionLost):
            await read_all(response)
    for error in await asyncio.gather(*under_way, return_exceptions=True):
        assert isinstance(error, Unreachable | ConnectionLost)
    await assert_ends_at_once(host, place, left)


async def test_a_hundred_requests_in_a_row_share_a_connection(place: Place) -> None:
    host = await opened(place)
    for _ in range(100):
        await body_of(host.http, HttpRequest(f"{place.server}/echo/v1/models"))
    records = await asked(host.http, place)
    assert len(records) == 100
    assert len({record["connection"] for record in records}) <= 2


async def test_many_requests_at_once_get_their_own_responses(place: Place) -> None:
    host = await opened(place)
    sent = [str(number).encode() * 1000 for number in range(30)]
    requests = [HttpRequest(f"{place.server}/mirror", "POST", body=body) for body in sent]
    assert await asyncio.gather(*[body_of(host.http, request) for request in requests]) == sent
