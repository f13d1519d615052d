"""Extract a JSON object from a reply that is fenced, wrapped in prose or damaged.

The caller validates each candidate and takes the first valid one. An object inside a damaged object is never a
candidate, as it may be a quotation from a document.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import json_repair

from backtrail.tools.untrusted_values import read_json

_LONGEST = 200_000  # characters; a longer reply is not an answer, and repairing it could take long
_MOST_STARTS = 50
_OPENING = re.compile(r"\{(?=\s{0,200}(?:[\"'}]|[A-Za-z_]\w{0,60}\s{0,10}:))")
"""A brace that begins an object, unlike braces in prose."""
_ANEW = re.compile(r"^[ \t]{0,40}(\{(?=\s{0,200}[\"']))", re.MULTILINE)
_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}]')
_THOUGHTS = re.compile(r"\A(?!\{).*</think>|\A<think>.*", re.DOTALL | re.IGNORECASE)


def is_json_object(text: str) -> bool:
    """Whether the text is one JSON object, without repair."""
    try:
        return isinstance(read_json(text), dict)
    except ValueError:
        return False


def json_candidates(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects that the text may contain, the most likely first.

    Handles reasoning before the reply, code fences, prose around the object, trailing commas, single
    quotes, and objects that were cut off (closed at their end).
    """
    text = _THOUGHTS.sub("", text.strip())[:_LONGEST]
    position = 0
    for _ in range(_MOST_STARTS):
        start = _OPENING.search(text, position)
        if start is None:
            return
        decoded = _decoded(text, start.start())
        if decoded is None:
            yield from _mended(text, start.start())
            return
        found, position = decoded
        yield found


def _mended(text: str, start: int) -> Iterator[dict[str, Any]]:
    """Yield a damaged object, repaired; then the next object that begins a line after it."""
    end = _end_of_damaged(text, start)
    pieces = [text[start:end]]
    pieces += [text[again.start(1) :] for again in itertools.islice(_ANEW.finditer(text, end), 1)]
    for number, piece in enumerate(pieces):
        decoded = _decoded(piece, 0) if number else None
        if decoded is not None:
            yield decoded[0]
            continue
        try:
            mended = json_repair.loads(piece)
        except (ValueError, RecursionError):
            continue
        for one in mended if isinstance(mended, list) else [mended]:
            if isinstance(one, dict) and one:
                yield one


def _end_of_damaged(text: str, start: int) -> int:
    """Return where the braces of a damaged object close, outside of strings; else the end of the text."""
    depth = 0
    for token in _TOKENS.finditer(text, start):
        if token.group() == "{":
            depth += 1
        elif token.group() == "}":
            depth -= 1
            if depth == 0:
                return token.end()
    return len(text)


def _decoded(text: str, position: int) -> tuple[dict[str, Any], int] | None:
    """Return the object that starts at a brace, and its end."""
    try:
        return json.JSONDecoder().raw_decode(text, position)
    except (ValueError, RecursionError):  # not JSON, or nested too deeply
        return None
