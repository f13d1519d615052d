"""Raised and lowered runs of text, told from what they stand at as in pages: 10^6, and not 106."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.html.rewrites.scripts import read_script
from backtrail.ingest.word.elements import child


def open_script(parent: Any, tag: str) -> Any:
    """An element for a run that is raised ("sup") or lowered ("sub"); one goes on where the text does."""
    last = parent[-1] if len(parent) else None
    return last if last is not None and last.tag == tag and not last.tail else child(parent, tag)


def mark_scripts(paragraph: Any) -> None:
    """Mark those of a paragraph, each once."""
    for script in list(paragraph.iter("sup", "sub")):
        read_script(script)
        script.tag = "span"
