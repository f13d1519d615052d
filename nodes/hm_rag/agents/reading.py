"""Contents that agents read and cite: components and triplets by id, as the reader sees them.

Of a table with very many rows, those with most terms of the question are read; citations name rows by their numbers in
the whole table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.nodes.graph_traversal.linked_rows import linked_rows
from backtrail.nodes.hm_rag.agents.subgraph import triplet_statement
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.reading.citations import QUOTE_CHARACTERS, citation
from backtrail.nodes.reading.component_views import ROWS_SHOWN, clip, evidence_text, locator
from backtrail.state.answer import Citation
from backtrail.state.answer_decisions import CitedPiece, EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.hm_rag.memory import FoundPicture, Retrieved
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.tools.corpus.search.reciprocal_rank_fusion import fuse
from backtrail.tools.knowledge.protocol import Relation
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader

ROWS_READ = 40
"""Rows that are read of a table with more than ROWS_SHOWN (ours)."""
COMPONENTS_CITED = 3
"""Most components cited for a triplet."""


@dataclass(frozen=True)
class Shown:
    """Texts for a reader, best first, with the data for converting its citations."""

    contents: ContentsReader
    texts: list[EvidenceText] = field(default_factory=list[EvidenceText])
    components: dict[str, Component] = field(default_factory=dict[str, Component])
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    rows: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    relations: dict[str, Relation] = field(default_factory=dict[str, Relation])
    pictures: dict[str, str] = field(default_factory=dict[str, str])

    def citations(self, pieces: Sequence[CitedPiece]) -> list[Citation]:
        """Convert the reader's citations; a triplet is cited by the components that state it, each once."""
        texts = {text.id: text for text in self.texts}
        found: list[Citation] = []
        for piece in pieces:
            if piece.component in self.relations:
                found += self._of_triplet(self.relations[piece.component], texts[piece.component])
            else:
                found.append(self._of_component(piece, texts[piece.component]))
        return [one for place, one in enumerate(found) if one not in found[:place]]

    def _of_triplet(self, relation: Relation, text: EvidenceText) -> list[Citation]:
        stated = [self.components[key] for key in relation.components if key in self.components]
        cited: list[Citation] = []
        for component in stated[:COMPONENTS_CITED]:
            document = self.documents.get(component.document)
            place = locator(component, document)
            place["relation"] = relation.id
            blob = self.pictures.get(relation.head) or self.pictures.get(relation.tail)
            if blob:
                place.setdefault("blob", blob)
            cited.append(
                {
                    "component": component.id,
                    "document": component.document,
                    "title": document.title if document else component.document,
                    "section": component.section,
                    "modality": component.modality,
                    "locator": place,
                    "quote": clip(" ".join(text.sentences), QUOTE_CHARACTERS),
                }
            )
        return cited

    def _of_component(self, piece: CitedPiece, text: EvidenceText) -> Citation:
        component = self.components[piece.component]
        shown = self.rows.get(component.id)
        return citation(piece, component, self.documents.get(component.document), text, shown)

    def pieces(self, citations: Sequence[Citation]) -> list[CitedPiece]:
        """Convert citations to the reader's numbering, those that point at shown texts."""
        texts = {text.id: text for text in self.texts}
        found: list[CitedPiece] = []
        for cited in citations:
            place = cited["locator"]
            key = place.get("relation", cited["component"])
            if key not in texts:
                continue
            shown = self.rows.get(key, ())
            row = place.get("row")
            sentence = place.get("sentence")
            piece = CitedPiece(
                component=key,
                row=shown.index(row) if row in shown else None,
                sentence=sentence if sentence is not None and sentence < len(texts[key].sentences) else None,
            )
            if piece not in found:
                found.append(piece)
        return found


def read_contents(
    toolbox: Toolbox, settings: Settings, question: str, retrieved: Retrieved, most_components: int
) -> Shown:
    """Collect triplets, then components, in order. Missing ones are dropped. Blocking."""
    contents = toolbox.contents(settings)
    relations, names, depicted = _relations(toolbox, settings, retrieved)
    ranked = retrieved["components"][:most_components]
    stated = [key for one in relations.values() for key in one.components[:COMPONENTS_CITED]]
    components = contents.components(list(dict.fromkeys([*(one["id"] for one in ranked), *stated])))
    documents = contents.documents({component.document for component in components.values()})
    scores = {one["id"]: one["score"] for one in retrieved["triplets"]}
    # A triplet without components cannot be cited, so it is not read.
    citable = {key: one for key, one in relations.items() if any(part in components for part in one.components)}
    shown = Shown(contents, components=components, documents=documents, relations=citable, pictures=depicted)
    shown.texts.extend(_triplet_text(one, names, scores[key]) for key, one in citable.items())
    _add_components(shown, question, ranked)
    if saves_calls(settings):
        _drop_repeats(shown)
        shown.texts[:] = by_relevance(content_terms(question), shown.texts)
    return shown


