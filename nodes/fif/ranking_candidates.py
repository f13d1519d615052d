"""Candidates of the ranking: the memory, and searches of the whole corpus (ours)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from backtrail.language.sentences import split_sentences
from backtrail.nodes.fif.search_question_parts import parts_of
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.graph_traversal.deduplicate import deduplicate_components, titles_in_boilerplate, with_duplicates
from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.reading.search_evidence import found_evidence
from backtrail.rules.reader.definitions import defined_thing, says_what
from backtrail.state.evidence import Evidence
from backtrail.state.fif.variant import FIF
from backtrail.state.hop import Scored
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader

NAMING = 500
"""Components that name a thing, among which its definition is looked for."""


@dataclass(frozen=True)
class Gathered:
    """Evidence to rank, and the best results of separate searches for the parts of the question."""

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
    """Join evidence with that of more searches, without duplicates. Reads the corpus (blocking).

    A traversal narrows down and may miss what a single search for the question finds; the ranking must not be worse.
    """
    best: list[str] = []
    if searches_words(settings):
        found = search_components(corpus, question, "component", settings.k, words=True)
        more = found_evidence(corpus, question, found, query=question)
        for part in parts_of(question, subqueries):
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
    """Return the first lexical result that defines the thing whose definition a question asks for, if any.

    A definition shares a single term with the question, as every mention does, so measures cannot find it.
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
        and any(says_what(sentence, thing) for sentence in split_sentences(one.text or ""))
    )
    return list(islice(says, 1))


def ranked_evidence(
    ranked: list[str], gathered: dict[str, Evidence], known: dict[str, Evidence]
) -> dict[str, Evidence]:
    """Return evidence of a ranking that is new in the memory, or newly names duplicates."""
    return {key: gathered[key] for key in ranked if key in gathered and gathered[key] != known.get(key)}


def _own_places(corpus: CorpusReader, evidence: dict[str, Evidence], marked: list[str]) -> dict[str, Evidence]:
    """Deduplicate evidence: keep a marked one, else one that a link led to, else the best."""
    components = corpus.components(list(evidence))
    best = sorted(
        components, key=lambda key: (key not in marked, not evidence[key].get("parent"), -evidence[key]["score"], key)
    )
    kept = deduplicate_components(components, best, titles=titles_in_boilerplate(corpus, components.values()))
    listed = with_duplicates(kept, evidence)
    return {key: listed[key] for key in evidence if key in listed}
