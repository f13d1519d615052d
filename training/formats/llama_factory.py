"""LLaMA-Factory: "sharegpt" format with OpenAI's names, and the index ``dataset_info.json``.

{"messages": [{"role": "user", "content": "What is this?\\n<image>"}, {"role": "assistant", "content": "B"}],
 "images": ["/rows/pictures/….jpg"]}

https://llamafactory.readthedocs.io/en/latest/getting_started/data_preparation.html
"""

from __future__ import annotations

from typing import Any

from backtrail.training.finetune.rows import Sourced
from backtrail.training.formats.turns import turns

INDEX = "dataset_info.json"


def row(sourced: Sourced) -> dict[str, Any]:
    """Convert one row; ``images`` may be empty."""
    converted = turns(sourced)
    return {"messages": converted.messages, "images": converted.pictures}


def index(files: list[str]) -> dict[str, Any]:
    """Return the content of ``dataset_info.json``: ``backtrail_train`` for ``train.jsonl``."""
    return {
        f"backtrail_{file.removesuffix('.jsonl')}": {
            "file_name": file,
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": {
                "role_tag": "role",
                "content_tag": "content",
                "user_tag": "user",
                "assistant_tag": "assistant",
                "system_tag": "system",
            },
        }
        for file in files
    }
