"""OpenAI's supervised fine-tuning: chat messages, pictures as data URLs of JPEG or PNG.

{"messages": [{"role": "user", "content": [{"type": "text", "text": "What is this?"},
                                           {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,…"}}]},
              {"role": "assistant", "content": "B"}]}

https://platform.openai.com/docs/guides/vision-fine-tuning: at most 64 pictures of 10 MB a row.
"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import convert_to_openai_messages

from backtrail.training.errors import RowsError
from backtrail.training.finetune.rows import Sourced, conversation


def row(sourced: Sourced) -> dict[str, Any]:
    """One row, its pictures shown as a hosted planner is shown them.

    Raises:
        RowsError: a picture cannot be shown.
    """
    messages, problems = conversation(sourced)
    if problems:
        raise RowsError(sourced.folder, None, f"the row {sourced.row.id!r} cannot be shown: {'; '.join(problems)}")
    told = convert_to_openai_messages(messages)
    assert isinstance(told, list)
    return {"messages": [*told, {"role": "assistant", "content": sourced.row.reply}]}
