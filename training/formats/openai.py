"""OpenAI's supervised fine-tuning: chat messages, pictures as data URLs of JPEG or PNG.

{"messages": [{"role": "user", "content": [{"type": "text", "text": "What is this?"},
                                           {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,…"}}]},
              {"role": "assistant", "content": "B"}]}

https://platform.openai.com/docs/guides/vision-fine-tuning: at most 64 pictures of 10 MB per row.
"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import convert_to_openai_messages

from backtrail.training.errors import RowsError
from backtrail.training.finetune.rows import Sourced, conversation

MOST_PICTURES = 64


def row(sourced: Sourced) -> dict[str, Any]:
    """Convert one row, with its pictures as a hosted planner gets them.

    Raises:
        RowsError: a picture cannot be shown, or there are more than OpenAI takes.
    """
    messages, problems = conversation(sourced)
    if problems:
        raise RowsError(sourced.folder, None, f"the row {sourced.row.id!r} cannot be shown: {'; '.join(problems)}")
    turns = convert_to_openai_messages(messages)
    assert isinstance(turns, list)
    shown = sum(part["type"] == "image_url" for one in turns for part in one["content"] if not isinstance(part, str))
    if shown > MOST_PICTURES:
        raise RowsError(
            sourced.folder, None,
            f"the row {sourced.row.id!r} shows {shown} pictures; OpenAI takes {MOST_PICTURES} at most. "
            "Record the planner with fewer: --set pictures=N.",
        )  # fmt: skip
    return {"messages": [*turns, {"role": "assistant", "content": sourced.row.reply}]}
