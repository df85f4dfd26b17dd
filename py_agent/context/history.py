"""The history that a model is sent: messages with their long values read back from blobs."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from py_agent.core.messages import AssistantTurn, CallResult, Image, Message, ToolCall, UserText
from py_agent.core.trees import BlobRef
from py_agent.ports.storage import Blobs


class History:
    """One list that only grows, so that what was sent before is not made again."""

    def __init__(self, blobs: Blobs) -> None:
        self.messages: list[Message] = []
        self._blobs = blobs

    async def extend(self, messages: Sequence[Message]) -> list[Message]:
        """Take over the messages not seen yet of a list that only grows."""
        for message in messages[len(self.messages) :]:
            self.messages.append(await self._whole(message))
        return self.messages

    async def _whole(self, message: Message) -> Message:
        match message:
            case UserText():
                return await self._whole_text(message)
            case CallResult(output_blob=BlobRef() as blob):
                return replace(message, output=await self._json(blob))
            case AssistantTurn():
                return await self._whole_turn(message)
        return message

    async def _whole_text(self, message: UserText) -> UserText:
        update: dict[str, Any] = {}
        if message.text_blob is not None:
            update["text"] = await self._text(message.text_blob)
        if message.images:
            update["images"] = tuple([await self._whole_image(image) for image in message.images])
        return replace(message, **update) if update else message

    async def _whole_image(self, image: Image) -> Image:
        return image.model_copy(update={"data": await self._blobs.get(image.blob.sha256)})

    async def _whole_turn(self, turn: AssistantTurn) -> AssistantTurn:
        update: dict[str, Any] = {}
        if turn.text_blob is not None:
            update["text"] = await self._text(turn.text_blob)
        if any(call.input_blob for call in turn.calls):
            update["calls"] = tuple([await self._whole_call(call) for call in turn.calls])
        if turn.provider_items is not None and turn.provider_items.items_blob is not None:
            items = await self._json(turn.provider_items.items_blob)
            update["provider_items"] = turn.provider_items.model_copy(update={"items": tuple(items)})
        return replace(turn, **update) if update else turn

    async def _whole_call(self, call: ToolCall) -> ToolCall:
        if call.input_blob is None:
            return call
        return replace(call, input=await self._json(call.input_blob))

    async def _text(self, blob: BlobRef) -> str:
        return (await self._blobs.get(blob.sha256)).decode()

    async def _json(self, blob: BlobRef) -> Any:
        return json.loads(await self._blobs.get(blob.sha256))
