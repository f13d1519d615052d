"""Split long preformatted blocks at lines, so that search reads all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backtrail.ingest.html.long_items import letters
from backtrail.ingest.subcomponents import SURROGATE_CHARACTERS
from backtrail.state.component import Link

LONG = 10_000
"""Letters of a list, quote or preformatted block, above which it is divided (ours): five times what is searched. Half
as long they are mostly found by their beginning, and each part takes a place in a ranking."""

PART = SURROGATE_CHARACTERS - 200
"""Letters of a part, with room for the headings above it."""

_LEAST = PART // 2
_RATHER = PART * 3 // 4
"""Letters from which on a part ends at a good place, or at a fair one."""


def is_too_long(element: Any) -> bool:
    """Whether a list or quote is to be divided between its items.

    Lists of definitions stay whole: a question for one term finds a glossary by all it says of the subject, and among
    parts of it none stood out (measured on a manual's).
    """
    return element.tag != "dl" and len(element) > 1 and letters(element) > LONG


def fits(length: int, item: Any) -> bool:
    """Whether an item still goes with those before it, of so many letters."""
    return length + letters(item) <= PART


def parts_of(text: str) -> Iterator[str]:
    """A preformatted text in parts of some lines, cut where a line is not indented behind one that is or is blank, else
    at a blank line, else at any. What is not overlong is one part; a line is never cut.
    """
    if len(text) <= LONG:
        yield text
        return
    part: list[str] = []
    length = 0
    before = ""
    for line in text.split("\n"):
        indented = line[:1].isspace() or not line
        begins = not indented and (before[:1].isspace() or not before)
        rather = _LEAST if begins else _RATHER if not before.strip() else PART - len(line)
        if part and length >= rather:
            yield "\n".join(part)
            part, length = [], 0
        part.append(line)
        length, before = length + len(line) + 1, line
    yield "\n".join(part)


def with_links(parts: Sequence[str], links: Sequence[Link]) -> Iterator[tuple[str, list[Link]]]:
    """Each part with the links whose words it is the first to say; the first with those that none says."""
    if len(parts) == 1:
        yield parts[0], [*links]
        return
    placed: list[list[Link]] = [[] for _ in parts]
    for link in links:
        at = next((number for number, part in enumerate(parts) if link.anchor and link.anchor in part), 0)
        placed[at].append(link)
    yield from zip(parts, placed, strict=True)
