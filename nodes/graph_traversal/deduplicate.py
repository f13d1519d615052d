"""Deduplicate rankings: components with the same or nearly the same text share one rank.

Sites repeat a notice on every page and keep pages twice; ten places for one text leave none for what else was found.
Two versions that differ in a number, a name, a "not" or any other word that a fact may hang on are not the same, nor
are tables that differ in a cell; what a site says of each of its pages is, whatever the page is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backtrail.language.sentences import split_sentences
from backtrail.nodes.graph_traversal.boilerplate import speaks_of_its_page, without_own_title
from backtrail.nodes.graph_traversal.text_fingerprint import spoken, told
from backtrail.nodes.reading.component_views import component_text
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.tools.web.contents import ContentsReader

LEAST_WORDS = 12
"""Words of a text that may stand in another one or be nearly the same: in a shorter one each of them matters."""


@dataclass(frozen=True)
class _Said:
    """What a component says: all of its words, those that facts hang on, its text; the picture it shows."""

    blob: str | None
    words: tuple[str, ...]
    told: tuple[str, ...]
    text: str | None

    @cached_property
    def joined(self) -> str:
        return f" {' '.join(self.words)} "

    @cached_property
    def sentences(self) -> str:
        """The words of each sentence on a line, between line breaks."""
        said = (" ".join(spoken(sentence)) for sentence in split_sentences(self.text or ""))
        return "\n".join(["", *(one for one in said if one), ""])


def deduplicate_components(
    components: Mapping[str, Component],
    ranked: Iterable[str],
    most: int | None = None,
    titles: Mapping[str, str] | None = None,
) -> dict[str, list[str]]:
    """The ranked components that are the first to say what they say, each with those after it that say the same.

    Args:
        most: stop once so many places are taken and the next one would take another.
        titles: of documents by id, as far as boilerplate may name them (``titles_in_boilerplate``).
    """
    held: dict[str, _Said] = {}
    first: dict[tuple[str | None, tuple[str, ...]], str] = {}
    kept: dict[str, list[str]] = {}
    for key in ranked:
        said = _said(components[key], (titles or {}).get(components[key].document, ""))
        same = [(said.blob, said.words), (said.blob, said.told)]
        holder = next((first[one] for one in same if one in first), None)
        holder = holder or next((one for one in held if _contains(held[one], said)), None)
        if holder is not None:
            kept[holder].append(key)
            continue
        if most is not None and len(kept) == most:
            break
        kept[key] = []
        held[key] = said
        first.update(dict.fromkeys(same, key))
    return kept


def own_places(
    contents: ContentsReader, components: Mapping[str, Component], ranked: list[Scored], keep: int
) -> list[Scored]:
    """The ``keep`` best that say something of their own; each names those after it that say the same (``also``).

    What they named before they go on naming. Reads the corpus (blocking).
    """
    titles = titles_in_boilerplate(contents, components.values())
    places = deduplicate_components(
        components, (scored["id"] for scored in ranked if scored["id"] in components), keep, titles
    )
    held = {scored["id"]: scored for scored in ranked}
    kept: list[Scored] = []
    for key, others in places.items():
        named = [*others, *(one for same in (key, *others) for one in held[same].get("also", []) if one not in places)]
        kept.append({"id": key, "score": held[key]["score"]})
        if also := list(dict.fromkeys(named)):
            kept[-1]["also"] = also
    return kept


def in_places(contents: ContentsReader, ranked: list[Scored], keep: int) -> list[Scored]:
    """As ``own_places``, of components that are not at hand; those that are gone are left out. Blocking."""
    return own_places(contents, contents.components([scored["id"] for scored in ranked]), ranked, keep)


def naming_others(kept: Mapping[str, Sequence[str]], evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Evidence of what was given a place, naming those that say the same, and those that any of them named."""
    told: dict[str, Evidence] = {}
    for key in (key for key in kept if key in evidence):
        same = [key, *kept[key]]
        named = [*kept[key], *(one for held in same if held in evidence for one in evidence[held].get("also", []))]
        also = [one for one in dict.fromkeys(named) if one not in kept]
        told[key] = {**evidence[key], "also": also} if also else evidence[key]
    return told


def newly_named(ranking: Iterable[Scored], evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """The evidence of a ranking that names others now, and did not, or not these."""
    told = naming_others({one["id"]: one.get("also", []) for one in ranking}, evidence)
    return {key: named for key, named in told.items() if named != evidence[key]}


def titles_in_boilerplate(contents: ContentsReader, components: Iterable[Component]) -> dict[str, str]:
    """Titles by id of the documents of which a component may be boilerplate. Reads the corpus (blocking)."""
    owners = {one.document for one in components if one.text is not None and speaks_of_its_page(one.text)}
    return {key: document.title for key, document in contents.documents(owners).items()} if owners else {}


def _contains(first: _Said, later: _Said) -> bool:
    """Whether a later text is whole sentences of the first one, so that it says nothing else."""
    if first.text is None or later.text is None or len(later.words) < LEAST_WORDS:
        return False
    return later.joined in first.joined and later.sentences in first.sentences


def _said(component: Component, title: str) -> _Said:
    blob = component.image.blob if component.image is not None else None
    text = _text(component)
    if component.text is None:
        words = spoken(text) or (() if blob else (component.id,))
        return _Said(blob, words, words, None)
    if title:
        text = without_own_title(text, title)
    words = spoken(text) or (component.id,)
    return _Said(blob, words, told(text) if len(words) >= LEAST_WORDS else words, text)


def _text(component: Component) -> str:
    """All of it: tables may differ in their last row."""
    if component.table is not None:
        table = component.table
        return " | ".join([table.caption, *table.header, *(cell for row in table.rows for cell in row)])
    return component.text if component.text is not None else component_text(component)
