"""Rerank a shortlist by coverage of the subtask (offline version of FiF's selectors)."""

from __future__ import annotations

from backtrail.rules.relevance import alone
from backtrail.state.fif.choice_decisions import Choice, SelectInputs, Selection

# One item rarely meets all constraints of a subtask: of items with equal fit, the one with
# links is worth more.
LEADS_ON = 0.15
# The largest possible score; scales scores into [0, 1].
LARGEST = 2.4


def select(inputs: SelectInputs) -> Selection:
    """Rank by coverage, then similarity; scores are scaled into [0, 1]."""
    scores = {
        candidate.index: alone(
            max(candidate.coverage, candidate.path_coverage),
            candidate.similarity,
            candidate.context,
            table=candidate.modality == "table",
        )
        + (LEADS_ON if candidate.links else 0.0)
        for candidate in inputs.candidates
    }
    best = sorted(inputs.candidates, key=lambda candidate: (-scores[candidate.index], candidate.index))
    return Selection(
        choices=[
            Choice(index=candidate.index, id=candidate.id, score=min(1.0, max(0.0, scores[candidate.index] / LARGEST)))
            for candidate in best[: inputs.keep]
        ]
    )
