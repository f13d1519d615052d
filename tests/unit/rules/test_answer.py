"""The reader answers from the evidence in short, cites it, and says so when it cannot."""

import pytest
from fixtures.pieces import table_piece, text_piece
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.language.short_answers import short_form
from backtrail.language.table_rows import row_sentence
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.extract import extract_answer
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText, Reading, cites_evidence

FILMS = table_piece(
    "table:films", "Nonso Anozie", "Year | Title | Role",
    "2007 | Prime Suspect | Robert", "2009 | Occupation | Lester", "2010 | Dunbar | Noel",
    section="Television", score=0.8,
)  # fmt: skip
SERIES = text_piece(
    "text:prime", "Prime Suspect", "Prime Suspect is a British police drama series created by Lynda La Plante.",
    "It stars Helen Mirren as Jane Tennison.", score=0.9, parent="table:films", parent_row=0,
)  # fmt: skip
CLUBS = table_piece(
    "table:clubs", "2018 Northern League", "Club | Stadium | Capacity | Founded",
    "Alder Town | Mill Lane | 4,000 | 1921", "Birch Rovers | Castle Park | 9,566 | 1896",
    "Cedar City | Ring Road | 12,100 (all seated) | 1950",
    section="Stadiums", score=0.7,
)  # fmt: skip
ROVERS = text_piece(
    "text:rovers", "Birch Rovers", "Birch Rovers are a football club nicknamed the Owls.",
    "The club was formed on 3 May 1896 by dock workers.", "Their home colours are white and green.",
    score=0.6, parent="table:clubs", parent_row=1,
)  # fmt: skip
MAP = text_piece(
    "image:map", "Harbour of Lorne", "Map of the harbour of Lorne, drawn by Mary Slater in 1781.",
    modality="image", score=0.5, has_picture=True,
)  # fmt: skip
EVERYTHING = [SERIES, FILMS, CLUBS, ROVERS, MAP]


def ask(question: str, *evidence: EvidenceText) -> Reading:
    inputs = AnswerInputs(question=question, evidence=[*(evidence or EVERYTHING)])
    reading = answer(inputs)
    assert cites_evidence(inputs, reading) == []
    return reading


@pytest.mark.parametrize(
    ("question", "expected", "cited"),
    [
        (
            "Who created the series in which the character of Robert, played by Nonso Anozie, appeared?",
            "Lynda La Plante",
            [CitedPiece(component="text:prime", sentence=0), CitedPiece(component="table:films", row=0)],
        ),
        (
            "When was the Northern League club with a capacity of 9,566 founded?",
            "3 May 1896",
            [CitedPiece(component="text:rovers", sentence=1), CitedPiece(component="table:clubs", row=1)],
        ),
        (
            "Which club in the 2018 Northern League has the stadium Ring Road?",
            "Cedar City",
            [CitedPiece(component="table:clubs", row=2)],
        ),
        ("Who drew the map of the harbour of Lorne?", "Mary Slater", [CitedPiece(component="image:map", sentence=0)]),
    ],
)
def test_answers_with_the_place_they_rest_on(question: str, expected: str, cited: list[CitedPiece]) -> None:
    reading = ask(question)
    assert (reading.text, reading.supported) == (expected, True)
    assert reading.citations == cited
    assert reading.confidence > 0.0


@pytest.mark.parametrize(
    "question",
    [
        "Which volcano erupted near the capital of Iceland in 1783?",
        "How many inhabitants does Ouagadougou have?",
        "",
    ],
)
def test_it_abstains_from_what_is_not_said_or_has_to_be_judged(question: str) -> None:
    reading = ask(question)
    assert not reading.supported
    assert reading.citations == []
    assert reading.confidence == 0.0
    assert reading.text.startswith("I found no supported answer")


def test_an_abstention_names_what_is_missing() -> None:
    assert "Uzbekistan" in ask("When was the embassy of Birch Rovers in Uzbekistan demolished?").text
    assert not answer(AnswerInputs(question="Who created Prime Suspect?", evidence=[])).supported


def test_a_parent_that_was_not_offered_is_not_cited() -> None:
    reading = ask("Who created Prime Suspect?", SERIES)
    assert reading.text == "Lynda La Plante"
    assert reading.citations == [CitedPiece(component="text:prime", sentence=0)]


VENN = text_piece("p", "Mara Venn", "Mara Venn won the Lantern Prize in 2006.", "She died on the road in 2011.")


