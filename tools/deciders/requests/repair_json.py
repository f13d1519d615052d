"""Extract a JSON object from a reply that is fenced, wrapped in prose or damaged.

The caller validates each candidate and takes the first fit. What stands within a damaged object is a part of it, and
may be a quotation from a document: it is never a reply of its own.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import json_repair

from backtrail.tools.untrusted_values import read_json

_LONGEST = 200_000  # characters; a reply beyond this is not an answer, and mending it could take long
_MOST_STARTS = 50
_OPENING = re.compile(r"\{(?=\s{0,200}(?:[\"'}]|[A-Za-z_]\w{0,60}\s{0,10}:))")
"""A brace that begins an object; prose has braces of its own."""
_ANEW = re.compile(r"^[ \t]{0,40}(\{(?=\s{0,200}[\"']))", re.MULTILINE)
_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}]')
_THOUGHTS = re.compile(r"\A(?!\{).*</think>|\A<think>.*", re.DOTALL | re.IGNORECASE)


def is_json_object(text: str) -> bool:
    """Whether the text as it stands is one JSON object."""
    try:
        return isinstance(read_json(text), dict)
    except ValueError:
        return False


def json_candidates(text: str) -> Iterator[dict[str, Any]]:
    """Objects that the text may mean, the likeliest first.

    Covers reasoning before the reply, code fences, prose around the object, trailing commas, single
    quotes, and objects that were cut off (closed where they end).
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
    """A damaged object put right; then those that come after it, where the text begins anew with one."""
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
    """Where the braces of a damaged object close outside of its strings; the end of the text where they do not."""
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
    """The object that starts at a brace, and where it ends."""
    try:
        return json.JSONDecoder().raw_decode(text, position)
    except (ValueError, RecursionError):  # no JSON, or nested beyond reason
        return None
