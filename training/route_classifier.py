"""Train the router of the VQA planner on questions that are labelled with what they need.

    python -m backtrail.training.route_classifier --corpora $BACKTRAIL_DATA
    python -m backtrail.training.route_classifier --questions FILE...

Each line of a file holds ``id``, ``question``, ``label`` (none, image or text) and may hold ``source``. A fifth,
drawn by the hash of the ids, is held out: it neither trains nor chooses anything. Every class weighs the same in
training, however many questions it has; within a class a source weighs the square root of its size; and questions
that differ in names and numbers alone weigh as one. With
``--sources`` it is told too how a router does on each source that was trained without it. Needs numpy alone, and
gives the same weights each time.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from backtrail.language.picture_references import points
from backtrail.rules.vqa_planner.appearance import asked_of_picture
from backtrail.rules.vqa_planner.choose_path import path_probabilities
from backtrail.rules.vqa_planner.features import BUCKETS, buckets, stem_of
from backtrail.rules.vqa_planner.router import NEEDS, WEIGHTS, Need, Router, load_router
from backtrail.rules.vqa_planner.surface_features import need_by_marks
from backtrail.state.vqa_planner.decisions import OPTIONS
from backtrail.training.route_questions import Labelled, draw, held_out, read_corpora, read_questions

FOLDS = 4
STRENGTHS = (3e-4, 1e-3, 3e-3, 1e-2)
"""Weight decay, chosen by cross-validation among the questions that train (ours)."""
SCALES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
STEPS = 120
RATE = 0.1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """How a way of telling needs did. ``confusion``: true needs in rows, told ones in columns, as in ``NEEDS``."""

    confusion: npt.NDArray[np.int64]

    @property
    def accuracy(self) -> float:
        """Share of the questions that it got right."""
        return float(np.trace(self.confusion) / max(1, self.confusion.sum()))

    @property
    def balanced(self) -> float:
        """Mean over the needs of the share that it got right; needs without questions are left out."""
        asked = self.confusion.sum(axis=1)
        return float(np.mean(np.diag(self.confusion)[asked > 0] / asked[asked > 0]))


def train(questions: Sequence[Labelled], decay: float) -> Router:
    """Fit the weights: full-batch Adam on the mean loss of each need, decayed. Buckets never met stay zero."""
    held = [buckets(question.question) for question in questions]
    lengths = np.array([len(one) for one in held])
    rows = np.repeat(np.arange(len(held)), lengths)
    columns = np.concatenate([np.array(one, dtype=np.int64) for one in held])
    values = np.repeat(1 / np.sqrt(np.maximum(1, lengths)), lengths)[:, None]
    goal = np.eye(len(NEEDS))[[NEEDS.index(question.need) for question in questions]]
    sizes = Counter((question.need, question.source) for question in questions)
    alike = Counter((question.source, question.family) for question in questions)
    weight = [
        sizes[question.need, question.source] ** -0.5 / alike[question.source, question.family]
        for question in questions
    ]
    weighed = goal * np.array(weight)[:, None]
    share = (weighed / np.maximum(1e-12, weighed.sum(axis=0))).sum(axis=1, keepdims=True) / len(NEEDS)
    weights, bias = np.zeros((BUCKETS, len(NEEDS))), np.zeros(len(NEEDS))
    moving: list[tuple[Floats, Floats]] = [(np.zeros_like(one), np.zeros_like(one)) for one in (weights, bias)]
    for step in range(1, STEPS + 1):
        scores = _sums(rows, weights[columns] * values, len(held))
        error = (_softmax(scores + bias) - goal) * share
        slope = decay * weights + _sums(columns, error[rows] * values, BUCKETS)
        for place, (held_values, gradient) in enumerate(((weights, slope), (bias, error.sum(axis=0)))):
            first, second = moving[place]
            first = 0.9 * first + 0.1 * gradient
            second = 0.99 * second + 0.01 * gradient**2
            moving[place] = (first, second)
            held_values -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return Router(weights.astype(np.float16).astype(np.float32), bias.astype(np.float16).astype(np.float32))


def measure(questions: Sequence[Labelled], tell: Callable[[str], Need]) -> Measured:
    """Count what a way of telling needs gets right."""
    confusion = np.zeros((len(NEEDS), len(NEEDS)), dtype=np.int64)
    for question in questions:
        confusion[NEEDS.index(question.need), NEEDS.index(tell(question.question))] += 1
    return Measured(confusion)


def told_by(router: Router) -> Callable[[str], Need]:
    """The likeliest need."""

    def tell(question: str) -> Need:
        shares = router.probabilities(question)
        return max(NEEDS, key=lambda need: shares[need])

    return tell


def choose_strength(questions: Sequence[Labelled]) -> tuple[float, float]:
    """The weight decay with the best balanced accuracy over the folds, and the scale that calibrates it.

    Decayed weights are less sure than they should be; scaled up they give the true need, each class weighing
    the same, the most probability.
    """
    best: tuple[float, float, float] = (-1.0, 0.0, 1.0)
    for decay in STRENGTHS:
        folds: list[tuple[Router, list[Labelled]]] = []
        for fold in range(FOLDS):
            outside = [one for one in questions if draw(one.id, "fold") % FOLDS == fold]
            inside = [one for one in questions if draw(one.id, "fold") % FOLDS != fold]
            folds.append((train(inside, decay), outside))
        confusion = np.sum([measure(part, told_by(router)).confusion for router, part in folds], axis=0)
        scale = min(SCALES, key=lambda one: sum(loss(part, scaled(router, one)) for router, part in folds))
        best = max(best, (round(Measured(confusion).balanced, 4), decay, scale))
    return best[1], best[2]


def scaled(router: Router, scale: float) -> Router:
    """The same choices, surer or less sure."""
    return Router(router.weights * np.float32(scale), router.bias * np.float32(scale))


def loss(questions: Sequence[Labelled], router: Router) -> float:
    """Mean over the needs of −log of the probability of the true one."""
    losses: dict[Need, list[float]] = {}
    for one in questions:
        losses.setdefault(one.need, []).append(-math.log(max(1e-12, router.probabilities(one.question)[one.need])))
    return float(np.mean([np.mean(part) for part in losses.values()]))


def report(name: str, measured: Measured) -> str:
    """The figures of one way of telling needs."""
    lines = [f"{name}: accuracy {measured.accuracy:.1%}, balanced accuracy {measured.balanced:.1%}"]
    lines.append("  " + " ".join(f"{f'told {need}':>11}" for need in NEEDS))
    for need, row in zip(NEEDS, measured.confusion, strict=True):
        lines.append("  " + " ".join(f"{count:>11}" for count in row) + f"   is {need}")
    return "\n".join(lines)


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def _sums(places: npt.NDArray[np.int64], terms: Floats, length: int) -> Floats:
    """The terms of each place, summed."""
    columns = [np.bincount(places, weights=column, minlength=length) for column in terms.T]
    return np.stack(columns, axis=1).astype(np.float64)


def by_source(questions: Sequence[Labelled], decay: float) -> str:
    """How often each source is told rightly: held out by a router that read the others of its source, and all of it
    by one that read no question of it."""
    inside = [one for one in questions if not held_out(one)]
    whole = told_by(train(inside, decay))
    lines = [f"{'source':<14} {'held out':>16} {'source not read':>18}"]
    for source in dict.fromkeys(one.source for one in questions):
        part = [one for one in questions if one.source == source]
        others = [one for one in inside if one.source != source]
        apart = measure(part, told_by(train(others, decay)))
        seen = measure([one for one in part if held_out(one)], whole)
        lines.append(
            f"{source:<14} {_share(seen):>16} {_share(apart):>18}"
            + "".join(f"  told {need} {count}" for need, count in zip(NEEDS, apart.confusion.sum(axis=0), strict=True))
        )
    with_picture = [one for one in questions if one.has_picture]
    for source in dict.fromkeys(one.source for one in with_picture):
        apart = train([one for one in inside if one.source != source], decay)
        asked = [one.question for one in with_picture if one.source == source]
        lines.append(f"{source}, not read, each with its picture: {paths(asked, apart, has_picture=True)}")
    return "\n".join(lines)


def paths(questions: Sequence[str], router: Router, *, has_picture: bool) -> str:
    """How many questions take which path by a router and the marks of what is asked of a picture."""
    told: Counter[str] = Counter()
    for question in questions:
        shares = path_probabilities(
            router.probabilities(question), has_picture=has_picture, pointing=points(stem_of(question)),
            asked=asked_of_picture(question) if has_picture else None,
        )  # fmt: skip
        told[max(shares, key=lambda one: shares[one])] += 1
    return ", ".join(f"{path} {told[path]}" for path in OPTIONS)


def _share(measured: Measured) -> str:
    return f"{measured.accuracy:.1%} of {measured.confusion.sum()}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m backtrail.training.route_classifier", description=__doc__)
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--questions", type=Path, nargs="+", help="JSON Lines: id, question, label")
    given.add_argument("--corpora", type=Path, help="folder of the bundles routing, ottqa, scienceqa and openstax")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the weights go (default: into the package)")
    parser.add_argument("--measure-only", action="store_true", help="measure the weights that are there")
    parser.add_argument("--asked", type=Path, help="JSON Lines with a question each: told which paths these take")
    parser.add_argument("--sources", action="store_true", help="measure each source by a router that did not read it")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, and write the weights."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        files: Sequence[Path] = given.questions or ()
        read = [one for file in files for one in read_questions(file)]
        questions = read_corpora(given.corpora) if given.corpora else read
    except (OSError, ValueError, KeyError) as error:
        parser.exit(2, f"{error}\n")
    inside = [one for one in questions if not held_out(one)]
    outside = [one for one in questions if held_out(one)]
    missing = [need for need in NEEDS if not any(one.need == need for one in inside)]
    if missing or not outside:
        parser.exit(2, f"There are too few questions: none to train on for {missing}, or none held out.\n")
    decay, scale = STRENGTHS[0], 1.0
    if not given.measure_only or given.sources:
        decay, scale = choose_strength(inside)
    if not given.measure_only:
        scaled(train(inside, decay), scale).save(given.out)
        sys.stdout.write(
            f"trained on {len(inside)} questions, weight decay {decay:g}, scale {scale:g}, wrote {given.out}\n"
        )
    majority = max(NEEDS, key=lambda need: sum(one.need == need for one in inside))
    sys.stdout.write(f"held out: {len(outside)} questions\n")
    for name, tell in (
        ("router", told_by(load_router(given.out))),
        ("rules by surface marks", need_by_marks),
        (f"always {majority}", lambda question: majority),
    ):
        sys.stdout.write(report(name, measure(outside, tell)) + "\n")
    if given.sources:
        sys.stdout.write(by_source(questions, decay) + "\n")
    if given.asked:
        asked = [json.loads(line)["question"] for line in given.asked.read_text(encoding="utf-8").splitlines() if line]
        for has_picture, name in ((False, "without a picture"), (True, "with a picture")):
            told = paths(asked, load_router(given.out), has_picture=has_picture)
            sys.stdout.write(f"{given.asked}: {len(asked)} questions, {name}: {told}\n")


if __name__ == "__main__":
    main()
