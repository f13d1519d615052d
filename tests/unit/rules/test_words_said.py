"""What words say: those of a question in a piece, names beyond it, and what no citation of an answer contains."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import names_beyond, new_names, unmet_words
from backtrail.rules.citation_check import not_found

COMET = (
    "In July 1994 the fragments of a comet struck Jupiter. The impacts fell just beyond the edge seen from Earth, "
    "but the Galileo craft had them in direct view. The planet is today in the care of Juno."
)
QUESTION = "One craft had a direct view when a comet struck Jupiter. Where did it store its results?"


def _rarity(**documents: int) -> dict[str, float]:
    """Inverse document frequencies in a corpus of 100 components; unnamed terms are said often."""
    terms = content_terms(COMET) | content_terms(QUESTION)
    return {term: math.log(1 + 100 / (1 + documents.get(term, 20))) for term in terms}


def test_the_names_of_the_sentence_that_answers_most_come_first_the_rarest_of_them_before_others() -> None:
    assert new_names(COMET, QUESTION, _rarity(galileo=5, juno=5), 100) == ["Galileo", "Earth", "Juno"]


def test_a_name_that_one_component_alone_says_leads_nowhere() -> None:
    assert "Galileo" not in new_names(COMET, QUESTION, _rarity(galileo=1), 100)
    assert "Galileo" in new_names(COMET, QUESTION, _rarity(galileo=2), 100)


def test_what_a_subtask_pursues_is_the_name_it_adds() -> None:
    assert names_beyond(f"{QUESTION} Galileo", QUESTION) == ["Galileo"]
    assert names_beyond(QUESTION, QUESTION) == []


@given(st.text(max_size=80), st.text(max_size=80))
def test_unmet_words_are_words_of_the_subtask_with_a_term_that_is_not_settled(subtask: str, settled: str) -> None:
    done = content_terms(settled)
    for word in unmet_words(subtask, done).split():
        assert word in subtask.split()
        assert content_terms(word) - done


PIECE = "3,790; 3,655; born in 1939, died in 2015"


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        ("There were 3,790 against 3,655.", "3790 | 3 655", []),
        ("Es waren 28.978,26 € und 3,5 %.", "€28,978.26; 3.5 percent", []),
        ("It cost 1.2 million dollars.", "$1,200,000", []),
        ("It fell on 5 March 2004.", "2004-03-05", []),
        ("It fell in March 2004.", "5 April 2004", ["March"]),
        ("Version 3.6.1 is newest.", "Version 3.6.0", ["3.6.1"]),
        ("It took 14.4 seconds.", "4.4 and 144", ["14.4"]),
        ("1. alpha\n2. beta [7], page 12\n- 9", "alpha beta", ["9"]),
        ("It was painted by Thomas Wood.", "Painter: Jane Wood", ["Thomas Wood"]),
        ("画家是木村。", "它", []),
    ],
)
def test_only_what_no_source_contains_is_missing(text: str, source: str, missing: list[str]) -> None:
    assert not_found(text, [source]) == missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Between 3,655 and 3,790: 135.", []),
        ("99.", ["99"]),
        ("Aged 75 or 76, not 74.", ["74"]),
    ],
)
def test_sums_and_differences_of_two_cited_numbers_count_as_cited(text: str, missing: list[str]) -> None:
    assert not_found(text, [PIECE], [PIECE]) == missing


@given(st.text(), st.text())
def test_an_answer_that_repeats_its_source_misses_nothing(before: str, after: str) -> None:
    assert not_found(f"{before}\n{after}", [f"{before}\n{after}"]) == []


@given(st.integers(0, 10**12))
def test_the_separator_of_thousands_makes_no_difference(number: int) -> None:
    for written in (f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}".replace(",", "\u202f"), str(number)):
        assert not_found(f"There are {written} of them", [f"{number:,} of them"]) == []
        assert not_found(f"There are {number} of them", [f"{written} of them"]) == []
