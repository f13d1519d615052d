"""The query of a retrieval: both parts of its split instruction as one text."""

from __future__ import annotations


def sought(text_part: str, image_part: str) -> str:
    """Join both parts; one that the other contains is dropped."""
    parts = [part for part in dict.fromkeys((text_part.strip(), image_part.strip())) if part]
    kept = [part for part in parts if not any(part != other and part.casefold() in other.casefold() for other in parts)]
    return "; ".join(kept)
