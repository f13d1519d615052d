"""Read the outcomes of an evaluation as training data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from backtrail.evals.outcome import Outcome
from backtrail.evals.results import read_outcomes
from backtrail.training.errors import AnnotationsError


def outcomes_of(folder: Path, method: str) -> dict[tuple[str, str], Outcome]:
    """Return the last outcome of each question, by id and hash of the question.

    Args:
        folder: folder with ``run.json`` and ``results.jsonl``.
        method: the required method of the evaluation.

    Raises:
        AnnotationsError: it holds no evaluation, or one of another method.
        ResultsError: a line of its results is damaged.
    """
    try:
        run: Any = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        evaluated = run["method"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise AnnotationsError(
            f"{folder} holds no evaluation ({error!r}). `backtrail eval` prints the folder of its results."
        ) from error
    if evaluated != method:
        raise AnnotationsError(f"{folder} holds an evaluation of {evaluated!r}; training needs one of {method!r}.")
    outcomes = read_outcomes(folder)
    if not outcomes:
        raise AnnotationsError(f"{folder} holds an evaluation without outcomes.")
    return outcomes
