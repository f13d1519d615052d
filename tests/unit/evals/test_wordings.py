"""Answers in a sentence, numbers inside others, lists of answers, and quotes whatever their markup."""

from typing import Any

import pytest
from fixtures.outcomes import replied
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.outcome import Outcome, failed_outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorers.correctness import contains_wording, is_right, right, wrong
from backtrail.evals.scorers.list_answers import list_exact_match, list_f1, spans_of
from backtrail.evals.visible_text import holds, visible


@pytest.mark.parametrize(
    ("answer", "wording"),
    [
        ("It was 4.4 MB, down from 8.2.", "4.4 MB"),
        ("Raise `--bump-revision` first.", "--bump-revision"),
        ("28.978,26 €", "28.978,26 €"),
        ("v3.5.20; v3.5.24", "3.5.20"),
        ("set with [E=no-gzip:1]", "[E="),
        ("one is worth $120.00.", "120"),
    ],
)
def test_a_wording_is_found_in_a_sentence(answer: str, wording: str) -> None:
    assert contains_wording(answer, wording)


@pytest.mark.parametrize(
    ("answer", "wording"),
    [
        ("14.4 MB", "4.4"),
        ("nobody", "no"),
        ("x", " "),
        ("v13.5", "3.5"),
        ("$120.05", "120"),
    ],
)
def test_a_part_of_a_word_or_number_is_no_wording(answer: str, wording: str) -> None:
    assert not contains_wording(answer, wording)


@pytest.mark.parametrize(
    ("answer", "gold", "is_it"),
    [("Winston Series", "the Winston Series", 1.0), ("Who", "The Who", 1.0), ("It knows who sang.", "The Who", 0.0)],
)
def test_an_article_of_the_gold_need_not_be_said(answer: str, gold: str, is_it: float) -> None:
    assert right()(Question(id="q", question="?", answers=(gold,)), replied(answer)) == is_it


def test_a_full_answer_has_one_wording_of_each_part() -> None:
    question = Question(id="q", question="?", answers=("two and one",), parts=(("2", "two"), ("1", "one")))
    assert is_right(question, replied("It needs 2 and has only one."))
    assert not is_right(question, replied("It needs 2."))
    assert not is_right(question, replied("It needs 2 and has one.", abstained=True))


def test_each_answer_is_right_wrong_or_withheld() -> None:
    asked, open_ = Question(id="q", question="?", answers=("Ada",)), Question(id="r", question="?")
    outcomes = [replied("Ada Lovelace"), replied("Bob"), replied("", abstained=True)]
    assert [(right()(asked, one), wrong()(asked, one)) for one in outcomes] == [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]
    assert [(right()(open_, one), wrong()(open_, one)) for one in outcomes] == [(0.0, 1.0), (0.0, 1.0), (0.0, 0.0)]
    failed = failed_outcome("q", "", RuntimeError("boom"), 0.5)
    assert (right()(asked, failed), wrong()(asked, failed)) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("answer", "spans"),
    [
        ("Taipei, Lodz and Rome", ["Taipei", "Lodz", "Rome"]),
        ("Taipei, and Lodz", ["Taipei", "Lodz"]),
        ("Finland", ["Finland"]),
    ],
)
def test_an_answer_in_one_text_is_split_where_a_list_was_asked_for(answer: str, spans: list[str]) -> None:
    assert spans_of(answer, ["x", "y"]) == spans
    assert spans_of(answer, ["x"]) == [answer], "a single answer may hold a comma"


def scored(answer: str, *, abstained: bool = False, **tags: Any) -> tuple[float | None, float | None]:
    question = Question(id="q", question="?", answers=("Taipei, Lodz",), tags=tags)
    outcome = Outcome(id="q", fingerprint="", answer=answer, abstained=abstained, seconds=1.0)
    return list_exact_match()(question, outcome), list_f1()(question, outcome)


def test_the_tag_holds_the_list_and_the_answer_stands_in_for_it() -> None:
    assert scored("Lodz and Taipei", answer_list=["Taipei", "Lodz"]) == (1.0, 1.0)
    assert scored("Taipei, Lodz") == (1.0, 1.0)
    assert scored("Lodz and Taipei", answer_list=["Taipei", "Lodz"], abstained=True) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Run **`etcdutl snapshot restore`** .", "Run etcdutl snapshot restore."),
        ("see [the guide](../guide.md#top) first", "see the guide first"),
        ("Titan {#titan .moon} is a moon", "Titan is a moon"),
        ("a <b>bold</b><!-- hidden --> word &amp; more", "a bold word & more"),
        ("wal\\_fsync is _slow_", "wal_fsync is slow"),
    ],
)
def test_markup_and_space_make_no_difference(text: str, quote: str) -> None:
    assert holds(quote, [f"Before. {text} After."])


@pytest.mark.parametrize("quote", ["the pump fails", "Pump | 30", "the pump"])
def test_what_is_not_said_is_not_found(quote: str) -> None:
    assert not holds(quote, ["A pump may fail."], [["Pump", "13", "30 l"]])


@pytest.mark.parametrize(
    "row",
    [
        ["Iowa", "", "30.92 - 31.92", "31.94"],
        ["", "Iowa | 30.92 - 31.92", "31.94"],
    ],
)
def test_a_row_is_found_without_its_empty_cells_and_with_spans(row: list[str]) -> None:
    assert holds("Iowa | 30.92 - 31.92 | 31.94", [], [["State", "a", "b"], row])


@pytest.mark.parametrize(
    "text", ["| Iowa | **30.92** | 31.94 |", "Iowa,30.92,31.94", "Iowa\t30.92\t31.94", "Iowa 30.92 31.94"]
)
def test_any_separator_of_cells_will_do(text: str) -> None:
    assert holds("Iowa | 30.92 | 31.94", [text])


def test_cells_of_different_rows_are_no_row() -> None:
    assert not holds("Iowa | 31.94", [], [["Ohio", "Iowa"], ["31.94", "2"]])


def test_links_are_told_from_brackets_in_code() -> None:
    assert visible("[E=VAR:VAL] [E=!VAR] array[0](x)") == "[E=VAR:VAL][E=!VAR]array0"


@given(st.text(max_size=60))
def test_a_text_holds_itself(text: str) -> None:
    if visible(text):
        assert holds(text.replace(" | ", " "), [f"… {text.replace(' | ', ' ')} …"]) or "<" in text or "{" in text