def by_relevance(wanted: frozenset[str], texts: Sequence[EvidenceText]) -> list[EvidenceText]:
    """Order texts by their place in the search and by the question's terms in their best piece (ours)."""
    by_id = {text.id: text for text in texts}
    shared = {key: max((len(wanted & piece) for piece in _piece_terms(text)), default=0) for key, text in by_id.items()}
    orders = [list(by_id), sorted(by_id, key=lambda key: -shared[key])]
    fused = fuse([[{"id": key, "score": 0.0} for key in order] for order in orders], len(by_id))
    return [by_id[one["id"]] for one in fused]


def _piece_terms(text: EvidenceText) -> list[frozenset[str]]:
    """Return the terms of each sentence or row, with those of title, section and column heads."""
    pieces = [*text.sentences, *(" ".join([*text.header, *row]) for row in text.rows)]
    return [content_terms(f"{text.title} {text.section} {piece}") for piece in pieces]


def _drop_repeats(shown: Shown) -> None:
    """Drop triplets all of whose terms are in one shown row or sentence of a component that states them."""
    pieces: dict[str, list[frozenset[str]]] = {}
    for text in shown.texts:
        if text.id in shown.components:
            pieces[text.id] = _piece_terms(text)
    for text in list(shown.texts):
        relation = shown.relations.get(text.id)
        if relation is None:
            continue
        stated = content_terms(text.sentences[0])
        if any(stated <= piece for key in relation.components for piece in pieces.get(key, [])):
            shown.texts.remove(text)
            del shown.relations[text.id]


def _relations(
    toolbox: Toolbox, settings: Settings, retrieved: Retrieved
) -> tuple[dict[str, Relation], dict[str, str], dict[str, str]]:
    """Return relations by id, the names of their ends, and a picture of each end that has one."""
    if not retrieved["triplets"]:
        return {}, {}, {}
    knowledge = toolbox.knowledge(settings)
    relations = knowledge.relations([one["id"] for one in retrieved["triplets"]])
    ends = knowledge.entities(list({end for one in relations.values() for end in (one.head, one.tail)}))
    names = {key: one.name for key, one in ends.items()}
    return relations, names, {key: one.pictures[0] for key, one in ends.items() if one.pictures}


def _triplet_text(relation: Relation, names: Mapping[str, str], score: float) -> EvidenceText:
    return EvidenceText(
        id=relation.id,
        modality="triplet",
        title=names.get(relation.head, relation.head),
        section=relation.relation,
        sentences=[triplet_statement(relation, names), *split_sentences(relation.description)],
        score=score,
    )


def _add_components(shown: Shown, question: str, ranked: Sequence[Scored]) -> None:
    wanted = content_terms(question)
    components = {one["id"]: shown.components[one["id"]] for one in ranked if one["id"] in shown.components}
    leading = linked_rows(components, wanted, {})
    linked: dict[str, set[int]] = {}
    for table, row in leading.values():
        linked.setdefault(table, set()).add(row)
    for one in ranked:
        component = components.get(one["id"])
        if component is None:
            continue
        rows = _rows_read(component, wanted, linked.get(component.id, set()))
        shown.rows[component.id] = rows
        narrowed = _narrowed(component, rows)
        shown.texts.append(evidence_text(narrowed, shown.documents.get(component.document), one["score"]))
    for place, text in enumerate(shown.texts):
        if text.id in leading:
            table, row = leading[text.id]
            number = shown.rows[table].index(row) if row in shown.rows[table] else None
            shown.texts[place] = text.model_copy(update={"parent": table, "parent_row": number})


def _rows_read(component: Component, wanted: frozenset[str], linked: set[int]) -> tuple[int, ...]:
    """Return the numbers of the rows to read: all, or linking ones and those with most terms in common."""
    rows = component.table.rows if component.table else ()
    if len(rows) <= ROWS_SHOWN:
        return tuple(range(len(rows)))
    shared = [len(wanted & content_terms(" ".join(row))) for row in rows]
    order = sorted(range(len(rows)), key=lambda row: (row not in linked, -shared[row], row))
    return tuple(sorted(order[:ROWS_READ]))


def _narrowed(component: Component, rows: Sequence[int]) -> Component:
    table = component.table
    if table is None or len(rows) == len(table.rows):
        return component
    kept = table.model_copy(update={"rows": tuple(table.rows[row] for row in rows)})
    return component.model_copy(update={"table": kept})


def pictures_of(found: Sequence[FoundPicture], components: Sequence[Component], most: int) -> list[tuple[str, str]]:
    """Return (label, blob) of pictures for a reader: of components, then of entities; each once."""
    own = [(f"Picture of {one.id}", one.image.blob) for one in components if one.image and one.image.blob]
    drawn = [(f"Picture of {one['entity']}", one["blob"]) for one in found]
    by_blob: dict[str, str] = {}
    for label, blob in [*own, *drawn]:
        by_blob.setdefault(blob, label)
    return [(label, blob) for blob, label in by_blob.items()][:most]
