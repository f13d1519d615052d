"""Measure how far a hop's components answer each open subquery (ours).

A hop is searched for with the whole question, as its parts are constraints on one path. Whether it found what a part
asks for is another matter: a paragraph that says all of the first part covers little of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.language.terms import content_terms
from backtrail.nodes.fif.hop_record import FoundByHop
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.state.subquery import Subquery

LEAST_TERMS = 3
"""A subquery with fewer terms is covered by whatever has them."""


def askable(question: str, subqueries: Sequence[Subquery]) -> dict[str, str]:
    """Open subqueries by id that can be judged now, each with the answers that it waits for put in.

    One that waits for another says with that one what the question says, so it is judged by the whole question; so is
    one that says all of it by itself.
    """
    whole = content_terms(question)
    found: dict[str, str] = {}
    for one in subqueries:
        terms = content_terms(one["text"])
        ready = one["status"] == "open" and not one["depends_on"]
        if ready and len(terms) >= LEAST_TERMS and terms != whole:
            found[one["id"]] = one["text"]
    return found


def by_parts(found: FoundByHop, asked: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Coverage of each text, alone or along the path that led there, by component. Reads the corpus (blocking)."""
    parts: dict[str, dict[str, float]] = {key: {} for key in found.components}
    for subquery, text in asked.items():
        covering = Covering(found.measure.covering.corpus, text)
        covering.learn_titles(component.document for component in found.components.values())
        for key, component in found.components.items():
            covered = covering.alone(component)
            if key in found.parents:
                covered = max(covered, covering.along(*found.parents[key], component))
            parts[key][subquery] = round(covered, 4)
    return parts
