"""The subgraph around keywords: matched entities and relations, their neighbours, and their sources.

HM-RAG 3.3.2, equations 10 and 11. Low-level keywords match entities by name and by vector, high-level ones relations;
matches are at least τ similar. Neighbours are relations of matched entities (local), then those of the ends of matched
relations. Triplets are taken in this order up to the limit of tokens.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Literal, NamedTuple

from backtrail.language.terms import content_terms
from backtrail.nodes.graph_traversal.linked_rows import linked_rows
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.rules.relevance import alone
from backtrail.state.component import Component
from backtrail.state.hm_rag.memory import FoundPicture, FoundTriplet, Keywords, Retrieved
from backtrail.state.hm_rag.settings import HmRagSettings
from backtrail.state.hop import Scored
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.knowledge.protocol import VALUE, Entity, KnowledgeReader, Relation

Way = Literal["match", "local neighbour", "edge neighbour"]
_WAYS: tuple[Way, ...] = ("match", "local neighbour", "edge neighbour")

# A hub ("United States") has thousands of relations: only the heaviest ones are considered (ours).
NEIGHBOURS_SEEN = 2_000
ENDS_EXPANDED = 20
# Components considered before the best are kept (ours).
COMPONENTS_PER_TRIPLET = 3
COMPONENTS_PER_ENTITY = 5
TRIPLETS_BACKED = 60
PICTURES = 8


class Scoring(NamedTuple):
    """Data for scoring triplets: similarities of matches, and the terms of the question."""

    entities: Mapping[str, float]
    relations: Mapping[str, float]
    names: Mapping[str, str]
    measure: Measure


def explore(
    corpus: CorpusReader, knowledge: KnowledgeReader, text: str, keywords: Keywords, settings: HmRagSettings
) -> Retrieved:
    """Return the subgraph, best first, by reference. Reads corpus and knowledge graph (blocking)."""
    entities = _matched_entities(corpus, knowledge, keywords["low"], settings)
    relations = _matched_relations(corpus, knowledge, keywords["high"], settings)
    ways = _neighbourhood(knowledge, entities, relations)
    ends = {end for way in ways.values() for one in way for end in (one.head, one.tail)}
    known = knowledge.entities([*entities, *sorted(ends - set(entities))])
    scoring = Scoring(entities, relations, {key: one.name for key, one in known.items()}, Measure(corpus, text))
    kept = _within_tokens(_ranked(ways, scoring), scoring.names, settings.subgraph_tokens)
    triplets: list[FoundTriplet] = [{"id": one.id, "score": round(score, 4), "by": way} for one, score, way in kept]
    return {
        "queries": list(dict.fromkeys([*keywords["low"], *keywords["high"]])),
        "components": _components(corpus, [(one, score) for one, score, _ in kept], known, entities, scoring, settings),
        "triplets": triplets,
        "pictures": _pictures([*entities, *(end for one, _, _ in kept for end in (one.head, one.tail))], known),
    }


def _matched_entities(
    corpus: CorpusReader, knowledge: KnowledgeReader, low: list[str], settings: HmRagSettings
) -> dict[str, float]:
    """Return entities by id with their similarity; one that a keyword names matches whatever its vector."""
    if not low or not settings.entities:
        return {}
    found = dict.fromkeys(sorted(knowledge.named(low).values()), 1.0)
    for scored in knowledge.search_entities(corpus.embed(low), settings.entities, settings.relevance):
        found.setdefault(scored["id"], float(scored["score"]))
    return dict(sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))[: settings.entities])


def _matched_relations(
    corpus: CorpusReader, knowledge: KnowledgeReader, high: list[str], settings: HmRagSettings
) -> dict[str, float]:
    if not high or not settings.relations:
        return {}
    found = knowledge.search_relations(corpus.embed(high), settings.relations, settings.relevance)
    return {scored["id"]: float(scored["score"]) for scored in found}


def _neighbourhood(
    knowledge: KnowledgeReader, entities: Mapping[str, float], relations: Mapping[str, float]
) -> dict[Way, list[Relation]]:
    """Return matched relations, those of matched entities, and those of the matched relations' ends."""
    matched = list(knowledge.relations(list(relations)).values())
    local = [one for found in knowledge.relations_of(list(entities)).values() for one in found[:NEIGHBOURS_SEEN]]
    ends = dict.fromkeys(end for one in matched for end in (one.head, one.tail) if end not in entities)
    things = [key for key, end in knowledge.entities(list(ends)).items() if end.kind != VALUE][:ENDS_EXPANDED]
    edge = [one for found in knowledge.relations_of(things).values() for one in found[:NEIGHBOURS_SEEN]]
    ways: dict[Way, list[Relation]] = {}
    seen: set[str] = set()
    for way, found in zip(_WAYS, (matched, local, edge), strict=True):
        new = {one.id: one for one in found if one.id not in seen}
        seen |= set(new)
        ways[way] = list(new.values())
    return ways


