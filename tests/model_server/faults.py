"""Servers that fail: in the connection, in the status, in what they say instead of an answer."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat

from tests.model_server.answers import (
    CHAT,
    EVENTS,
    RESPONSES,
    Answer,
    Ask,
    error_answer,
    json_answer,
    plain,
    text_answer,
)
from tests.model_server.chat import chunk
from tests.model_server.events import data_event
from tests.model_server.scenarios import echo, scenario, script
from tests.model_server.steps import Pause, Reply, Step, Wait


@scenario("cut")
def cut(ask: Ask, count: str, script_name: str = "") -> Answer:
    """echo, or a script if one is named, closed after COUNT bytes of the body"""
    answer = script(ask, script_name) if script_name else echo(ask)
    return replace(answer, body=_first(answer.body, int(count)), ending="close")


@scenario("reset")
def reset(ask: Ask, count: str) -> Answer:
    """echo, reset after COUNT bytes of the body"""
    return replace(cut(ask, count), ending="reset")


def _first(body: Iterable[bytes | Wait], count: int) -> Iterator[bytes | Wait]:
    for part in body:
        if isinstance(part, bytes):
            yield part[:count]
            count -= len(part)
            if count <= 0:
                return


@scenario("hang")
def hang(ask: Ask) -> Answer:
    """takes the request and never answers"""
    return Answer(status=0, ending="hang")


@scenario("drop")
def drop(ask: Ask) -> Answer:
    """closes the connection without an answer"""
    return Answer(status=0, ending="close")


@scenario("leave")
def leave(ask: Ask) -> Answer:
    """echo, after which the connection is closed although nothing said so"""
    return replace(echo(ask), ending="leave")


@scenario("not-http")
def not_http(ask: Ask) -> Answer:
    """answers with bytes that are not HTTP"""
    return Answer((b"\x00\x01\x02 hello\r\n\r\n",), status=0, ending="close")


@scenario("slow")
def slow(ask: Ask, seconds: str) -> Answer:
    """echo, one byte at a time with SECONDS between them"""
    answer = echo(ask)
    single = (bytes([byte]) for part in answer.body if isinstance(part, bytes) for byte in part)
    return replace(answer, body=(part for byte in single for part in (byte, Pause(float(seconds)))))


@scenario("silent")
def silent(ask: Ask) -> Answer:
    """sends the headers and then nothing"""
    return replace(echo(ask), body=(), ending="hang")


@scenario("endless")
def endless(ask: Ask) -> Answer:
    """streams deltas for ever"""
    reply = Reply()
    delta = {"type": "response.output_text.delta", "item_id": "msg", "output_index": 0, "content_index": 0}
    event = data_event({**delta, "delta": "and on ", "logprobs": [], "sequence_number": 1})
    return Answer(repeat(chunk(reply, {"content": "and on "}) if ask.endpoint == CHAT else event), headers=EVENTS)


@scenario("endless-line")
def endless_line(ask: Ask) -> Answer:
    """streams one event that never ends"""
    return Answer(chain((b'data: {"delta":"',), repeat(b"x" * 4096)), headers=EVENTS)


@scenario("status")
def status(ask: Ask, code: str, retry_after: str = "") -> Answer:
    """answers with the status CODE, and with a Retry-After if one is given"""
    headers = {"retry-after": retry_after} if retry_after else {}
    return error_answer(int(code), f"This server answers everything with {code}.", headers=headers)


@scenario("fail")
def fail(ask: Ask, count: str, code: str, retry_after: str = "", _: str = "") -> Answer:
    """answers the first COUNT requests to this path as `status` does and the others as `echo` does"""
    return status(ask, code, retry_after) if ask.earlier < int(count) else echo(ask)


@scenario("redirect")
def redirect(ask: Ask, target: str) -> Answer:
    """redirects to TARGET, an encoded URL"""
    return Answer(status=307, headers={"location": target}, length=0)


@scenario("html")
def html(ask: Ask) -> Answer:
    """answers with a page of HTML and the status 200"""
    return text_answer("<!doctype html><title>Sign in</title><h1>Please sign in</h1>", "text/html")


@scenario("garbage")
def garbage(ask: Ask) -> Answer:
    """answers with bytes that are neither JSON nor text"""
    bad = (b'data: {"type":"response.output_text.delta","del\n\n', b"data: \xff\xfe\x00\n\n", b"\x80\x81\n\n" * 20)
    return Answer(bad, headers=EVENTS)


@scenario("bad-gzip")
def bad_gzip(ask: Ask) -> Answer:
    """says that its body is compressed, and it is not"""
    return replace(text_answer("This is a plain text."), headers={"content-encoding": "gzip"})


@scenario("no-responses")
def no_responses(ask: Ask, variant: str = "404") -> Answer:
    """knows chat only; VARIANT is the status it refuses the other with, 200 as LM Studio does"""
    if ask.endpoint != RESPONSES:
        return echo(ask)
    if variant == "200":
        return json_answer({"error": f"Unexpected endpoint or method. (POST /v1/{RESPONSES})"})
    return json_answer({"detail": "Not Found"}, int(variant))


@scenario("wrong-key")
def wrong_key(ask: Ask) -> Answer:
    """refuses the key with 401, and repeats it"""
    key = ask.record.headers.get("authorization", "").removeprefix("Bearer ")
    return error_answer(401, f"The API key {key} is not known.", code="invalid_api_key")


@scenario("unknown-model")
def unknown_model(ask: Ask) -> Answer:
    """refuses the model with 404"""
    if ask.endpoint in {"", "models"}:
        return plain(ask, Step())
    message = f"There is no model {ask.reply.model} that you could use."
    return error_answer(404, message, code="model_not_found")
