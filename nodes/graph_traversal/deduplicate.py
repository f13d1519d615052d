"""Deduplicate rankings: components with the same or nearly the same text share one rank.

Sites repeat notices on every page and publish pages twice; one text must not take all places of a ranking. Texts that
differ in a number, a name, a "not" or any other word that may change a fact are different, and so are tables that
differ in a cell; boilerplate that differs only by the page's title is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backtrail.language.sentences import split_sentences
from backtrail.nodes.graph_traversal.boilerplate import may_be_boilerplate, without_own_title
from backtrail.nodes.graph_traversal.text_fingerprint import fact_words, words_of
from backtrail.nodes.reading.component_views import component_text
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.tools.web.contents import ContentsReader

LEAST_WORDS = 12
"""Least words for near duplicates and contained texts: in a shorter text every word matters."""


@dataclass(frozen=True)
class _Content:
    """Contents of a component: all words, words without fillers, the text, and the picture."""

    blob: str | None
    words: tuple[str, ...]
    facts: tuple[str, ...]
    text: str | None

    @cached_property
    def joined(self) -> str:
        return f" {' '.join(self.words)} "

    @cached_property
    def sentences(self) -> str:
        """The words of each sentence on a line, between line breaks."""
        word_runs = (" ".join(words_of(sentence)) for sentence in split_sentences(self.text or ""))
        return "\n".join(["", *(one for one in word_runs if one), ""])


def deduplicate_components(
    components: Mapping[str, Component],
    ranked: Iterable[str],
    most: int | None = None,
    titles: Mapping[str, str] | None = None,
) -> dict[str, list[str]]:
    """Return the first ranked component of each content, with its later duplicates.

    Args:
        most: stop before more places than this are taken.
        titles: document titles by id, which boilerplate may contain (``titles_in_boilerplate``).
    """
    contents: dict[str, _Content] = {}
    first: dict[tuple[str | None, tuple[str, ...]], str] = {}
    kept: dict[str, list[str]] = {}
    for key in ranked:
        content = _content(components[key], (titles or {}).get(components[key].document, ""))
        same = [(content.blob, content.words), (content.blob, content.facts)]
        holder = next((first[one] for one in same if one in first), None)
        holder = holder or next((one for one in contents if _contains(contents[one], content)), None)
        if holder is not None:
            kept[holder].append(key)
            continue
        if most is not None and len(kept) == most:
            break
        kept[key] = []
        contents[key] = content
        first.update(dict.fromkeys(same, key))
    return kept


def deduplicate_ranking(
    contents: ContentsReader, components: Mapping[str, Component], ranked: list[Scored], keep: int
) -> list[Scored]:
    """Return the ``keep`` best components without duplicates, which each kept one lists as ``duplicates``.

    Earlier ``duplicates`` lists are kept. Reads the corpus (blocking).
    """
    titles = titles_in_boilerplate(contents, components.values())
    places = deduplicate_components(
        components, (scored["id"] for scored in ranked if scored["id"] in components), keep, titles
    )
    by_id = {scored["id"]: scored for scored in ranked}
    kept: list[Scored] = []
    for key, others in places.items():
        named = [
            *others,
            *(one for same in (key, *others) for one in by_id[same].get("duplicates", []) if one not in places),
        ]
        kept.append({"id": key, "score": by_id[key]["score"]})
        if duplicates := list(dict.fromkeys(named)):
            kept[-1]["duplicates"] = duplicates
    return kept


def deduplicate_by_id(contents: ContentsReader, ranked: list[Scored], keep: int) -> list[Scored]:
    """Do the same as ``deduplicate_ranking`` by id; components that are gone are dropped. Blocking."""
    return deduplicate_ranking(contents, contents.components([scored["id"] for scored in ranked]), ranked, keep)


def with_duplicates(kept: Mapping[str, Sequence[str]], evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Return the evidence of kept components, with their duplicates and those that any of them listed."""
    listed: dict[str, Evidence] = {}
    for key in (key for key in kept if key in evidence):
        same = [key, *kept[key]]
        named = [
            *kept[key],
            *(one for each in same if each in evidence for one in evidence[each].get("duplicates", [])),
        ]
        duplicates = [one for one in dict.fromkeys(named) if one not in kept]
        listed[key] = {**evidence[key], "duplicates": duplicates} if duplicates else evidence[key]
    return listed


def changed_duplicates(ranking: Iterable[Scored], evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Return the evidence of a ranking whose ``duplicates`` has changed."""
    listed = with_duplicates({one["id"]: one.get("duplicates", []) for one in ranking}, evidence)
    return {key: named for key, named in listed.items() if named != evidence[key]}


def titles_in_boilerplate(contents: ContentsReader, components: Iterable[Component]) -> dict[str, str]:
    """Return the titles, by id, of documents with possible boilerplate. Reads the corpus (blocking)."""
    owners = {one.document for one in components if one.text is not None and may_be_boilerplate(one.text)}
    return {key: document.title for key, document in contents.documents(owners).items()} if owners else {}


def _contains(first: _Content, later: _Content) -> bool:
    """Return whether a later text consists of whole sentences of the first one."""
    if first.text is None or later.text is None or len(later.words) < LEAST_WORDS:
        return False
    return later.joined in first.joined and later.sentences in first.sentences


def _content(component: Component, title: str) -> _Content:
    blob = component.image.blob if component.image is not None else None
    text = _text(component)
    if component.text is None:
        words = words_of(text) or (() if blob else (component.id,))
        return _Content(blob, words, words, None)
    if title:
        text = without_own_title(text, title)
    words = words_of(text) or (component.id,)
    return _Content(blob, words, fact_words(text) if len(words) >= LEAST_WORDS else words, text)


def _text(component: Component) -> str:
    """Return the whole text: tables may differ in their last row."""
    if component.table is not None:
        table = component.table
        return " | ".join([table.caption, *table.header, *(cell for row in table.rows for cell in row)])
    return component.text if component.text is not None else component_text(component)
