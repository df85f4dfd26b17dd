"""The chat completions format: a step as one object, or as the chunks that lead to it."""

from collections.abc import Iterator
from typing import Any

from tests.model_server.events import CREATED, DONE, data_event, pieces
from tests.model_server.steps import Reply, Step, Usage, Wait


def whole_completion(step: Step, reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": step.whole_text if step.parts else None,
        "refusal": step.refusal or None,
    }
    if step.calls:
        message["tool_calls"] = list(_whole_calls(step, reply))
    if step.reasoning:
        message["reasoning_content"] = _thoughts(step)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(step)}
    return _completion(reply, "chat.completion", [choice]) | {"usage": usage_of(step.usage)}


def completion_chunks(step: Step, reply: Reply) -> Iterator[bytes | Wait]:
    yield chunk(reply, {"role": "assistant", "content": "", "refusal": None})
    yield from _deltas(step, reply)
    yield chunk(reply, {}, finish_reason(step))
    if reply.with_usage:
        yield usage_chunk(reply, step.usage)
    yield DONE


def chunk(reply: Reply, delta: dict[str, Any], ending: str | None = None) -> bytes:
    return data_event(chunk_of(reply, {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ending}))


def chunk_of(reply: Reply, *choices: dict[str, Any]) -> dict[str, Any]:
    return _completion(reply, "chat.completion.chunk", list(choices)) | {"usage": None}


def usage_chunk(reply: Reply, usage: Usage) -> bytes:
    return data_event(chunk_of(reply) | {"usage": usage_of(usage)})


def call_chunk(reply: Reply, *calls: dict[str, Any]) -> bytes:
    return chunk(reply, {"tool_calls": list(calls)})


def finish_reason(step: Step) -> str:
    return "tool_calls" if step.calls and step.ending == "stop" else step.ending


def _deltas(step: Step, reply: Reply) -> Iterator[bytes | Wait]:
    # OpenAI gives no thoughts in this format; most servers that do call them so.
    for piece in pieces(_thoughts(step)):
        yield chunk(reply, {"reasoning_content": piece})
    for piece in pieces(step.refusal):
        yield chunk(reply, {"refusal": piece})
    for part in step.parts:
        yield chunk(reply, {"content": part}) if isinstance(part, str) else part
    for index, call in enumerate(_whole_calls(step, reply)):
        arguments = call["function"]["arguments"]
        yield call_chunk(reply, {"index": index, **call, "function": call["function"] | {"arguments": ""}})
        for piece in pieces(arguments):
            yield call_chunk(reply, {"index": index, "function": {"arguments": piece}})


def _whole_calls(step: Step, reply: Reply) -> Iterator[dict[str, Any]]:
    for number, call in enumerate(step.calls):
        function = {"name": call.name, "arguments": call.arguments}
        yield {"id": reply.call_id(call, number), "type": "function", "function": function}


def _thoughts(step: Step) -> str:
    return "\n".join(each.summary for each in step.reasoning)


def _completion(reply: Reply, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": reply.new_id("chatcmpl"),
        "object": kind,
        "created": CREATED,
        "model": reply.model,
        "service_tier": "default",
        "system_fingerprint": "fp_test",
        "choices": choices,
    }


def usage_of(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }
