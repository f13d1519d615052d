"""Load earlier evaluation results to show them beside new ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backtrail.evals.errors import ResultsError
from backtrail.evals.questions import Question
from backtrail.evals.results import read_outcomes
from backtrail.evals.runner import Evaluation
from backtrail.state.variant import VariantName, label
from backtrail.tools.settings.keys import flatten

_NAMED = 3


def earlier_run(folder: Path, task: str, questions: Sequence[Question], settings: Mapping[str, Any]) -> Evaluation:
    """Read the outcomes of these questions from a folder of results; nothing is asked or written.

    Its label is the method and the settings that differ from ``settings``: "fif [reader=openai:gpt-5]".

    Args:
        task: name of the reported task.
        settings: settings of the run beside which it is reported.

    Raises:
        ResultsError: it is no folder of results, belongs to another task, or has none of the questions.
    """
    run = _read_run(folder)
    if run["task"] != task:
        raise ResultsError(f"{folder} holds results of {run['task']!r}, not of {task!r}.")
    outcomes = read_outcomes(folder)
    pairs = [(one, found) for one in questions if (found := outcomes.get((one.id, one.fingerprint)))]
    if not pairs:
        raise ResultsError(f"{folder} holds no result of the {len(questions)} questions of this report.")
    variant: VariantName = run["variant"]
    called = f"{label(run['method'], variant)} [{_apart(run['settings'], settings) or folder.name}]"
    return Evaluation(called, variant, folder, 0, questions, pairs)


def task_of(folder: Path) -> str:
    """Return the name of the task of a folder of results.

    Raises:
        ResultsError: it is no folder of results.
    """
    return str(_read_run(folder)["task"])


def method_label(called: str) -> str:
    """Return the label of the method from the label of an earlier run."""
    return called.partition(" [")[0]


def _read_run(folder: Path) -> dict[str, Any]:
    try:
        run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        return {name: run[name] for name in ("task", "method", "variant", "settings")}
    except (OSError, UnicodeDecodeError, ValueError, LookupError, TypeError) as error:
        raise ResultsError(
            f"{folder} is no folder of results ({error}). `backtrail eval` prints their folder: results in …"
        ) from error


def _apart(its: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """Name the first few settings that differ, with the values of the earlier run."""
    theirs, here = flatten(its), flatten(ours)
    found = [f"{key}={value}" for key, value in theirs.items() if key != "variant" and here.get(key, value) != value]
    more = [f"{len(found) - _NAMED} more"] if len(found) > _NAMED else []
    return ", ".join([*found[:_NAMED], *more])
