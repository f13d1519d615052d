"""Calibration: what is fitted, what is held out, where levels begin, and what is too little."""

from __future__ import annotations

import random

import numpy as np
import pytest

from backtrail.evals.calibration.case import Case, cases_of
from backtrail.evals.calibration.curve import at_least, by_people, curve, levels, threshold
from backtrail.evals.calibration.fit import Held, check, fit, folds, held_out
from backtrail.evals.errors import TooFewQuestions
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.rules.reader.signals import SIGNALS, SPEAK_FOR


def cases(corpus: str, count: int, seed: int = 1) -> list[Case]:
    """Readings that are right with the probability of their share; every tenth question was not read."""
    draw = random.Random(f"{corpus}{seed}")
    made: list[Case] = []
    for number in range(count):
        share = draw.random()
        signals = {name: draw.random() for name in SIGNALS} | {"share": share, "lead": share}
        read = number % 10 != 0
        made.append(Case(corpus, f"{corpus}-{number}", signals if read else {}, read and draw.random() < share))
    return made


def test_the_signal_that_tells_gets_the_weight_and_unseen_readings_are_ordered_by_it() -> None:
    every = cases("a", 300) + cases("b", 300)
    held = held_out(every)
    assert len(held.cases) == sum(case.read for case in every)
    low, high = (
        np.mean([case.right for case, p in zip(held.cases, held.probabilities, strict=True) if bool(p > 0.5) is side])
        for side in (False, True)
    )
    assert high > low + 0.3
    weights = dict(zip(SIGNALS, fit([case for case in every if case.read], 3.0).weights, strict=True))
    assert weights["share"] + weights["lead"] > 3 * max(abs(weights[n]) for n in SIGNALS if n not in ("share", "lead"))


def test_folds_are_corpora_and_of_one_corpus_parts_of_its_questions() -> None:
    assert set(folds(cases("a", 50) + cases("b", 50))) == {"a", "b"}
    assert len(folds(cases("a", 200))) > 1


def test_a_level_begins_where_enough_are_right_and_equals_are_not_parted() -> None:
    right = [Case("a", f"r{n}", {"share": 1.0, "own": 1.0, "lead": 1.0}, True) for n in range(30)]
    mixed = [Case("a", f"m{n}", {"share": 1.0, "own": 1.0, "lead": 1.0}, n % 4 == 0) for n in range(40)]
    held = Held(right + mixed, np.array([0.9] * 30 + [0.4] * 40), 1.0)
    assert threshold(held, 0.8) == 0.9
    assert threshold(held, 0.5) == 0.4
    assert at_least(held, threshold(held, 0.8), 100).right == 30
    assert threshold(Held(mixed, np.full(40, 0.4), 1.0), 0.8) == 1.0


def test_the_curve_counts_questions_that_were_not_read_in_its_coverage() -> None:
    held = Held([Case("a", f"{n}", {"share": 1.0}, n < 5) for n in range(10)], np.linspace(0.9, 0.1, 10), 1.0)
    points = curve(held, 20)
    assert [point.answered for point in points] == [1, 2, 3, 4, 5, 6, 8, 10]
    assert [point.right for point in points] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert points[-1].coverage == 0.5


@pytest.mark.parametrize(("read", "right"), [(50, 25), (200, 5), (200, 195)])
def test_too_little_is_refused_with_what_there_is(read: int, right: int) -> None:
    made = [Case("a", f"{n}", {"share": 1.0}, n < right) for n in range(read)]
    with pytest.raises(TooFewQuestions, match=f"{read} were read, {right} rightly"):
        check(made)


def test_a_case_is_what_was_read_even_where_it_was_not_said() -> None:
    question = Question(id="q", question="Who?", answers=("Ada",))
    unsaid = Outcome(id="q", asked="", answer="Quotes …", abstained=True, read="Ada", signals={"share": 1.0}, seconds=1)
    wrong = unsaid.model_copy(update={"read": "Bob"})
    nothing = unsaid.model_copy(update={"read": "", "signals": {}})
    found = cases_of("c", [(question, unsaid), (question, wrong), (question, nothing)])
    assert [(case.read, case.right) for case in found] == [(True, True), (True, False), (False, False)]


def test_levels_are_set_by_peoples_questions_where_there_are_enough() -> None:
    asked = [Case("people", f"p{n}", {"share": 1.0}, n % 2 == 0) for n in range(100)]
    made = [Case("made", f"m{n}", {"share": 1.0}, right=True, made=True) for n in range(300)]
    held = Held([*asked, *made], np.full(400, 0.7), 1.0)
    assert threshold(held, 0.8) == 0.7
    assert threshold(by_people(held), 0.8) == 1.0
    few = Held([*asked[:99], *made], np.full(399, 0.7), 1.0)
    assert by_people(few) is few


@pytest.mark.parametrize(("surer", "level"), [(0.5403, 0.55), (0.55, 0.55), (0.5501, 0.56)])
def test_a_level_begins_at_the_next_hundredth(surer: float, level: float) -> None:
    said = {"share": 1.0, "own": 1.0, "lead": 1.0, "named": 1.0, "subject": 1.0, "fit": 1.0}
    right = [Case("a", f"r{n}", said, right=True) for n in range(30)]
    wrong = [Case("a", f"w{n}", said, right=False) for n in range(100)]
    held = Held([*right, *wrong], np.array([surer] * 30 + [0.2] * 100), 1.0)
    assert levels(held) == (level, level)


def test_no_weight_has_a_sign_that_its_signal_cannot_have() -> None:
    read = [case for case in cases("a", 200) if case.read]
    turned = [{**case.signals, "own": 1 - case.signals["share"], "echo": case.signals["share"]} for case in read]
    against = [Case("a", case.question, signals, case.right) for case, signals in zip(read, turned, strict=True)]
    weights = dict(zip(SIGNALS, fit(against, 3.0).weights.tolist(), strict=True))
    assert weights["own"] == weights["echo"] == 0.0
    assert weights["share"] > 0.0
    assert all(weights[name] >= 0.0 for name in SPEAK_FOR)


def test_what_a_way_of_reading_does_not_tell_moves_its_probability_neither_way() -> None:
    model = fit([case for case in cases("a", 200) if case.read], 3.0)
    means = dict(zip(SIGNALS, model.means.tolist(), strict=True))
    known = {name: means[name] for name in SIGNALS if name != "share"}
    told = [Case("a", "q", signals, right=True) for signals in (known, means)]
    without, at_the_mean = model.probabilities(told).tolist()
    assert without == pytest.approx(at_the_mean)
