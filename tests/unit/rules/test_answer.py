"""The reader answers from the evidence, cites it, and says so when it cannot."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.rules.reader.answer import answer
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText, Reading, cites_evidence

FILMS = EvidenceText(
    id="table:films",
    modality="table",
    title="Nonso Anozie",
    section="Television",
    header=["Year", "Title", "Role"],
    rows=[["2007", "Prime Suspect", "Robert"], ["2009", "Occupation", "Lester"], ["2010", "Dunbar", "Noel"]],
    score=0.8,
)
SERIES = EvidenceText(
    id="text:prime",
    modality="text",
    title="Prime Suspect",
    sentences=[
        "Prime Suspect is a British police drama series created by Lynda La Plante.",
        "It stars Helen Mirren as Jane Tennison.",
    ],
    score=0.9,
    parent="table:films",
    parent_row=0,
)
CLUBS = EvidenceText(
    id="table:clubs",
    modality="table",
    title="2018 Northern League",
    section="Stadiums",
    header=["Club", "Stadium", "Capacity", "Founded"],
    rows=[
        ["Alder Town", "Mill Lane", "4,000", "1921"],
        ["Birch Rovers", "Castle Park", "9,566", "1896"],
        ["Cedar City", "Ring Road", "12,100 (all seated)", "1950"],
    ],
    score=0.7,
)
ROVERS = EvidenceText(
    id="text:rovers",
    modality="text",
    title="Birch Rovers",
    sentences=[
        "Birch Rovers are a football club nicknamed the Owls.",
        "The club was formed on 3 May 1896 by dock workers.",
        "Their home colours are white and green.",
    ],
    score=0.6,
    parent="table:clubs",
    parent_row=1,
)
MAP = EvidenceText(
    id="image:map",
    modality="image",
    title="Harbour of Lorne",
    sentences=["Map of the harbour of Lorne, drawn by Mary Slater in 1781."],
    score=0.5,
    has_picture=True,
)
EVERYTHING = [SERIES, FILMS, CLUBS, ROVERS, MAP]


def ask(question: str, evidence: list[EvidenceText] | None = None, known: list[str] | None = None) -> Reading:
    inputs = AnswerInputs(question=question, known=known or [], evidence=EVERYTHING if evidence is None else evidence)
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
        (
            "What are the home colours of Birch Rovers?",
            "white and green",
            [CitedPiece(component="text:rovers", sentence=2), CitedPiece(component="table:clubs", row=1)],
        ),
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
        "Who painted the ceiling of the Sistine Chapel?",
        "How many inhabitants does Ouagadougou have?",
        "",
        "???",
    ],
)
def test_it_abstains_when_the_evidence_is_about_something_else(question: str) -> None:
    reading = ask(question)
    assert not reading.supported
    assert reading.citations == []
    assert reading.confidence == 0.0
    assert reading.text.startswith("I found no supported answer")


def test_an_abstention_names_what_is_missing() -> None:
    assert "Uzbekistan" in ask("When was the embassy of Birch Rovers in Uzbekistan demolished?").text


def test_it_abstains_without_evidence() -> None:
    assert not ask("Who created Prime Suspect?", evidence=[]).supported


def test_yes_or_no_is_not_answered() -> None:
    assert not ask("Was Prime Suspect created by Lynda La Plante?").supported


def test_what_is_said_more_of_is_not_what_is_more() -> None:
    page = EvidenceText(
        id="p", modality="text", title="Sand", sentences=["The Ked sand covers much ground."], score=1.0
    )
    asked = "Which covers more ground, the Ked or the Gobban?"
    reading = answer(AnswerInputs(question=asked, known=[], evidence=[page]))
    assert not reading.supported


@pytest.mark.parametrize(
    ("sentence", "asked", "said"),
    [
        ("On 4 May the gates open at 9:30 am.", "What time do the gates open?", "9:30 am"),
        ("The bill of 3 pages is due on 12/15/2019.", "When is the bill due?", "12/15/2019"),
        ("The bill of 3 pages is due on 15.12.2019.", "When is the bill due?", "15.12.2019"),
    ],
)
def test_times_of_day_and_dates_in_numbers_are_read(sentence: str, asked: str, said: str) -> None:
    page = EvidenceText(id="p", modality="text", title="House", sentences=[sentence], score=1.0)
    assert answer(AnswerInputs(question=asked, known=[], evidence=[page])).short == said


def test_neither_of_two_compared_things_is_chosen() -> None:
    assert not ask("Which club is older, Birch Rovers or Cedar City?").supported


def test_a_title_alone_can_be_cited() -> None:
    bare = EvidenceText(id="image:x", modality="image", title="Portrait of Ada Lovelace", score=1.0)
    reading = ask("Who is shown in the portrait?", evidence=[bare])
    assert reading.text == "Ada Lovelace" or not reading.supported


def test_a_parent_that_was_not_offered_is_not_cited() -> None:
    reading = ask("Who created Prime Suspect?", evidence=[SERIES])
    assert reading.text == "Lynda La Plante"
    assert reading.citations == [CitedPiece(component="text:prime", sentence=0)]


def test_fuller_coverage_gives_more_confidence() -> None:
    sure = ask("Who created the British police drama series Prime Suspect?")
    unsure = ask("Who created the award-winning Prime Suspect theme melody?")
    assert sure.confidence > unsure.confidence


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
    st.one_of(_TEXTS, st.sampled_from(["Which is older, A or B?", "Is it so?", "Who was it by?", "How many?"])),
    st.lists(_TEXTS, max_size=2),
    st.lists(_EVIDENCE, max_size=4, unique_by=lambda item: item.id),
)
def test_any_input_gives_the_same_valid_reading_twice(
    question: str, known: list[str], evidence: list[EvidenceText]
) -> None:
    inputs = AnswerInputs(question=question, known=known, evidence=evidence)
    reading = answer(inputs)
    assert cites_evidence(inputs, reading) == []
    assert reading == answer(inputs)
    assert reading.supported or (reading.citations == [] and reading.text)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="Who when 1896 May , . Ann of the ß漢ﬁ'’“\n|", max_size=80))
def test_any_question_over_real_evidence_gives_a_valid_reading(question: str) -> None:
    ask(question)


def _said(*sentences: str, asked: str, title: str = "Mara Venn") -> str:
    piece = EvidenceText(id="text:one", modality="text", title=title, sentences=list(sentences), score=0.9)
    return answer(AnswerInputs(question=asked, evidence=[piece])).short


def test_the_year_that_a_question_says_is_not_the_one_it_asks_for() -> None:
    told = ("Mara Venn won the Lantern Prize in 2006.", "She died on the road in 2011.")
    assert _said(*told, asked="In what year did Mara Venn, winner of the 2006 Lantern Prize, die?") == "2011"


def test_a_company_is_named_with_its_form() -> None:
    assert _said("It is wholly owned by Lantern plc.", asked="What company owns Mara Venn?") == "Lantern plc"


def test_who_holds_a_record_is_no_time() -> None:
    table = EvidenceText(
        id="table:runs",
        modality="table",
        title="Records of the island",
        header=["Event", "Record", "Athlete"],
        rows=[["100 m", "11.2", "Anna Kolb"], ["3000 m", "11:31.8", "Mara Venn"]],
        score=0.9,
    )
    asked = "What is the name of the actress holds the record of the island in the 3000 m?"
    assert answer(AnswerInputs(question=asked, evidence=[table])).short == "Mara Venn"


@pytest.mark.parametrize("cell", ["1 March 1982", "1982", "127"])
def test_nobody_is_called_by_a_date_or_number(cell: str) -> None:
    table = EvidenceText(
        id="table:landers",
        modality="table",
        title="Landers",
        header=["Lander", "Landed"],
        rows=[["Anvil 12", "3 May 1979"], ["Anvil 13", cell]],
        score=0.9,
    )
    found = answer(AnswerInputs(question="Who was the flight director of the Anvil 13 landing?", evidence=[table]))
    assert cell not in found.short
