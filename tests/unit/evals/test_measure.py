"""The measurement of a checkout: what it says beside a baseline, and what it says where a corpus is missing."""

from pathlib import Path
from typing import Any

import pytest
from measure import __main__ as command
from measure.comparison import compare
from measure.measured import Measured, Table, read_measured
from measure.report import report

IDS = [f"q{number}" for number in range(60)]


def run(measure: str, scores: list[float | None]) -> Measured:
    held = Table(ids=IDS)
    held.add("fif", measure, scores)
    return Measured(made={"commit": "abc"}, tables={"towns": held})


def shares(high: int) -> list[float | None]:
    return [1.0] * high + [0.0] * (60 - high)


@pytest.mark.parametrize(
    ("measure", "before", "now", "verdict", "difference"),
    [
        ("Hit@10", shares(30), shares(30), "same", 0.0),
        ("Hit@10", shares(30), shares(45), "better", 0.25),
        ("Hit@10", shares(30), shares(31), "within", 1 / 60),
        ("Wrong", shares(30), shares(45), "worse", 0.25),
        ("Failed", shares(0), shares(1), "worse", 1 / 60),
        ("Abstained", shares(30), shares(45), "more", 0.25),
        # One question lost, another found: the means agree, the questions do not.
        ("Hit@10", [1.0, 0.0] + [1.0] * 58, [0.0, 1.0] + [1.0] * 58, "within", 0.0),
        # Precision of those answered: 10 of 20 before, 20 of 20 now, of which ten are other questions.
        ("Right at high", [1.0] * 10 + [0.0] * 10 + [None] * 40, [1.0] * 10 + [None] * 40 + [1.0] * 10, "better", 0.5),
    ],
)
def test_questions_are_compared_singly(measure: str, before: Any, now: Any, verdict: str, difference: float) -> None:
    (row,) = compare(run(measure, now), run(measure, before))
    assert (row.verdict, row.difference) == (verdict, pytest.approx(difference))
    if row.low is not None and row.high is not None:
        assert row.low <= difference <= row.high
        assert (row.low <= 0 <= row.high) == (verdict == "within")


def test_what_only_one_run_has_is_told_from_what_was_skipped() -> None:
    before = run("Hit@10", shares(30))
    before.tables["towns"].add("bm25", "Hit@10", shares(20))
    before.tables["rivers"] = before.tables["towns"].model_copy()
    before.numbers = {"words": {"documentation": 100.0}, "times": {"hop": 1.2}}
    now = run("Hit@10", shares(30))
    now.tables["towns"].add("dense", "Hit@10", shares(20))
    now.numbers = {"words": {"documentation": 90.0}}
    verdicts = {(row.table, row.method, row.measure): row.verdict for row in compare(now, before)}
    assert verdicts == {
        ("towns", "fif", "Hit@10"): "same",
        ("towns", "bm25", "Hit@10"): "gone",
        ("towns", "dense", "Hit@10"): "new",
        ("rivers", "fif", "Hit@10"): "skipped",
        ("rivers", "bm25", "Hit@10"): "skipped",
        ("words", "", "documentation"): "less",
        ("times", "", "hop"): "skipped",
    }


def test_a_run_that_skipped_what_the_baseline_has_is_no_baseline(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "BASELINE", tmp_path / "baseline.json")
    whole = run("Hit@10", shares(30))
    command.store(whole, None)
    lacking = Measured(skipped={"towns": "there is no such folder"})
    with pytest.raises(SystemExit, match="towns"):
        command.store(lacking, whole)
    assert read_measured(tmp_path / "baseline.json") == whole
    assert "**SKIPPED**" in report(lacking, None, [])
    assert "| fif | 50.0 |" in (tmp_path / "baseline.md").read_text()
