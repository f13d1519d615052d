"""What a calibration found, as plain values: the risk–coverage curve, and what each corpus gets when it is held out."""

from __future__ import annotations

from typing import Any

from backtrail.evals.calibration.curve import at_least, curve
from backtrail.evals.calibration.run import Calibrated


def points(found: Calibrated, corpus: str | None) -> list[dict[str, Any]]:
    """The curve over all corpora, or of one: coverage, share right, and the probability that is needed."""
    asked = sum(corpus in (None, case.corpus) for case in found.cases)
    return [
        {
            "coverage": round(point.coverage, 4), "right": round(point.share_right, 4), "answered": point.answered,
            "probability": round(point.probability, 4),
        }
        for point in curve(found.held, asked, corpus)
    ]  # fmt: skip


def by_corpus(found: Calibrated) -> dict[str, dict[str, Any]]:
    """Of each corpus questions, readings, right ones, and what high confidence would say of it."""
    told: dict[str, dict[str, Any]] = {}
    for corpus in dict.fromkeys(case.corpus for case in found.cases):
        own = [case for case in found.cases if case.corpus == corpus]
        high = at_least(found.held, found.calibration.high, len(own), corpus)
        told[corpus] = {
            "questions": len(own), "read": sum(case.read for case in own), "right": sum(case.right for case in own),
            "high": high.answered, "high_right": high.right, "curve": points(found, corpus),
        }  # fmt: skip
    return told
