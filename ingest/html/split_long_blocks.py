"""Split long lists, quotes and preformatted blocks, so that search covers all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backtrail.ingest.html.elements import NEVER_SHOWN
from backtrail.ingest.subcomponents import SURROGATE_CHARACTERS
from backtrail.state.component import Link

LONG = 4_000
"""Letters above which a list, quote or preformatted block is split: what a prompt shows of a component.

Of 293 questions made of five words of a sentence within such blocks, asked of 136 pages of documentation, a prompt
shows the sentence among ten found components for 286, with 10,000 for 223."""

PART = SURROGATE_CHARACTERS - 200
"""Maximum letters of a part, with room for its headings."""

_LEAST = PART // 2
_RATHER = PART * 3 // 4
"""Minimum letters of a part that ends at a good, or at a fair, place."""


def is_too_long(element: Any) -> bool:
    """Return whether a list or quote is split between its items.

    Definition lists are not split: questions for one term find a glossary by all its text, but not its parts (measured
    on two manuals). Of 240 questions made of words of such lists a prompt shows the sentence for 106, split for 184.
    """
    return element.tag != "dl" and len(element) > 1 and letters(element) > LONG


def letters(item: Any) -> int:
    """Count the visible letters of an element."""
    shown = (part.text for part in item.iter() if part.tag not in NEVER_SHOWN and isinstance(part.tag, str))
    behind = (part.tail for part in item.iterdescendants())
    return sum(len(word) + 1 for text in (*shown, *behind) if text for word in text.split())


def fits(length: int, item: Any) -> bool:
    """Return whether an item fits into the current part of ``length`` letters."""
    return length + letters(item) <= PART


def parts_of(text: str) -> Iterator[str]:
    """Split an overlong preformatted text between lines.

    Parts start at an unindented line after an indented or blank one, else at a blank line, else at any line.
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
    """Yield each part with the links whose anchors first occur in it; others go to the first part."""
    if len(parts) == 1:
        yield parts[0], [*links]
        return
    placed: list[list[Link]] = [[] for _ in parts]
    for link in links:
        at = next((number for number, part in enumerate(parts) if link.anchor and link.anchor in part), 0)
        placed[at].append(link)
    yield from zip(parts, placed, strict=True)
