"""Train the router of the VQA planner on questions labelled with their need.

    python -m backtrail.training.route_classifier --corpora $BACKTRAIL_DATA
    python -m backtrail.training.route_classifier --questions FILE...

Each line of a file has ``id``, ``question``, ``label`` (none, image or text) and optionally ``source``. A fifth, drawn
by the hash of the ids, is held out of training and selection. In training every class has the same weight; within a
class a source has the square root of its size; questions that differ only in names and numbers weigh as one.
``--sources`` also measures each source with a router trained without it. Needs only numpy, and is deterministic.
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
"""Weight decay, chosen by cross-validation among the training questions (ours)."""
SCALES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
STEPS = 120
RATE = 0.1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """Measures of a classifier. ``confusion``: rows are true needs, columns predicted ones (``NEEDS``)."""

    confusion: npt.NDArray[np.int64]

    @property
    def accuracy(self) -> float:
        """Share of correct questions."""
        return float(np.trace(self.confusion) / max(1, self.confusion.sum()))

    @property
    def balanced(self) -> float:
        """Mean of the shares of correct questions of each need; needs without questions are left out."""
        asked = self.confusion.sum(axis=1)
        return float(np.mean(np.diag(self.confusion)[asked > 0] / asked[asked > 0]))


def train(questions: Sequence[Labelled], decay: float) -> Router:
    """Fit the weights by full-batch Adam on the mean loss of each need, with weight decay."""
    features = [buckets(question.question) for question in questions]
    lengths = np.array([len(one) for one in features])
    rows = np.repeat(np.arange(len(features)), lengths)
    columns = np.concatenate([np.array(one, dtype=np.int64) for one in features])
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
        scores = _sums(rows, weights[columns] * values, len(features))
        error = (_softmax(scores + bias) - goal) * share
        slope = decay * weights + _sums(columns, error[rows] * values, BUCKETS)
        for place, (parameter, gradient) in enumerate(((weights, slope), (bias, error.sum(axis=0)))):
            first, second = moving[place]
            first = 0.9 * first + 0.1 * gradient
            second = 0.99 * second + 0.01 * gradient**2
            moving[place] = (first, second)
            parameter -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return Router(weights.astype(np.float16).astype(np.float32), bias.astype(np.float16).astype(np.float32))


def measure(questions: Sequence[Labelled], tell: Callable[[str], Need]) -> Measured:
    """Compute the confusion of a classifier over questions."""
    confusion = np.zeros((len(NEEDS), len(NEEDS)), dtype=np.int64)
    for question in questions:
        confusion[NEEDS.index(question.need), NEEDS.index(tell(question.question))] += 1
    return Measured(confusion)


def classifier_of(router: Router) -> Callable[[str], Need]:
    """Return a classifier that gives the likeliest need by a router."""

    def tell(question: str) -> Need:
        shares = router.probabilities(question)
        return max(NEEDS, key=lambda need: shares[need])

    return tell


def choose_strength(questions: Sequence[Labelled]) -> tuple[float, float]:
    """Return the weight decay with the best balanced accuracy over folds, and the calibrating scale.

    Decayed weights are underconfident; the scale minimizes the mean loss, with equal weight for each class.
    """
    best: tuple[float, float, float] = (-1.0, 0.0, 1.0)
    for decay in STRENGTHS:
        folds: list[tuple[Router, list[Labelled]]] = []
        for fold in range(FOLDS):
            outside = [one for one in questions if draw(one.id, "fold") % FOLDS == fold]
            inside = [one for one in questions if draw(one.id, "fold") % FOLDS != fold]
            folds.append((train(inside, decay), outside))
        confusion = np.sum([measure(part, classifier_of(router)).confusion for router, part in folds], axis=0)
        scale = min(SCALES, key=lambda one: sum(loss(part, scaled(router, one)) for router, part in folds))
        best = max(best, (round(Measured(confusion).balanced, 4), decay, scale))
    return best[1], best[2]


def scaled(router: Router, scale: float) -> Router:
    """Return a router with the same choices at another confidence."""
    return Router(router.weights * np.float32(scale), router.bias * np.float32(scale))


def loss(questions: Sequence[Labelled], router: Router) -> float:
    """Return the mean over the needs of −log of the probability of the true one."""
    losses: dict[Need, list[float]] = {}
    for one in questions:
        losses.setdefault(one.need, []).append(-math.log(max(1e-12, router.probabilities(one.question)[one.need])))
    return float(np.mean([np.mean(part) for part in losses.values()]))


def report(name: str, measured: Measured) -> str:
    """Format the measures of one classifier."""
    lines = [f"{name}: accuracy {measured.accuracy:.1%}, balanced accuracy {measured.balanced:.1%}"]
    lines.append("  " + " ".join(f"{f'predicted {need}':>15}" for need in NEEDS))
    for need, row in zip(NEEDS, measured.confusion, strict=True):
        lines.append("  " + " ".join(f"{count:>15}" for count in row) + f"   is {need}")
    return "\n".join(lines)


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def _sums(places: npt.NDArray[np.int64], terms: Floats, length: int) -> Floats:
    """Sum the terms of each place."""
    columns = [np.bincount(places, weights=column, minlength=length) for column in terms.T]
    return np.stack(columns, axis=1).astype(np.float64)


def by_source(questions: Sequence[Labelled], decay: float) -> str:
    """Return the accuracy on each source: held-out questions, and all by a router trained without it."""
    inside = [one for one in questions if not held_out(one)]
    whole = classifier_of(train(inside, decay))
    lines = [f"{'source':<14} {'held out':>16} {'trained without':>18}"]
    for source in dict.fromkeys(one.source for one in questions):
        part = [one for one in questions if one.source == source]
        others = [one for one in inside if one.source != source]
        apart = measure(part, classifier_of(train(others, decay)))
        seen = measure([one for one in part if held_out(one)], whole)
        lines.append(
            f"{source:<14} {_share(seen):>16} {_share(apart):>18}"
            + "".join(f"  {need} {count}" for need, count in zip(NEEDS, apart.confusion.sum(axis=0), strict=True))
        )
    with_picture = [one for one in questions if one.has_picture]
    for source in dict.fromkeys(one.source for one in with_picture):
        apart = train([one for one in inside if one.source != source], decay)
        asked = [one.question for one in with_picture if one.source == source]
        lines.append(f"{source}, trained without, with its pictures: {paths(asked, apart, has_picture=True)}")
    return "\n".join(lines)


def paths(questions: Sequence[str], router: Router, *, has_picture: bool) -> str:
    """Count the paths that questions take by a router and the rules about pictures."""
    counts: Counter[str] = Counter()
    for question in questions:
        shares = path_probabilities(
            router.probabilities(question), has_picture=has_picture, pointing=points(stem_of(question)),
            asked=asked_of_picture(question) if has_picture else None,
        )  # fmt: skip
        counts[max(shares, key=lambda one: shares[one])] += 1
    return ", ".join(f"{path} {counts[path]}" for path in OPTIONS)


def _share(measured: Measured) -> str:
    return f"{measured.accuracy:.1%} of {measured.confusion.sum()}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m backtrail.training.route_classifier", description=__doc__)
    sources = parser.add_mutually_exclusive_group(required=True)
    sources.add_argument("--questions", type=Path, nargs="+", help="JSON Lines: id, question, label")
    sources.add_argument("--corpora", type=Path, help="folder of the bundles routing, ottqa, scienceqa and openstax")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file of the weights (default: in the package)")
    parser.add_argument("--measure-only", action="store_true", help="measure existing weights without training")
    parser.add_argument("--asked", type=Path, help="JSON Lines with a question each: count the paths that they take")
    parser.add_argument("--sources", action="store_true", help="measure each source by a router trained without it")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, and write the weights."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        files: Sequence[Path] = options.questions or ()
        read = [one for file in files for one in read_questions(file)]
        questions = read_corpora(options.corpora) if options.corpora else read
    except (OSError, ValueError, KeyError) as error:
        parser.exit(2, f"{error}\n")
    inside = [one for one in questions if not held_out(one)]
    outside = [one for one in questions if held_out(one)]
    missing = [need for need in NEEDS if not any(one.need == need for one in inside)]
    if missing or not outside:
        problem = f"none with the label {', '.join(missing)}" if missing else "none is held out"
        parser.exit(2, f"There are too few questions to train on: {problem}.\n")
    decay, scale = STRENGTHS[0], 1.0
    if not options.measure_only or options.sources:
        decay, scale = choose_strength(inside)
    if not options.measure_only:
        scaled(train(inside, decay), scale).save(options.out)
        sys.stdout.write(
            f"trained on {len(inside)} questions, weight decay {decay:g}, scale {scale:g}, wrote {options.out}\n"
        )
    majority = max(NEEDS, key=lambda need: sum(one.need == need for one in inside))
    sys.stdout.write(f"held out: {len(outside)} questions\n")
    for name, tell in (
        ("router", classifier_of(load_router(options.out))),
        ("rules by surface marks", need_by_marks),
        (f"always {majority}", lambda question: majority),
    ):
        sys.stdout.write(report(name, measure(outside, tell)) + "\n")
    if options.sources:
        sys.stdout.write(by_source(questions, decay) + "\n")
    if options.asked:
        asked = [
            json.loads(line)["question"] for line in options.asked.read_text(encoding="utf-8").splitlines() if line
        ]
        for has_picture, name in ((False, "without a picture"), (True, "with a picture")):
            counts = paths(asked, load_router(options.out), has_picture=has_picture)
            sys.stdout.write(f"{options.asked}: {len(asked)} questions, {name}: {counts}\n")


if __name__ == "__main__":
    main()
