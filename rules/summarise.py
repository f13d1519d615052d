"""Summaries without a model: no points of a part, and points that exist as a list."""

from __future__ import annotations

from backtrail.state.summary_decisions import MergedPart, MergedSummary, MergeInputs, PartInputs, PointsOfPart

AS_READ = "What the parts say, in their order."
CONFIDENCE = 0.5
"""Confidence of points that nobody has merged (ours): each is cited, but some may repeat others."""


def no_points(inputs: PartInputs) -> PointsOfPart:
    """Return no points: only models write them."""
    return PointsOfPart()


def points_as_list(inputs: MergeInputs) -> MergedSummary:
    """Return every point as an item, in the order of the parts."""
    parts = [MergedPart(text=one.text, points=[one.number]) for one in inputs.points]
    return MergedSummary(text=AS_READ, parts=parts, confidence=CONFIDENCE)
