"""ms-swift: messages, and the pictures of their marks. A row without pictures has no ``images``.

{"messages": [{"role": "user", "content": "What is this?\\n<image>"}, {"role": "assistant", "content": "B"}],
 "images": ["/rows/pictures/….jpg"]}

https://swift.readthedocs.io/en/latest/Customization/Custom-dataset.html
"""

from __future__ import annotations

from typing import Any

from backtrail.training.finetune.rows import Sourced
from backtrail.training.formats.turns import turns


def row(sourced: Sourced) -> dict[str, Any]:
    """Convert one row."""
    converted = turns(sourced)
    return {"messages": converted.messages, **({"images": converted.pictures} if converted.pictures else {})}
