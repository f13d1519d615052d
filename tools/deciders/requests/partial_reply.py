"""Read one field of a reply that is still being written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json

LONGEST = 50_000
"""Characters beyond which a partial reply is not parsed: every new piece parses the whole again (ours)."""

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_THINKING = re.compile(r"\A\s*<think>", re.IGNORECASE)


def text_so_far(reply: str, path: Sequence[str]) -> str:
    """Return the text so far of the field at a path; "" if there is none, or the reply is not valid JSON.

    The text for a reply is a prefix of the text for the same reply continued.
    """
    if len(reply) > LONGEST:
        return ""
    reply = _THOUGHTS.sub("", reply)
    start = -1 if _THINKING.match(reply) else reply.find("{")
    if start < 0:
        return ""
    try:
        value: Any = from_json(reply[start:], allow_partial="trailing-strings")
    except ValueError:  # prose with braces, a damaged object, or its end and what comes after
        return ""
    for field in path:
        value = value.get(field) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""
