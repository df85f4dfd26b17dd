"""Streams that are told in an odd way, or end in one."""

from collections.abc import Iterator

from tests.model_server.answers import CHAT, EVENTS, Answer, Ask, error_answer, error_of, plain
from tests.model_server.chat import chunk, chunk_of, completion_chunks, usage_chunk
from tests.model_server.events import DONE, data_event
from tests.model_server.responses import event_maker, failed_response, response_events
from tests.model_server.scenarios import scenario
from tests.model_server.steps import Reply, Step, Usage, Wait

HELLO = Step(deltas=("Hello", " there."))
_MESSAGE = "The model stumbled."


@scenario("incomplete")
def incomplete(ask: Ask, reason: str = "length") -> Answer:
    """ends before the answer does; REASON is length or content_filter"""
    return plain(ask, Step(deltas=("Hello",), ending="length" if reason == "length" else "content_filter"))


@scenario("error-in-stream")
def error_in_stream(ask: Ask) -> Answer:
    """says an error in the middle of the stream"""
    if not ask.is_streamed:
        return error_answer(500, _MESSAGE)
    if ask.endpoint == CHAT:
        return _answer(chunk(ask.reply, {"role": "assistant", "content": "Hello"}), _chat_error())
    error = event_maker()("error", code="server_error", message=_MESSAGE, param=None)
    return _answer(*_until_text(ask.reply), error)


@scenario("failed")
def failed(ask: Ask) -> Answer:
    """ends the stream with response.failed, in chat with an error"""
    if not ask.is_streamed:
        return error_answer(500, _MESSAGE)
    if ask.endpoint == CHAT:
        return _answer(_chat_error())
    return _answer(
        *_until_text(ask.reply), event_maker()("response.failed", response=failed_response(ask.reply, _MESSAGE))
    )


@scenario("done-then-more")
def done_then_more(ask: Ask) -> Answer:
    """goes on after the stream's end was told"""
    if not ask.is_streamed:
        return plain(ask, HELLO)
    if ask.endpoint == CHAT:
        more = chunk(ask.reply, {"content": " And more."}, "stop")
        return _answer(*completion_chunks(HELLO, ask.reply), more, DONE)
    return _answer(*response_events(HELLO, ask.reply), DONE, *_until_text(ask.reply))


@scenario("two-finish-reasons")
def two_finish_reasons(ask: Ask) -> Answer:
    """tells twice why it stopped"""
    if not ask.is_streamed:
        return plain(ask, HELLO)
    if ask.endpoint == CHAT:
        *chunks, done = completion_chunks(HELLO, ask.reply)
        return _answer(*chunks, chunk(ask.reply, {}, "length"), done)
    *events, completed = response_events(HELLO, ask.reply)
    return _answer(*events, completed, completed)


@scenario("usage-only-chunk")
def usage_only_chunk(ask: Ask) -> Answer:
    """tells the usage in a chunk without choices, asked for or not"""
    if not ask.is_streamed or ask.endpoint != CHAT:
        return plain(ask, HELLO)
    reply = Reply(ask.reply.model, ask.turn, with_usage=True)
    return _answer(*completion_chunks(HELLO, reply))


@scenario("empty-choices")
def empty_choices(ask: Ask) -> Answer:
    """sends chunks without choices before, between and after the others"""
    if not ask.is_streamed or ask.endpoint != CHAT:
        return plain(ask, HELLO)
    empty = data_event(chunk_of(ask.reply))
    *chunks, done = completion_chunks(HELLO, ask.reply)
    return _answer(empty, *(part for each in chunks for part in (each, empty)), usage_chunk(ask.reply, Usage()), done)


@scenario("no-done")
def no_done(ask: Ask) -> Answer:
    """ends the stream in good order, but without the event that should be the last"""
    if not ask.is_streamed:
        return plain(ask, HELLO)
    events = completion_chunks(HELLO, ask.reply) if ask.endpoint == CHAT else response_events(HELLO, ask.reply)
    return _answer(*list(events)[:-1])


@scenario("cut-text")
def cut_text(ask: Ask) -> Answer:
    """ends the stream in good order in the middle of the text"""
    if not ask.is_streamed:
        return plain(ask, HELLO)
    if ask.endpoint == CHAT:
        return _answer(chunk(ask.reply, {"role": "assistant", "content": "Hello"}))
    return _answer(*_until_text(ask.reply))


def _answer(*parts: bytes | Wait) -> Answer:
    return Answer(parts, headers=EVENTS)


def _until_text(reply: Reply) -> Iterator[bytes | Wait]:
    for event in response_events(HELLO, reply):
        yield event
        if isinstance(event, bytes) and b"output_text.delta" in event:
            return


def _chat_error() -> bytes:
    return data_event({"error": error_of(_MESSAGE)})
