"""Periods, versions and numbers of names, in the wordings of reports, file names and questions."""

import datetime as dt

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.numbered_names import names_another
from backtrail.language.periods import periods_ended, periods_in, versions_in, without_periods

days = st.dates(dt.date(1950, 1, 1), dt.date(2080, 1, 1))


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("What was Intel's Q1 2023 revenue?", ["2023-Q1"]),
        ("the second fiscal quarter of 2023 and Q2 of FY2024", ["2023-Q2", "2024-Q2"]),
        ("2Q23 results", ["2023-Q2"]),
        ("FY19 against fiscal year 2020", ["2019", "2020"]),
        ("2019 to 2021", ["2019", "2020", "2021"]),
        ("between 2018 and 2020", ["2018", "2020"]),
        ("Q3 2022 to Q1 2023", ["2022-Q3", "2022-Q4", "2023-Q1"]),
        ("8-K dated-2022-07-01", ["2022-07-01"]),
        ("the filing of May 2023", ["2023-05"]),
        ("you may 3 times, 19999 units, 3.2022 per cent, 12345678", []),
    ],
)
def test_periods_of_questions_and_file_names(text, periods):
    assert periods_in(text) == periods


@given(days, st.sampled_from(["en", "de", "fr", "es", "it", "sv"]))
def test_a_day_is_read_in_the_wording_of_its_language(day, language):
    assert periods_in(f"a, {format_date(day, 'long', language)}!") == [day.isoformat()]


@given(days)
def test_a_report_covers_the_quarter_that_ends_near_its_day(day):
    text = f"For the quarterly period ended {day:%B} {day.day}, {day.year}"
    period, ended = periods_ended(text)
    assert ended == day.isoformat()
    first = dt.date(int(period[:4]), int(period[-1]) * 3 - 2, 1)
    assert dt.timedelta(0) <= day - first <= dt.timedelta(days=92 + 7)


def test_a_year_ends_in_its_year():
    assert periods_ended("FORM 10-K for the fiscal year ended January 28, 2023 or") == ["2023", "2023-01-28"]
    assert periods_ended("The war ended May 8, 1945. A year ended badly.") == []


@pytest.mark.parametrize(
    ("text", "stored", "asked"),
    [
        ("Release 0.104.0", ["0.104.0"], ["0.104.0"]),
        ("What is new in 0.104?", [], ["0.104"]),
        ("2.1 Introduction", [], ["2.1"]),
        ("v8blog, 10.000.00.0x, $1.5.2", [], []),
    ],
)
def test_a_plain_number_with_one_dot_is_a_version_in_questions_only(text, stored, asked):
    assert (versions_in(text), versions_in(text, asked=True)) == (stored, asked)


def test_what_is_left_is_the_name():
    assert without_periods("Best Buy Q2 2024 10-Q") == "Best Buy 10-Q"
    assert without_periods("operator-v0.2.0") == "operator"


@pytest.mark.parametrize(
    ("name", "asked", "another"),
    [
        ("Voyager 2", "When was Voyager 1 launched?", True),
        ("Voyager 1 and Voyager 2", "When was Voyager 1 launched?", False),
        ("Release notes of Tool v3.5", "What is new in Tool 3.6?", True),
        ("Rocky III", "Who plays the rival in Rocky II?", True),
        ("Comet 67", "How heavy is the comet?", False),
    ],
)
def test_names_with_another_number(name: str, asked: str, *, another: bool) -> None:
    assert names_another(name, asked) is another
