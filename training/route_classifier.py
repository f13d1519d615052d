"""Train the router of the VQA planner on questions that are labelled with what they need.

    python -m backtrail.training.route_classifier --questions $BACKTRAIL_DATA/routing/questions.jsonl

Each line of the questions holds ``id``, ``question`` and ``label``: none, image or text. A fifth, drawn by the
hash of the ids, is held out: it neither trains nor chooses anything. Every class weighs the same in training,
however many questions it has. Needs numpy alone, and gives the same weights each time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from backtrail.rules.vqa_planner.features import BUCKETS, buckets
from backtrail.rules.vqa_planner.marks import need_by_marks
from backtrail.rules.vqa_planner.router import NEEDS, WEIGHTS, Need, Router, load_router

HELD_OUT = 5
FOLDS = 4
STRENGTHS = (3e-4, 1e-3, 3e-3, 1e-2)
"""Weight decay, chosen by cross-validation among the questions that train (ours)."""
SCALES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
STEPS = 200
RATE = 0.1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    """A question with what it needs."""

    id: str
    question: str
    need: Need


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


def read_questions(file: Path) -> list[Labelled]:
    """The labelled questions of a file, each id once.

    Raises:
        ValueError: a line is not such a question; names it.
    """
    read: dict[str, Labelled] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            key, question, label = str(entry["id"]), str(entry["question"]), entry["label"]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}, line {number}: expected id, question and label, got {line[:80]!r}") from error
        if label not in NEEDS:
            raise ValueError(f"{file}, line {number}: the label is {label!r}; it must be one of {list(NEEDS)}")
        read.setdefault(key, Labelled(key, question, label))
    return list(read.values())


def held_out(question: Labelled) -> bool:
    """Whether it belongs to the fifth that is only measured on."""
    return _draw(question.id, "held out") % HELD_OUT == 0


def train(questions: Sequence[Labelled], decay: float) -> Router:
    """Fit the weights: full-batch Adam on the mean loss of each need, decayed. Buckets never met stay zero."""
    held = [buckets(question.question) for question in questions]
    lengths = np.array([len(one) for one in held])
    rows = np.repeat(np.arange(len(held)), lengths)
    columns = np.concatenate([np.array(one, dtype=np.int64) for one in held])
    values = np.repeat(1 / np.sqrt(np.maximum(1, lengths)), lengths)[:, None]
    goal = np.eye(len(NEEDS))[[NEEDS.index(question.need) for question in questions]]
    share = (goal / np.maximum(1, goal.sum(axis=0))).sum(axis=1, keepdims=True) / len(NEEDS)
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
            outside = [one for one in questions if _draw(one.id, "fold") % FOLDS == fold]
            inside = [one for one in questions if _draw(one.id, "fold") % FOLDS != fold]
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


def _draw(key: str, purpose: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{purpose}:{key}".encode()).digest()[:4], "big")


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m backtrail.training.route_classifier", description=__doc__)
    parser.add_argument("--questions", type=Path, required=True, help="JSON Lines: id, question, label")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the weights go (default: into the package)")
    parser.add_argument("--measure-only", action="store_true", help="measure the weights that are there")
    given = parser.parse_args(arguments)
    try:
        questions = read_questions(given.questions)
    except (OSError, ValueError) as error:
        parser.exit(2, f"{error}\n")
    inside = [one for one in questions if not held_out(one)]
    outside = [one for one in questions if held_out(one)]
    missing = [need for need in NEEDS if not any(one.need == need for one in inside)]
    if missing or not outside:
        parser.exit(2, f"{given.questions} has too few questions: none to train on for {missing}, or none held out.\n")
    if not given.measure_only:
        decay, scale = choose_strength(inside)
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


if __name__ == "__main__":
    main()
