"""Accuracy and confusion of chosen letters, among letters only, as the planner decides at run time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from backtrail.training.finetune.rows import Row


def measures(rows: Sequence[Row], scores: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Return ``accuracy`` and ``confusion`` ({right: {chosen: count}}); empty without rows with letters.

    Args:
        scores: scores of each row's letters in order; further entries are ignored, and so are rows without letters
            or with -inf for all letters, which were too long.
    """
    lettered = [
        (row, line)
        for row, line in zip(rows, scores, strict=True)
        if row.letters and any(score > -math.inf for score in line[: len(row.letters)])
    ]
    if not lettered:
        return {}
    letters = sorted({letter for row, _ in lettered for letter in row.letters})
    confusion = {right: dict.fromkeys(letters, 0) for right in letters}
    for row, line in lettered:
        best = max(range(len(row.letters)), key=lambda place: line[place])
        confusion[row.reply][row.letters[best]] += 1
    right = sum(confusion[letter][letter] for letter in letters)
    return {"accuracy": right / len(lettered), "confusion": confusion}
