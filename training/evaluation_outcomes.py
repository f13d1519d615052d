"""Evaluation outcomes as training data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from backtrail.evals.outcome import Outcome
from backtrail.evals.results import read_outcomes
from backtrail.training.errors import AnnotationsError


def outcomes_of(folder: Path, method: str) -> dict[tuple[str, str], Outcome]:
    """What came of each question, by its id and the hash of what was asked; the last outcome of each.

    Args:
        folder: with ``run.json`` and ``results.jsonl``.
        method: that has to have been evaluated.

    Raises:
        AnnotationsError: it holds no evaluation, or one of another method.
        ResultsError: a line of its results is damaged.
    """
    try:
        run: Any = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        evaluated = run["method"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise AnnotationsError(
            f"{folder} holds no evaluation ({error!r}). `backtrail eval` names its folder."
        ) from error
    if evaluated != method:
        raise AnnotationsError(f"{folder} holds an evaluation of {evaluated!r}; what is taught are plans of {method}.")
    held = read_outcomes(folder)
    if not held:
        raise AnnotationsError(f"{folder} holds an evaluation without outcomes.")
    return held
