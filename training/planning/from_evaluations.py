"""Trajectories from evaluations of CogPlanner: questions that were answered correctly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question, read_questions
from backtrail.evals.results import read_trails
from backtrail.evals.trail import ENTRIES
from backtrail.state.component import Component
from backtrail.tools.web.contents import ContentsReader
from backtrail.training.annotate.pictures import QuestionUnusable, usable_picture
from backtrail.training.errors import AnnotationsError
from backtrail.training.evaluation_outcomes import outcomes_of
from backtrail.training.planning.trajectory import Found, Trajectory

METHOD = "cogplanner"


@dataclass(frozen=True)
class Judged:
    """Definition of a right answer: a score and its lowest value."""

    metric: str = "Accuracy"
    threshold: float = 1.0


def is_evaluation(folder: Path) -> bool:
    """Return whether a folder holds an evaluation."""
    return (folder / "run.json").is_file() and (folder / "results.jsonl").is_file()


def own_courses(
    results: Path, questions: Path, contents: ContentsReader, judged: Judged, left_out: dict[str, str]
) -> Iterator[Trajectory]:
    """Yield the trajectories of one evaluation; unusable ones go into ``left_out`` by id, with the reason.

    Raises:
        AnnotationsError: it is no evaluation of CogPlanner, or it lacks the score.
        EvalError: the file of questions, or a line of results, cannot be read.
    """
    folder, name = questions.resolve().parent, results.resolve().name
    outcomes, trails = outcomes_of(results, METHOD), read_trails(results)
    for question in read_questions(questions):
        id_ = f"{name}:{question.id}"
        try:
            picture, asked = _asked(question, folder)
        except QuestionUnusable as error:
            left_out[id_] = str(error)
            continue
        outcome = outcomes.get((question.id, asked))
        trail = trails.get((question.id, asked), {})
        if why := _unfit(outcome, trail, judged, results):
            left_out[id_] = why
            continue
        found = _found(trail, contents)
        rounds, searches = trail["rounds"], trail.get("searches", [])
        entity = str(question.tags.get("entity") or "")
        yield Trajectory(id_, question.question, picture, tuple(rounds), tuple(searches), found, entity)


def _asked(question: Question, folder: Path) -> tuple[bytes | None, str]:
    """Return the picture, and the hash of the question as in outcomes, with the picture by content."""
    if question.image is None:
        return None, question.fingerprint
    path, facts = usable_picture(folder, question.image)
    return path.read_bytes(), question.model_copy(update={"image": facts.sha256}).fingerprint


def _unfit(outcome: Outcome | None, trail: Mapping[str, Any], judged: Judged, results: Path) -> str:
    if outcome is None:
        return "not evaluated, or with other words or another picture"
    if outcome.error is not None:
        return "the run failed"
    if outcome.failures:
        return "the run survived failures"
    if judged.metric not in outcome.scores:
        known = ", ".join(sorted(outcome.scores)) or "none"
        raise AnnotationsError(f"{results} has no score {judged.metric!r} for {outcome.id!r}. Its scores: {known}.")
    if outcome.abstained or (outcome.scores[judged.metric] or 0.0) < judged.threshold:
        return "answered wrongly"
    if not trail.get("rounds"):
        return "no rounds were kept"
    cut = [one for one in (*trail["rounds"], *trail.get("searches", [])) if len(one.get("found", [])) >= ENTRIES]
    return f"a search found {ENTRIES} or more components, and trails keep {ENTRIES}" if cut else ""


def _found(trail: Mapping[str, Any], contents: ContentsReader) -> Found:
    """Return what the searches found and the corpus still holds."""
    ids = list(dict.fromkeys(id_ for one in trail.get("searches", []) for id_ in one["found"]))
    components: dict[str, Component] = contents.components(ids)
    documents = contents.documents({one.document for one in components.values()})
    pictures: dict[str, bytes] = {}
    for one in components.values():
        if one.image is not None and one.image.blob:
            try:
                pictures[one.image.blob] = contents.picture(one.image.blob)
            except (KeyError, OSError):
                continue  # without its file the picture is represented by its caption
    return Found(components, {id_: one.title for id_, one in documents.items()}, pictures)
