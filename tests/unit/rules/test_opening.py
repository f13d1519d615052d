"""The first sentence of a page answers what it says in other words, or in none: birth, death, area."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.asked.opening import Lifetime, lifetime, opens
from backtrail.rules.reader.measures import dimension, dimensions_asked
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

SINGER = EvidenceText(
    id="p", modality="text", title="Mei Lan (singer)", score=1.0,
    sentences=[
        "Mei Lan Fong ( ; 10 October 1963 - 30 December 2003 ) was a Northport singer .",
        "Her album Shangrila sold well in 1995 .",
    ],
)  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "dates"),
    [
        ("Ann Lee (born 9 May 1989) is an English footballer.", ("born 9 May 1989", "")),
        ("Ann Lee (January 14, 1846 – April 13, 1933) was a politician.", ("January 14, 1846", "April 13, 1933")),
        ("Ann Lee (1527-1608) was an occultist.", ("1527", "1608")),
        ("Ann Lee (died 1208) was a nun.", ("", "died 1208")),
        ("Ann Lee (FK Baku) was a player (born 1990).", ("", "")),
    ],
)
def test_brackets_tell_birth_and_death(sentence: str, dates: tuple[str, str]) -> None:
    assert lifetime(sentence) == dates


def test_a_date_of_birth_is_none_of_death() -> None:
    opening = pieces([SINGER])[0]
    died = Lifetime(analyse("When did the singer of Shangrila die?"))
    assert (died.of(opening, "30 December 2003"), died.of(opening, "10 October 1963")) == (1.0, -1.0)
    assert Lifetime(analyse("When was Shangrila sung?")).of(opening, "30 December 2003") == 0.0


@pytest.mark.parametrize(("noun", "said"), [("death", "30 December 2003"), ("birth", "10 October 1963")])
def test_what_nothing_says_in_words_is_read_in_the_opening(noun: str, said: str) -> None:
    question = f"What is the {noun} date of the singer whose album Shangrila sold well in 1995?"
    assert answer(AnswerInputs(question=question, evidence=[SINGER])).text == said


def test_only_a_first_sentence_that_says_what_its_page_is_about_opens_it() -> None:
    elsewhere = SINGER.model_copy(update={"title": "Northport"})
    bare = SINGER.model_copy(update={"sentences": ["Mei Lan sold many albums.", "Mei Lan was a singer."]})
    assert [opens(piece) for piece in pieces([SINGER, elsewhere, bare])] == [True, *[False] * 5]


def test_square_kilometres_are_an_area() -> None:
    assert dimension("105 square kilometres") == "area"
    assert dimensions_asked("How many square kilometres is the country?") == {"area"}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What metropolitan statistical area is home to most people?", "place"),
        ("What is the surface area of the nation?", "number"),
        ("What is the military rank of the upcomer?", "entity"),
        ("What is the rank of the song?", "number"),
        ("What Argentinian province means currents or streams?", "place"),
        ("What are the notes regarding the density of the nucleus?", "entity"),
    ],
)
def test_an_area_or_a_rank_may_be_named_and_not_measured(question: str, kind: str) -> None:
    assert analyse(question).kind == kind
