"""Words of a question that a piece says, and names that a text says and a question does not."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import names_beyond, new_names, unmet_words

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
