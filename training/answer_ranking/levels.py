"""Levels: from which probability on readings are of medium and of high confidence, by weights that have not seen them.

The calibration that comes with the package is kept; only where its levels begin is chosen anew, by the rule of
``backtrail calibrate`` (``backtrail.evals.calibration.curve.levels``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backtrail.evals.calibration.case import Case
from backtrail.evals.calibration.curve import at_least, levels
from backtrail.evals.calibration.fit import Held
from backtrail.evals.calibration.tasks import MADE
from backtrail.evals.scorers.wordings import says_answer
from backtrail.language.active import reading_in
from backtrail.language.identify import language_of
from backtrail.rules.reader.calibration import Calibration, packaged
from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.ranking import Ranking, reading_by
from backtrail.tools.atomic_file import write_atomically
from backtrail.training.answer_ranking.reading import Read
from backtrail.training.answer_ranking.recorded import Recorded


@dataclass(frozen=True)
class Levelled:
    """The calibration with its new levels, and the readings they were chosen by."""

    calibration: Calibration
    cases: Sequence[Case]
    held: Held


def levelled(judged: Sequence[tuple[Sequence[Read], Ranking]]) -> Levelled:
    """The packaged calibration, its levels set by readings of each part with the weights beside it."""
    cases: list[Case] = []
    for part, ranking in judged:
        with reading_by(ranking):
            cases += [_case(one.row) for one in part]
    read = [case for case in cases if case.read]
    calibration = packaged()
    held = Held(read, np.array([calibration.probability(case.signals) for case in read], np.float64), 0.0)
    medium, high = levels(held)
    return Levelled(calibration.model_copy(update={"medium": medium, "high": high}), cases, held)


def _case(row: Recorded) -> Case:
    """What rules read for a recorded question now."""
    made = row.task.startswith(MADE)
    if row.inputs is None:
        return Case(row.task, row.question.id, {}, right=False, made=made)
    with reading_in(language_of(row.question.question)):
        reading = extract_answer(row.inputs)
    if not reading.supported:
        return Case(row.task, row.question.id, {}, right=False, made=made)
    right = says_answer(row.question, f"{reading.short}\n{reading.text}")
    return Case(row.task, row.question.id, reading.extract.signals, right=right, made=made)


def told(found: Levelled) -> str:
    """A line for each task: how many readings are said at high confidence, now and by the new level."""
    before, after = packaged(), found.calibration
    lines = [f"high begins at {before.high} now, at {after.high} then; medium at {before.medium} and {after.medium}"]
    lines.append(f"{'':<24}{'questions':>10}{'right':>8}{'said now':>10}{'rightly':>9}{'said then':>11}{'rightly':>9}")
    for task in dict.fromkeys(case.corpus for case in found.cases):
        own = [case for case in found.cases if case.corpus == task]
        now, then = (at_least(found.held, one.high, len(own), task) for one in (before, after))
        lines.append(
            f"{task:<24}{len(own):>10}{sum(case.right for case in own):>8}"
            f"{now.answered:>10}{now.right:>9}{then.answered:>11}{then.right:>9}"
        )
    return "\n".join(lines)


def write_calibration(file: Path, calibration: Calibration) -> None:
    """Keep a calibration where ``file`` says; a reader sees the old one or the new, never half of them."""
    write_atomically(file, f"{calibration.model_dump_json(indent=2)}\n".encode())
