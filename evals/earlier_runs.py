"""Load earlier evaluation results to show them beside new ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backtrail.evals.errors import ResultsError
from backtrail.evals.questions import Question
from backtrail.evals.results import read_outcomes
from backtrail.evals.runner import Evaluated
from backtrail.state.variant import VariantName, label
from backtrail.tools.settings.keys import flatten

_NAMED = 3


def earlier_run(folder: Path, task: str, questions: Sequence[Question], settings: Mapping[str, Any]) -> Evaluated:
    """What a folder of results holds of these questions; nothing is asked or written.

    It is called by its method and what its settings have that ``settings`` do not: "fif [reader=openai:gpt-5]".

    Args:
        task: the task that is told.
        settings: of the run that it is told beside.

    Raises:
        ResultsError: it is no folder of results, of another task, or holds none of the questions.
    """
    run = _read_run(folder)
    if run["task"] != task:
        raise ResultsError(f"{folder} holds results of {run['task']!r}, not of {task!r}.")
    outcomes = read_outcomes(folder)
    pairs = [(one, found) for one in questions if (found := outcomes.get((one.id, one.asked)))]
    if not pairs:
        raise ResultsError(f"{folder} holds no result of the {len(questions)} questions that are told.")
    variant: VariantName = run["variant"]
    called = f"{label(run['method'], variant)} [{_apart(run['settings'], settings) or folder.name}]"
    return Evaluated(called, variant, folder, 0, questions, pairs)


def task_of(folder: Path) -> str:
    """The task of a folder of results.

    Raises:
        ResultsError: it is none.
    """
    return str(_read_run(folder)["task"])


def method_in(called: str) -> str:
    """The label of the method in what a run is called."""
    return called.partition(" [")[0]


def _read_run(folder: Path) -> dict[str, Any]:
    try:
        run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        held = {name: run[name] for name in ("task", "method", "variant", "settings")}
    except (OSError, UnicodeDecodeError, ValueError, LookupError, TypeError) as error:
        raise ResultsError(
            f"{folder} is no folder of results ({error}). `backtrail eval` tells where they are: results in …"
        ) from error
    return held


def _apart(its: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """The settings that differ, as it has them; the first few are named."""
    theirs, here = flatten(its), flatten(ours)
    found = [f"{key}={value}" for key, value in theirs.items() if key != "variant" and here.get(key, value) != value]
    more = [f"{len(found) - _NAMED} more"] if len(found) > _NAMED else []
    return ", ".join([*found[:_NAMED], *more])
