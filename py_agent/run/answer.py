"""A model's answer as events, its long values kept as blobs."""

from py_agent.core.events import AssistantMessage, ToolUse
from py_agent.core.messages import ProviderItems, ToolCall
from py_agent.providers.model import Done, ModelOutput
from py_agent.run.session import Session


async def answer_events(
    session: Session, output: ModelOutput, done: Done, step: int
) -> tuple[AssistantMessage, list[ToolUse]]:
    """The message and one `tool.use` for each call. Of an answer that was cut off, the text is all that counts."""
    calls = [] if done.cut_off else output.calls
    message = AssistantMessage(
        step=step,
        call_ids=tuple(call.call_id for call in calls),
        provider_items=await _kept_items(session, done.provider_items),
        usage=done.usage,
        cut_off=done.cut_off,
        **await session.text_fields(output.text),
    )
    return message, [await _use(session, call, step) for call in calls]


async def _use(session: Session, call: ToolCall, step: int) -> ToolUse:
    fields = await session.json_fields("input", call.input)
    return ToolUse(step=step, tool_use_id=session.host.ids.new(), call_id=call.call_id, name=call.name, **fields)


async def _kept_items(session: Session, items: ProviderItems | None) -> ProviderItems | None:
    if items is None:
        return None
    fields = await session.json_fields("items", items.items)
    return ProviderItems(format=items.format, response_id=items.response_id, **fields)
