"""Collect ranking candidates: the memory, and searches of the whole corpus (ours)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from backtrail.language.sentences import split_sentences
from backtrail.nodes.fif.search_question_parts import parts_of
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.graph_traversal.deduplicate import deduplicate_components, naming_others, titles_in_boilerplate
from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.rules.reader.definitions import defined_thing, says_what
from backtrail.state.evidence import Evidence
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader

NAMING = 500
"""Components that name a thing among which the one is looked for that says what it is."""


@dataclass(frozen=True)
class Gathered:
    """Evidence to rank, and what the parts of the question find first, each searched for itself."""

    evidence: dict[str, Evidence]
    of_parts: list[str] = field(default_factory=list[str])


def gathered(
    corpus: CorpusReader,
    question: str,
    subqueries: list[str],
    evidence: dict[str, Evidence],
    marked: list[str],
    settings: Settings,
) -> Gathered:
    """The evidence with that of more searches, what says the same once. Reads the corpus (blocking).

    A walk narrows down, so it may leave out what the question finds at once; none is to end with less than that.
    """
    best: list[str] = []
    if searches_words(settings):
        found = search_components(corpus, question, "component", settings.k, words=True)
        more = found_evidence(corpus, question, found, query=question)
        for part in parts_of(question, subqueries) if settings.fif.planner else []:
            found = search_components(corpus, part, "subcomponent", 1, words=True)
            more = {**found_evidence(corpus, question, found, query=part), **more}
            best += [scored["id"] for scored in found]
        if defining := _defining(corpus, question):
            more = {**found_evidence(corpus, question, defining, query=question), **more}
            best = [*(scored["id"] for scored in defining), *best]
        evidence = {**more, **evidence}
    if FIF.of(settings.variant).deduplicate_components:
        evidence = _own_places(corpus, evidence, marked)
    return Gathered(evidence, [key for key in best if key in evidence])


def _defining(corpus: CorpusReader, question: str) -> list[Scored]:
    """The first component by words that says what a question asks the definition of; none for other questions.

    A sentence that says what a thing is shares one word with the question, as all do that only name it.
    """
    thing = defined_thing(question)
    if not thing:
        return []
    found = corpus.search_lexical(thing, "component", NAMING)
    components = corpus.components([scored["id"] for scored in found])
    says = (
        scored
        for scored in found
        if (one := components.get(scored["id"]))
        and any(says_what(said, thing) for said in split_sentences(one.text or ""))
    )
    return list(islice(says, 1))


def told(ranked: list[str], gathered: dict[str, Evidence], held: dict[str, Evidence]) -> dict[str, Evidence]:
    """Evidence of a ranking that the memory does not have yet: what is new, and what stands for others."""
    return {key: gathered[key] for key in ranked if key in gathered and gathered[key] != held.get(key)}


def _own_places(corpus: CorpusReader, evidence: dict[str, Evidence], marked: list[str]) -> dict[str, Evidence]:
    """Evidence of which each says something of its own: of the same what was marked, was led to, or fitted best."""
    components = corpus.components(list(evidence))
    best = sorted(
        components, key=lambda key: (key not in marked, not evidence[key].get("parent"), -evidence[key]["score"], key)
    )
    kept = deduplicate_components(components, best, titles=titles_in_boilerplate(corpus, components.values()))
    told = naming_others(kept, evidence)
    return {key: told[key] for key in evidence if key in told}
