"""Find the JSON object in what a model wrote: bare, fenced, wrapped in prose, or damaged.

Sound JSON is preferred over mended JSON; the caller validates each candidate and takes the first fit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import json_repair

_LONGEST = 200_000  # characters; a reply beyond this is not an answer, and mending it could take long
_MOST_STARTS = 50
_THOUGHTS = re.compile(r"\A(?!\{).*</think>|\A<think>.*", re.DOTALL | re.IGNORECASE)


def is_json_object(text: str) -> bool:
    """Whether the text as it stands is one JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def json_candidates(text: str) -> Iterator[dict[str, Any]]:
    """Objects that the text may mean, the likeliest first.

    Covers reasoning before the reply, code fences, prose around the object, trailing commas, single
    quotes, and objects that were cut off (closed where they end).
    """
    text = _THOUGHTS.sub("", text.strip())[:_LONGEST]
    start = text.find("{")
    if start < 0:
        return
    yield from _sound_objects(text)
    # When the outermost object is damaged, the sound ones above were only parts of it.
    if _decoded(text, start) is not None:
        return
    try:
        mended = json_repair.loads(text[start:])
    except (ValueError, RecursionError):
        return
    for one in mended if isinstance(mended, list) else [mended]:
        if isinstance(one, dict) and one:
            yield one


def _sound_objects(text: str) -> Iterator[dict[str, Any]]:
    position = 0
    for _ in range(_MOST_STARTS):
        position = text.find("{", position)
        if position < 0:
            return
        decoded = _decoded(text, position)
        if decoded is None:
            position += 1
            continue
        found, position = decoded
        yield found


def _decoded(text: str, position: int) -> tuple[dict[str, Any], int] | None:
    """The object that starts at a brace, and where it ends."""
    try:
        return json.JSONDecoder().raw_decode(text, position)
    except (ValueError, RecursionError):  # no JSON, or nested beyond reason
        return None
