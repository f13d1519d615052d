"""What is ranked at the end of a walk: everything in memory, and what searches of the whole corpus find (ours)."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.nodes.fif.parts import parts_of
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.reading.found_evidence import found_evidence
from backtrail.nodes.walking.fuse import search_components
from backtrail.nodes.walking.one_place import naming_others, one_place, titles_in_boilerplate
from backtrail.state.evidence import Evidence
from backtrail.state.fif.variant import FIF
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader


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
        evidence = {**more, **evidence}
    if FIF.of(settings.variant).one_place:
        evidence = _own_places(corpus, evidence, marked)
    return Gathered(evidence, [key for key in best if key in evidence])


def told(ranked: list[str], gathered: dict[str, Evidence], held: dict[str, Evidence]) -> dict[str, Evidence]:
    """Evidence of a ranking that the memory does not have yet: what is new, and what stands for others."""
    return {key: gathered[key] for key in ranked if key in gathered and gathered[key] != held.get(key)}


def _own_places(corpus: CorpusReader, evidence: dict[str, Evidence], marked: list[str]) -> dict[str, Evidence]:
    """Evidence of which each says something of its own: of the same what was marked, was led to, or fitted best."""
    components = corpus.components(list(evidence))
    best = sorted(
        components, key=lambda key: (key not in marked, not evidence[key].get("parent"), -evidence[key]["score"], key)
    )
    kept = one_place(components, best, titles=titles_in_boilerplate(corpus, components.values()))
    told = naming_others(kept, evidence)
    return {key: told[key] for key in evidence if key in told}
