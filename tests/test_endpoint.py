"""Endpoints: what a base URL may be, what a refusal means, and how long to wait."""

import pytest

from py_agent.errors import UsageError
from py_agent.hosts.memory.http import MemoryResponse
from py_agent.providers.endpoint import Endpoint, lacks_path, message_of, retry_after_seconds

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("2.5", 2.5),
        ("-1", 0.0),
        ("1000000000", 60.0),
        ("nan", None),
        ("inf", 60.0),
        ("", None),
        ("soon", None),
        ("Tue, 14 Nov 2023 22:13:27 GMT", 7.0),
        ("Tue, 14 Nov 2023 22:13:10 GMT", 0.0),
        ("Tue, 14 Nov 2099 22:13:10 GMT", 60.0),
        ("Tue, 99 Nov 2023 22:13:10 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_within_bounds(value: str, seconds: float | None) -> None:
    assert retry_after_seconds(MemoryResponse(429, {"retry-after": value}), NOW) == seconds


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "no", "code": "x"}}', "no"),
        (b'{"error": "no"}', "no"),
        (b'{"object": "error", "message": "no"}', "no"),
        (b'{"detail": "Not Found"}', "Not Found"),
        (b"404 page not found", "404 page not found"),
        (b"<html>no</html>", ""),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b'{"error": {"message": {"a": 1}}}', ""),
        (b"[" * 100_000, "[" * 100_000),
    ],
)
def test_the_words_of_a_refusal_are_found(body: bytes, message: str) -> None:
    assert message_of(body) == message


@pytest.mark.parametrize(
    ("status", "body", "is_missing"),
    [
        (404, b"404 page not found", True),
        (405, b'{"detail": "Method Not Allowed"}', True),
        (501, b"", True),
        (404, b'{"error": {"code": "model_not_found", "message": "no"}}', False),
        (404, b'{"object": "error", "message": "The model `m-1` does not exist."}', False),
        (200, b'{"error": "Unexpected endpoint or method. (POST /v1/responses)"}', True),
        (200, b'{"choices": []}', False),
        (400, b"Unexpected endpoint", False),
    ],
)
def test_a_missing_path_is_told_from_a_missing_model(status: int, body: bytes, *, is_missing: bool) -> None:
    assert lacks_path(status, body, model="m-1") is is_missing


def test_a_base_url_is_normal_and_the_key_stays_out_of_sight() -> None:
    endpoint = Endpoint.parse(" http://localhost:1234/v1/ ", "sk-1")
    assert endpoint.base_url == "http://localhost:1234/v1"
    assert endpoint.headers == {"authorization": "Bearer sk-1"}
    assert "sk-1" not in repr(endpoint) + endpoint.clean("your key sk-1 is bad")
    assert Endpoint("http://h", "k", "api-key").headers == {"api-key": "k"}


@pytest.mark.parametrize(
    "url", ["localhost:1234", "ftp://x/v1", "http://u:p@host/v1", "https://host/v1?key=a", "http://"]
)
def test_what_is_no_base_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        Endpoint.parse(url)
