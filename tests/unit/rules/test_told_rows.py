"""Which row is meant, and what in it: words that stand together, cells said in full, the whole of what is asked for."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.language.spans import Span, spans
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.asked.groups import Groups
from backtrail.rules.reader.asked.relation import asked_phrase
from backtrail.rules.reader.asked.word_pairs import pairs
from backtrail.rules.reader.candidates import measurable
from backtrail.rules.reader.support import pieces, rarities
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

TABLE = EvidenceText(
    id="t", modality="table", title="2004 Aarland Grand Prix", score=1.0,
    header=["Pos", "Driver", "Race team", "Club team"],
    rows=[
        ["1", "Olav Berg", "Norvik", "Lions"], ["4", "Marco Sala", "Ferrum", "Bears"],
        ["14", "Luca Riva", "Lotta", "Wolves"],
    ],
)  # fmt: skip


def page(name: str, row: int, *sentences: str) -> EvidenceText:
    """The page that a row leads to."""
    return EvidenceText(
        id=f"p{row}", modality="text", title=name, sentences=list(sentences), parent="t", parent_row=row, score=0.9
    )


def signals(question: str, evidence: list[EvidenceText], place: int, text: str) -> dict[str, float]:
    """Of a candidate with this text in the piece of this number."""
    listed = pieces(evidence)
    return Groups(listed, analyse(question), rarities(listed)).of(listed[place], text)


def test_words_that_stand_together_tell_two_dates_with_the_same_day_and_year_apart() -> None:
    evidence = [
        TABLE,
        page("Olav Berg", 0, "Olav Berg (born 15 May 1981) won in December."),
        page("Marco Sala", 1, "Marco Sala was born on 15 December 1981."),
    ]
    question = "Which team did the driver born on 15 December 1981 race for?"
    told, other = (signals(question, evidence, row, TABLE.rows[row][2]) for row in (1, 0))
    assert told["pairs_lead"] > 0.0 > other["pairs_lead"]
    assert told["pairs_group"] > other["pairs_group"]
    assert told["pairs_own"] == 0.0  # the page says it, not the row


def test_pairs_skip_function_words() -> None:
    assert pairs("the coach of the team") == pairs("coach team")
    assert len(pairs("15 December 1981")) == 3


def test_a_cell_that_is_said_is_its_whole_text_and_not_part_of_another() -> None:
    rows = [
        signals("Which driver finished in pos 4 of the 2004 Aarland Grand Prix?", [TABLE], row, "x") for row in range(3)
    ]
    assert [one["cells_whole"] > 0.0 for one in rows] == [False, True, False]
    assert rows[1]["cells_headed_lead"] > 0.0 > rows[2]["cells_headed_lead"]


@pytest.mark.parametrize("said", ["fourth", "4th"])
def test_a_place_is_said_by_its_ordinal_where_its_header_is_said(said: str) -> None:
    named = f"Which driver took the {said} pos of the 2004 Aarland Grand Prix?"
    unnamed = f"Which driver of the {said} street won the 2004 Aarland Grand Prix?"
    assert signals(named, [TABLE], 1, "Marco Sala")["cells_headed"] > 0.0
    assert signals(unnamed, [TABLE], 1, "Marco Sala")["cells_whole"] == 0.0


def test_of_two_columns_with_the_same_head_the_one_that_says_all_of_the_phrase_is_asked() -> None:
    question = "Which race team did Marco Sala drive for?"
    assert asked_phrase(analyse(question)) == analyse("race team").terms
    race, club = (signals(question, [TABLE], 1, text) for text in ("Ferrum", "Bears"))
    assert race["phrase_lead"] > 0.0 > club["phrase_lead"]
    assert race["column_head"] == club["column_head"] == 1.0


def test_a_name_that_something_is_known_by_is_told_by_the_word_before_it() -> None:
    evidence = [TABLE, page("Marco Sala", 1, "Marco Sala, nicknamed the Bear, drives for Ferrum.")]
    asked, unasked = (
        signals(question, evidence, 3, "the Bear")
        for question in ("What is the nickname of Marco Sala?", "Who drives for Ferrum?")
    )
    assert (asked["name_told"], unasked["name_told"], unasked["name_unasked"]) == (1.0, 0.0, 1.0)
    assert signals("What is the nickname of Marco Sala?", evidence, 3, "Marco Sala")["name_title"] == 1.0


def test_what_stands_near_the_verb_that_is_asked_is_nearer_than_the_rest_of_its_sentence() -> None:
    sentence = "Marco Sala (born in Genoa, in Italy) is coached by Piero Neri."
    evidence = [TABLE, page("Marco Sala", 1, sentence)]
    coach, town = (signals("Who coached the driver of Ferrum?", evidence, 3, text) for text in ("Piero Neri", "Genoa"))
    assert coach["near_verb"] > town["near_verb"]
    assert (coach["bracketed"], town["bracketed"]) == (0.0, 1.0)
    assert coach["verb_root"] > 0.0


@pytest.mark.parametrize(
    ("sentence", "found", "never"),
    [
        ("As of 2018 the Swiss Guard was ranked 7th.", ("7th", "Swiss Guard"), ("7", "of 2018 the Swiss Guard")),
        ("It was made on a budget of ₹220 million.", ("₹220 million",), ("220 million",)),
        ("In the 1960s and 1970s the town grew.", (), ("the 1960", "1960")),
    ],
)  # fmt: skip
def test_numbers_keep_their_ending_and_their_sign(
    sentence: str, found: tuple[str, ...], never: tuple[str, ...]
) -> None:
    told = {span.text for span in spans(sentence, phrases=False)}
    assert told >= set(found)
    assert not told & set(never)


def test_a_ratio_is_no_answer_to_how_many_times() -> None:
    evidence = [
        EvidenceText(
            id="a", modality="text", title="Rosetta", score=1.0,
            sentences=["Rosetta found three times as much heavy hydrogen as on Earth.", "It passed Earth four times."],
        ),
    ]  # fmt: skip
    assert (
        answer(AnswerInputs(question="How many times did Rosetta pass Earth?", evidence=evidence)).text == "four times"
    )
    assert not measurable(Span("three times", "number", 0, 11), frozenset(("times",)), " as much as before")
    assert measurable(Span("three times", "number", 0, 11), frozenset(("times",)), " by Earth")
