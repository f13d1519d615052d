"""one_place: components that say the same take one place in a ranking.

Sites repeat a notice on every page and keep pages twice; ten places for one text leave none for what else was found.
Only the same words in the same order count as the same: two versions that differ in a number or a "not" do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from backtrail.nodes.reading.contents import component_text
from backtrail.state.component import Component

_WORD = re.compile(r"\w+")


def one_place(components: Mapping[str, Component], ranked: Iterable[str]) -> dict[str, list[str]]:
    """The ranked components that are the first to say what they say, each with those after it that say the same."""
    first: dict[tuple[str | None, str], str] = {}
    kept: dict[str, list[str]] = {}
    for key in ranked:
        holder = first.setdefault(_said(components[key]), key)
        if holder == key:
            kept[key] = []
        else:
            kept[holder].append(key)
    return kept


def _said(component: Component) -> tuple[str | None, str]:
    """The words of a component without its markup, and the picture it shows; its id where it has neither."""
    blob = component.image.blob if component.image is not None else None
    words = " ".join(_WORD.findall(_text(component).casefold()))
    return (blob, words) if blob or words else (None, component.id)


def _text(component: Component) -> str:
    """All of it: tables may differ in their last row."""
    if component.table is not None:
        table = component.table
        return " ".join([table.caption, *table.header, *(cell for row in table.rows for cell in row)])
    return component.text if component.text is not None else component_text(component)
