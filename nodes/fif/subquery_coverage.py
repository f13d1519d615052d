"""Coverage of each open subquery by a hop's components (ours).

A hop searches with the whole question, as its parts are constraints on one path. A paragraph that answers the first
part covers little of the whole, so each part is also measured alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.language.terms import content_terms
from backtrail.nodes.fif.hop_record import FoundByHop
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.state.subquery import Subquery

LEAST_TERMS = 3
"""Least terms of a subquery; with fewer, any component with them covers it."""


def askable(question: str, subqueries: Sequence[Subquery]) -> dict[str, str]:
    """Return the open subqueries that can be judged alone, by id.

    A subquery with open dependencies, or with the terms of the whole question, is judged by the whole question.
    """
    whole = content_terms(question)
    found: dict[str, str] = {}
    for one in subqueries:
        terms = content_terms(one["text"])
        ready = one["status"] == "open" and not one["depends_on"]
        if ready and len(terms) >= LEAST_TERMS and terms != whole:
            found[one["id"]] = one["text"]
    return found


def by_parts(found: FoundByHop, texts: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Return the coverage of each text by component, alone or along its path. Reads the corpus (blocking)."""
    parts: dict[str, dict[str, float]] = {key: {} for key in found.components}
    for subquery, text in texts.items():
        covering = Covering(found.measure.covering.corpus, text)
        covering.learn_titles(component.document for component in found.components.values())
        for key, component in found.components.items():
            covered = covering.alone(component)
            if key in found.parents:
                covered = max(covered, covering.along(*found.parents[key], component))
            parts[key][subquery] = round(covered, 4)
    return parts
