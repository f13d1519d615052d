"""Rerank a shortlist by what it covers of the subtask (offline reading of FiF's selectors)."""

from __future__ import annotations

from backtrail.rules.relevance import alone
from backtrail.state.fif.choice_decisions import Choice, SelectInputs, Selection

# A subtask with several constraints is rarely met in one place: between items that fit alike, the one
# that leads on is worth more.
LEADS_ON = 0.15
# The largest value a score can take; scales them into [0, 1].
LARGEST = 2.4


def select(inputs: SelectInputs) -> Selection:
    """Coverage first, then similarity; scores are scaled into [0, 1]."""
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
