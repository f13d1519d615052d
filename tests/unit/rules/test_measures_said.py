"""Dates, times of day, frequencies and measures are read as people write them, and fragments as questions."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.language.spans import spans
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.measures import dimension, measures
from backtrail.rules.reader.phrases import conditions, frequencies
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.offline.extract import ExtractInputs


def _read(question: str, *sentences: str) -> str:
    item = EvidenceText(
        id="Orrin#1", modality="text", title="Orrin", section="Lock", sentences=list(sentences), score=1.0,
        page="Orrin", order=1, nearness=[0.5] * len(sentences),
    )  # fmt: skip
    return read_out(ExtractInputs(question=question, evidence=[item])).reading.text


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("Due: 12/15/2019, or 15.12.2019, or 2019/12/15.", "date", ["12/15/2019", "15.12.2019", "2019/12/15"]),
        ("On October 31st and on the 3rd of May 2020.", "date", ["October 31st", "3rd of May 2020"]),
        ("It closes on November 19th at 5:00 p.m. sharp.", "date", ["November 19th at 5:00 p.m."]),
        ("Open from 8:45 am to 5pm.", "number", []),
        ("A 7-calendar-day wait and a 6-week leave.", "number", ["7-calendar-day", "6-week"]),
        ("At least 10+ years, at 12V and 20 knots.", "number", ["10+ years", "12V", "20 knots"]),
        ("Version 1.2.3 came before 2.5.2020.1.", "date", []),
    ],
)
def test_spans_of_dates_and_measures(text: str, kind: str, found: list[str]) -> None:
    assert [span.text for span in spans(text, phrases=False) if span.kind == kind] == found


@pytest.mark.parametrize(
    ("text", "of"),
    [("9 a.m.", "clock"), ("6A", "current"), ("12V", "voltage"), ("2 cups", "volume"), ("20 knots", "speed")],
)
def test_dimensions_of_measures(text: str, of: str) -> None:
    assert dimension(text) == of


def test_a_time_of_day_is_no_duration() -> None:
    assert not measures("9 a.m.", frozenset(("time", "length")))


def test_how_often_is_said_in_words() -> None:
    found = [
        match.group() for match in frequencies("Checked monthly, twice a year and every 15 minutes, not every time.")
    ]
    assert found == ["monthly", "twice a year", "every 15 minutes"]
    assert (
        _read("How often is the lock of Orrin checked?", "The lock of Orrin is checked annually by two divers.")
        == "annually"
    )


def test_an_occasion_is_a_day_and_not_every_team() -> None:
    assert [match["said"] for match in conditions("It is due on the first Friday of May for every team.")] == [
        "on the first Friday of May for every team"
    ]
    assert not conditions("It is due for every team.")


def test_a_length_is_told_in_characters() -> None:
    told = "The name of a lock gate of Orrin may have under 120 characters."
    assert _read("How long may the name of a lock gate of Orrin be?", told) == "under 120 characters"


@pytest.mark.parametrize(
    ("question", "kind", "heads"),
    [
        ("product code of the blue pump at Orrin", "entity", {"code"}),
        ("most boats in the lock?", "number", set()),
        ("whats the maximum depth at Orrin?", "number", {"depth"}),
        ("What time does the lock open?", "time", {"time"}),
        ("The pump failed in 2019.", "unknown", set()),
        ("Name the captain of the pilot boat", "unknown", set()),
        ("Tell me about it", "unknown", set()),
    ],
)  # fmt: skip
def test_fragments_are_read_as_questions(question: str, kind: str, heads: set[str]) -> None:
    shape = analyse(question)
    assert (shape.kind, shape.heads) == (kind, heads)


def test_one_thing_is_not_answered_by_a_list() -> None:
    told = ("Let us see how the pump of Orrin picks a valve:", "You press a button.", "The pump waits.")
    asked = "Which rule does the pump of Orrin use to pick a valve?"
    assert _read(asked, *told, "To pick a valve the pump of Orrin uses a rule called firstfit.") != "; ".join(told[1:])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bake it at 350°F, then 165° F.", ["350°F", "165° F"]),
        ("It has 200 degrees Celsius.", ["200 degrees Celsius"]),
        ("Add 1 1/2 cups and 1/2 teaspoon.", ["1 1/2 cups", "1/2 teaspoon"]),
    ],
)
def test_degrees_and_fractions_are_whole(text: str, found: list[str]) -> None:
    assert [span.text for span in spans(text, phrases=False) if span.kind == "number"] == found


def test_a_share_and_how_hot_are_numbers() -> None:
    assert analyse("What share of the votes is needed?").kind == "number"
    assert _read("How hot is the water of the lock of Orrin?", "The water of the lock of Orrin is at 12°C.") == "12°C"
