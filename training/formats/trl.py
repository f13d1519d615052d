"""TRL's SFTTrainer: conversational prompt and completion, so that the loss covers only the reply.

{"prompt": [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image", "text": null}]}],
 "completion": [{"role": "assistant", "content": [{"type": "text", "text": "B"}]}],
 "images": ["/rows/pictures/….jpg"]}

Cast ``images`` to ``Sequence(Image())`` of the library ``datasets`` after loading; parts are of one shape for Arrow.
https://huggingface.co/docs/trl/dataset_formats
"""

from __future__ import annotations

from typing import Any

from backtrail.training.finetune.rows import Message, Sourced, TextPart
from backtrail.training.formats.turns import turns


def row(sourced: Sourced) -> dict[str, Any]:
    """Convert one row."""
    messages = [{"role": message.role, "content": _parts(message)} for message in sourced.row.messages]
    return {"prompt": messages[:-1], "completion": messages[-1:], "images": turns(sourced).pictures}


def _parts(message: Message) -> list[dict[str, str | None]]:
    if isinstance(message.content, str):
        return [{"type": "text", "text": message.content}]
    return [{"type": part.type, "text": part.text if isinstance(part, TextPart) else None} for part in message.content]
