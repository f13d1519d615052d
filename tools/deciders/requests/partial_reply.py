"""Read one field of a reply that is still being written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json

LONGEST = 50_000
"""Characters of a reply beyond which it is no longer read on the way: it is read once more at each piece (ours)."""

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_THINKING = re.compile(r"\A\s*<think>", re.IGNORECASE)


def text_so_far(reply: str, path: Sequence[str]) -> str:
    """What stands so far in the field of that path; "" as long as nothing does, or where the reply is no sound JSON.

    What it gives for a reply begins what it gives for a longer one.
    """
    if len(reply) > LONGEST:
        return ""
    reply = _THOUGHTS.sub("", reply)
    start = -1 if _THINKING.match(reply) else reply.find("{")
    if start < 0:
        return ""
    try:
        held: Any = from_json(reply[start:], allow_partial="trailing-strings")
    except ValueError:  # prose with braces, a damaged object, or its end and what comes after
        return ""
    for field in path:
        held = held.get(field) if isinstance(held, dict) else None
    return held if isinstance(held, str) else ""