def _ranked(ways: Mapping[Way, list[Relation]], scoring: Scoring) -> list[tuple[Relation, float, Way]]:
    """Rank by kind of match; within one, by coverage of the question and by similarity of the matches."""
    ranked: list[tuple[Relation, float, Way]] = []
    for way in _WAYS:
        scored: list[tuple[Relation, float, Way]] = [(one, _score(one, scoring), way) for one in ways[way]]
        ranked += sorted(scored, key=lambda entry: (-entry[1], entry[0].id))
    return ranked


def _score(relation: Relation, scoring: Scoring) -> float:
    near = max(
        scoring.relations.get(relation.id, 0.0),
        scoring.entities.get(relation.head, 0.0),
        scoring.entities.get(relation.tail, 0.0),
    )
    return alone(
        scoring.measure.covering.cover(
            content_terms(triplet_line(relation, scoring.names), scoring.measure.covering.language)
        ),
        near,
    )


def triplet_statement(relation: Relation, names: Mapping[str, str]) -> str:
    """Return head, relation and tail as a sentence."""
    head, tail = names.get(relation.head, relation.head), names.get(relation.tail, relation.tail)
    return f"{head} – {relation.relation} – {tail}."


def triplet_line(relation: Relation, names: Mapping[str, str]) -> str:
    """Return a triplet's statement with its description."""
    return f"{triplet_statement(relation, names)} {relation.description}".strip()


def _within_tokens(
    ranked: list[tuple[Relation, float, Way]], names: Mapping[str, str], tokens: int
) -> list[tuple[Relation, float, Way]]:
    """Keep triplets in order until the next one does not fit; the first always does."""
    kept: list[tuple[Relation, float, Way]] = []
    for entry in ranked:
        tokens -= token_count(triplet_line(entry[0], names))
        if kept and tokens < 0:
            break
        kept.append(entry)
    return kept


_PIECE = re.compile(r"[^\W\d_]{1,6}|\d{1,3}|[^\w\s]")


def token_count(text: str) -> int:
    """Count pieces of at most six letters or three digits, which approximates real tokenizers (ours)."""
    return len(_PIECE.findall(text))


def _components(
    corpus: CorpusReader,
    kept: list[tuple[Relation, float]],
    known: Mapping[str, Entity],
    matched: Mapping[str, float],
    scoring: Scoring,
    settings: HmRagSettings,
) -> list[Scored]:
    """Return the sources of triplets and their ends, best first, by fit to the question and by triplets."""
    backing: dict[str, float] = defaultdict(float)
    for relation, score in kept[:TRIPLETS_BACKED]:
        for component in relation.components[:COMPONENTS_PER_TRIPLET]:
            backing[component] = max(backing[component], score)
        for end in (relation.head, relation.tail):
            for component in known[end].components[:COMPONENTS_PER_ENTITY] if end in known else ():
                backing.setdefault(component, score / 2)
    for entity in matched:
        for component in known[entity].components[:COMPONENTS_PER_ENTITY] if entity in known else ():
            backing.setdefault(component, matched[entity] / 2)
    components = corpus.components(list(backing))
    covering = scoring.measure.covering
    paths: dict[str, tuple[Component, Path]] = {
        key: (components[parent], {"parent": parent, "row": row, "anchor": ""})
        for key, (parent, row) in linked_rows(components, covering.wanted, covering.rarity, covering.language).items()
    }
    measured = scoring.measure.components(components, paths)
    fits = {
        key: alone(max(one.coverage, one.path_coverage), one.similarity) + 0.25 * backing[key]
        for key, one in measured.items()
    }
    best = sorted(fits, key=lambda key: (-fits[key], key))[: settings.subgraph_texts]
    return [{"id": key, "score": round(fits[key], 6)} for key in best]


def _pictures(entities: list[str], known: Mapping[str, Entity]) -> list[FoundPicture]:
    """Return pictures of the entities, those of the best first, each once."""
    found: dict[str, FoundPicture] = {}
    for key in dict.fromkeys(entities):
        for blob in known[key].pictures if key in known else ():
            found.setdefault(blob, {"entity": known[key].name, "blob": blob})
    return list(found.values())[:PICTURES]
