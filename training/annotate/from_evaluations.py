"""Annotations from evaluations: the cheapest path that answered a question correctly.

Run the four fixed paths (``--set vqa_planner.path=alone``, and so on) over the same questions, or the planner itself
several times: the cheapest path with a right answer is the class of the question (ours; the paper derives classes from
answers to the parts). Questions without a right answer are left out, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question, read_questions
from backtrail.training.annotate.annotation import Annotation, entity_of, fingerprint
from backtrail.training.annotate.classes import PATH_CLASSES, PathClass
from backtrail.training.annotate.journal import open_journal
from backtrail.training.annotate.pictures import QuestionUnusable, usable_picture
from backtrail.training.errors import AnnotationsError
from backtrail.training.evaluation_outcomes import outcomes_of

METHOD = "vqa_planner"


@dataclass(frozen=True)
class Gathered:
    """Counts of questions by class, and of those left out by reason."""

    folder: Path
    classes: dict[PathClass, int]
    left_out: dict[str, int]


@dataclass
class _Tried:
    """Classes that ran for a question, those that answered correctly, and reasons against other runs."""

    ran: set[PathClass] = field(default_factory=set[PathClass])
    right: set[PathClass] = field(default_factory=set[PathClass])
    reasons: set[str] = field(default_factory=set[str])


def gather(
    results: Sequence[Path], questions: Path, folder: Path, *, metric: str, threshold: float = 1.0, fresh: bool = False
) -> Gathered:
    """Annotate the questions of a file from evaluations of the VQA planner, in the layout for exports.

    Args:
        results: folders of evaluations, each with ``run.json`` and ``results.jsonl``.
        metric: name of the score of an answer.
        threshold: lowest score of a right answer.

    Raises:
        AnnotationsError: a folder holds no evaluation of the VQA planner, an outcome lacks the score, or the folder
            holds other annotations.
        EvalError: the file of questions, or a line of results, cannot be read.
    """
    tried: dict[tuple[str, str], _Tried] = {}
    for one in results:
        for outcome in outcomes_of(one, METHOD).values():
            _book(tried.setdefault((outcome.id, outcome.fingerprint), _Tried()), outcome, metric, threshold, one)
    run: dict[str, Any] = {
        "questions": str(questions.resolve()),
        "results": sorted(str(one.resolve()) for one in results),
        "terms": {"metric": metric, "threshold": threshold},
    }
    classes: Counter[PathClass] = Counter()
    left_out: Counter[str] = Counter()
    with open_journal(folder, run, fresh=fresh) as journal:
        for question in read_questions(questions):
            annotation = _annotation(question, tried.get((question.id, _asked(question, questions.resolve().parent))))
            if annotation.label:
                classes[annotation.label] += 1
            else:
                left_out[annotation.why] += 1
            if journal.of(question) != annotation:
                journal.keep(annotation)
    return Gathered(folder, {label: classes[label] for label in PATH_CLASSES}, dict(sorted(left_out.items())))


def _asked(question: Question, folder: Path) -> str:
    """Return the hash of the question as in outcomes, with its picture by content."""
    try:
        _, facts = usable_picture(folder, question.image)
    except QuestionUnusable:
        return question.fingerprint
    return question.model_copy(update={"image": facts.sha256}).fingerprint


def _annotation(question: Question, tried: _Tried | None) -> Annotation:
    label: PathClass | None = next((one for one in PATH_CLASSES if tried and one in tried.right), None)
    why = ""
    if question.image is None:
        label, why = None, "the question has no picture"
    elif tried is None:
        why = "not evaluated, or with other words or another picture"
    elif label is None:
        why = "answered wrongly" if tried.ran else ", ".join(sorted(tried.reasons))
    return Annotation(
        id=question.id, fingerprint=fingerprint(question), question=question.question, image=question.image,
        outcome="annotated" if label else "excluded", label=label, why=why, image_entity=entity_of(question),
    )  # fmt: skip


def _book(tried: _Tried, outcome: Outcome, metric: str, threshold: float, folder: Path) -> None:
    label: PathClass | None = next((one for one in PATH_CLASSES if one == outcome.planned.path), None)
    if outcome.error is not None or label is None:
        tried.reasons.add("the run failed")
    elif outcome.failures:
        tried.reasons.add("the run survived failures")  # it may not have run the path of its class
    else:
        if metric not in outcome.scores:
            known = ", ".join(sorted(outcome.scores)) or "none"
            raise AnnotationsError(f"{folder} has no score {metric!r} for {outcome.id!r}. Its scores: {known}.")
        tried.ran.add(label)
        if not outcome.abstained and (outcome.scores[metric] or 0.0) >= threshold:
            tried.right.add(label)
