"""Captions of pictures, as plain text."""

from __future__ import annotations

import base64

from langchain_core.messages import AIMessage, HumanMessage

from backtrail.tools.local.chat import LocalChatModel

_CAPTION_TOKENS = 128


async def caption(model: LocalChatModel, picture: bytes) -> AIMessage:
    """Describe a picture with a model that continues a text after the picture, and so gets none.

    Raises:
        RequestUnsuitable: the model accepts no pictures, or this one cannot be decoded.
    """
    # Decoding detects the actual format, whatever the label says.
    url = f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"
    return await model.ainvoke(
        [HumanMessage([{"type": "image_url", "image_url": {"url": url}}])], max_tokens=_CAPTION_TOKENS
    )
