"""Confidence and quotes of an answer that rules read."""

from __future__ import annotations

from collections.abc import Callable

from backtrail.state.answer import Answer, Citation
from backtrail.state.answer_decisions import CitedPiece, Reading
from backtrail.state.offline.extract import ExtractChoice, ExtractReading


def with_offline_answer(reply: Answer, reading: Reading, quote: Callable[[CitedPiece], Citation]) -> Answer:
    """Add calibration and quotes to an answer read by rules; return others unchanged.

    Args:
        quote: converts a piece to a citation that quotes a passage.
    """
    if not isinstance(reading, (ExtractReading, ExtractChoice)):
        return reply
    extract = reading.extract
    return {
        **reply,
        "calibrated": {
            "short": (reading.short or reading.text) if reading.supported else "",
            "level": extract.level,
            "probability": round(reading.confidence, 4) if reading.supported else 0.0,
            "signals": extract.signals,
        },
        "quotes": [quote(piece) for piece in extract.quotes],
    }
