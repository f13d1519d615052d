"""one_place: components that say the same, or nearly, take one place in a ranking.

Sites repeat a notice on every page and keep pages twice; ten places for one text leave none for what else was found.
Two versions that differ in a number or a "not" are not the same, nor are tables that differ in a cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backtrail.nodes.reading.contents import component_text
from backtrail.state.component import Component
from backtrail.state.hop import Scored

_WORD = re.compile(r"\w+")
_NEGATIONS = frozenset(
    {
        "not", "no", "never", "none", "without", "cannot", "t", "neither", "nor", "except", "unless", "nicht", "kein",
        "keine", "nie", "ohne", "pas", "sans", "jamais", "ne", "sin", "nunca", "não", "sem", "non", "senza", "niet",
        "geen",
    }
)  # fmt: skip
LEAST_WORDS = 12
"""Words of a text that may be nearly the same as another: in a shorter one each of them matters."""
OTHER_WORDS = 0.1
"""Share of the longer text's words that may be others."""


@dataclass(frozen=True)
class _Said:
    """The words of a component without its markup; the picture it shows; its id where it has neither."""

    modality: str
    blob: str | None
    text: str
    counts: Counter[str]


def one_place(
    components: Mapping[str, Component], ranked: Iterable[str], most: int | None = None
) -> dict[str, list[str]]:
    """The ranked components that are the first to say what they say, each with those after it that say the same.

    Args:
        most: stop once so many places are taken and the next one would take another.
    """
    held: dict[str, _Said] = {}
    first: dict[tuple[str | None, str], str] = {}
    kept: dict[str, list[str]] = {}
    for key in ranked:
        said = _said(components[key])
        holder = first.get((said.blob, said.text)) or next((one for one in held if _nearly(held[one], said)), None)
        if holder is not None:
            kept[holder].append(key)
            continue
        if most is not None and len(kept) == most:
            break
        kept[key] = []
        held[key], first[said.blob, said.text] = said, key
    return kept


def own_places(components: Mapping[str, Component], ranked: list[Scored], keep: int) -> list[Scored]:
    """The ``keep`` best that say something of their own; each names those after it that say the same (``also``)."""
    places = one_place(components, (scored["id"] for scored in ranked if scored["id"] in components), keep)
    scores = {scored["id"]: scored["score"] for scored in ranked}
    return [
        {"id": key, "score": scores[key], "also": also} if also else {"id": key, "score": scores[key]}
        for key, also in places.items()
    ]


def _nearly(first: _Said, later: _Said) -> bool:
    """Whether a later text says nothing that the first does not: it is part of it, or differs in a few plain words."""
    if first.modality != "text" or later.modality != "text":
        return False
    sizes = sorted((first.counts.total(), later.counts.total()))
    if sizes[0] < LEAST_WORDS:
        return False
    if f" {later.text} " in f" {first.text} ":
        return True
    if sizes[1] - sizes[0] > OTHER_WORDS * sizes[1]:
        return False
    other = (first.counts - later.counts) + (later.counts - first.counts)
    return other.total() <= 2 * OTHER_WORDS * sizes[1] and not any(_decides(word) for word in other)


def _decides(word: str) -> bool:
    return word in _NEGATIONS or "_" in word or any(character.isdigit() for character in word)


def _said(component: Component) -> _Said:
    blob = component.image.blob if component.image is not None else None
    words = _WORD.findall(_text(component).casefold())
    text = " ".join(words) if blob or words else component.id
    return _Said(component.modality, blob, text, Counter(words))


def _text(component: Component) -> str:
    """All of it: tables may differ in their last row."""
    if component.table is not None:
        table = component.table
        return " ".join([table.caption, *table.header, *(cell for row in table.rows for cell in row)])
    return component.text if component.text is not None else component_text(component)
