"""Reciprocal rank fusion (Cormack et al. 2009)."""

from __future__ import annotations

from collections import defaultdict

from backtrail.state.hop import Scored

# The constant of the original paper; ranks beyond it hardly differ in weight.
RANK_CONSTANT = 60


def fuse(rankings: list[list[Scored]], keep: int) -> list[Scored]:
    """Fuse rankings by the sum of 1 / (60 + rank), best first; ties by id."""
    scores: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, scored in enumerate(ranking, start=1):
            scores[scored["id"]] += 1 / (RANK_CONSTANT + rank)
    best = sorted(scores, key=lambda key: (-scores[key], key))[:keep]
    return [{"id": key, "score": scores[key]} for key in best]