@pytest.mark.parametrize(
    ("page", "asked", "said"),
    [
        (text_piece("p", "House", "On 4 May the gates open at 9:30 am."), "What time do the gates open?", "9:30 am"),
        (text_piece("p", "House", "The bill of 3 pages is due on 12/15/2019."), "When is the bill due?", "12/15/2019"),
        (VENN, "In what year did Mara Venn, winner of the 2006 Lantern Prize, die?", "2011"),
    ],
)
def test_times_dates_and_names_are_read_whole(page: EvidenceText, asked: str, said: str) -> None:
    assert ask(asked, page).short == said


CAPITALS = text_piece("c", "Nevada", "Nevada is a state.", "The capital of Nevada is Carson City.")
CAPITAL = "Question: What is the capital of Nevada?\nContext: N/A\nOptions: (A) Las Vegas (B) Carson City (C) Reno"


def test_of_options_the_one_that_the_evidence_names_is_given_and_none_is_guessed() -> None:
    reading = extract_answer(AnswerInputs(question=CAPITAL, evidence=[CAPITALS]))
    assert (reading.text, reading.citations) == ("(B) Carson City", [CitedPiece(component="c", sentence=1)])
    assert not extract_answer(AnswerInputs(question=CAPITAL, evidence=[ROVERS])).supported


_TEXTS = st.text(max_size=60)
_EVIDENCE = st.builds(
    EvidenceText,
    id=st.sampled_from(["a", "b", "c"]),
    modality=st.sampled_from(["text", "table", "image"]),
    title=_TEXTS,
    section=_TEXTS,
    sentences=st.lists(_TEXTS, max_size=3),
    header=st.lists(_TEXTS, max_size=3),
    rows=st.lists(st.lists(_TEXTS, max_size=4), max_size=3),
    score=st.floats(allow_nan=False, allow_infinity=False, width=32),
    parent=st.sampled_from([None, "a", "b", "absent"]),
    parent_row=st.sampled_from([None, 0, 2, 99, -1]),
)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        _TEXTS,
        st.text(alphabet="Who when 1896 May , . Ann of the ß漢ﬁ'’“\n|", max_size=80),
        st.sampled_from(["Which is older, A or B?", "Is it so?", "Who was it by?", "How many?"]),
    ),
    st.lists(_TEXTS, max_size=2),
    st.lists(_EVIDENCE, max_size=4, unique_by=lambda item: item.id) | st.just(EVERYTHING),
)
def test_any_input_gives_one_valid_reading(question: str, known: list[str], evidence: list[EvidenceText]) -> None:
    inputs = AnswerInputs(question=question, known=known, evidence=evidence)
    reading = answer(inputs)
    assert cites_evidence(inputs, reading) == []
    assert reading == answer(inputs)
    assert reading.supported or (reading.citations == [] and reading.text)


@pytest.mark.parametrize(
    ("header", "cells", "said"),
    [
        (("Name", "Opened"), ("Urania", "1909"), "Name is Urania; Opened is 1909"),
        (("Name", "Opened"), ("Urania", ""), "Name is Urania"),
        (("State", "", "", ""), ("Iowa", "2", "2", "0"), "State is Iowa; 2; 2; 0"),
        (("", "", ""), ("7", "3", "7"), "7; 3; 7"),
        (("Score", "Score"), ("3", "3"), "Score is 3"),
        (("Name",), ("Urania", "1909"), "Name is Urania; 1909"),
    ],
)
def test_values_keep_their_columns(header: tuple[str, ...], cells: tuple[str, ...], said: str) -> None:
    assert row_sentence("", header, cells) == said
    assert row_sentence("Bridges", header, cells) == f"Bridges: {said}"


@pytest.mark.parametrize(
    ("short", "text", "expected"),
    [
        ("1998", "The club moved in 1998.", "1998"),
        ("", "1998. The club moved to the Ondra Ground in that year.", "1998"),
        ("", "St. Louis. It lies on the river.", "St. Louis"),
        ("", "U.S. The form is common.", "U.S."),
        ("", "1998年。俱乐部搬到那里。", "1998年"),
    ],
)
def test_the_answer_alone(short: str, text: str, expected: str) -> None:
    assert short_form(short, text) == expected


def test_a_long_first_sentence_is_bounded() -> None:
    assert len(short_form("", "word " * 1000)) <= 600
