"""Descriptions of pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST_CHARACTERS = 4_000
"""Maximum length of a description (ours: as for OCR)."""

WRITTEN = "Written in the picture:"
"""Prefix of the words in a picture, for readers."""

_MOST_KEYWORDS = 50


@dataclass(frozen=True)
class PictureDescription:
    """Title, description, alternative text and keywords of a picture."""

    title: str = ""
    text: str = ""
    alt: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """Description and keywords as one text."""
        tags = f"Keywords: {', '.join(self.keywords)}" if self.keywords else ""
        return " ".join(part for part in (self.text, tags) if part)


def one_of(found: Iterable[PictureDescription]) -> PictureDescription:
    """Merge descriptions: the first title and alternative text, every text and keyword once."""
    parts = list(found)
    texts: list[str] = []
    for part in parts:
        if part.text and not any(part.text in text for text in texts):
            texts.append(part.text)
    return PictureDescription(
        title=next((part.title for part in parts if part.title), ""),
        text=" ".join(texts)[:MOST_CHARACTERS],
        alt=next((part.alt for part in parts if part.alt), ""),
        keywords=tuple(dict.fromkeys(word for part in parts for word in part.keywords))[:_MOST_KEYWORDS],
    )


def clean(value: object) -> str:
    """Return printable text in one line; empty if the value is no string."""
    if not isinstance(value, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in value[: 2 * MOST_CHARACTERS]).split())
    return line[:MOST_CHARACTERS]
