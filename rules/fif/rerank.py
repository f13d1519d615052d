"""Rank all components in memory, each by its best fit: alone, as the start or as the end of a path."""

from __future__ import annotations

from backtrail.rules.relevance import alone, as_end, as_start, by_kind
from backtrail.state.fif.choice_decisions import Choice, RerankCandidate, RerankInputs, Selection

# The largest value the three fits can take; scales scores into [0, 1].
LARGEST = 4.5


def rerank(inputs: RerankInputs) -> Selection:
    """Rank components, best first; a component with part of the answer is credited through its path.

    The bonus of a modality counts only for a component alone: a table that only leads on is not the answer.
    """
    own = {
        one.id: alone(one.coverage, one.similarity, one.context, table=one.modality == "table")
        for one in inputs.candidates
    }
    lifted = by_kind(own, {one.id: one.modality for one in inputs.candidates if one.context}, inputs.question)
    scores = {candidate.index: max(lifted[candidate.id], _fit(candidate, own)) for candidate in inputs.candidates}
    best = sorted(inputs.candidates, key=lambda candidate: (-scores[candidate.index], candidate.index))
    return Selection(
        choices=[
            Choice(index=candidate.index, id=candidate.id, score=min(1.0, max(0.0, scores[candidate.index] / LARGEST)))
            for candidate in best[: inputs.keep]
        ]
    )


def _fit(candidate: RerankCandidate, own: dict[str, float]) -> float:
    fits = [own[candidate.id]]
    if candidate.onward_coverage:
        fits.append(as_start(candidate.onward_coverage, own[candidate.id]))
    if candidate.parent is not None and candidate.parent in own:
        parent_fit = own[candidate.parent]
        fits.append(as_end(candidate.path_coverage, candidate.similarity, fits[0], parent_fit, candidate.from_best_row))
    return max(fits)
