"""Tables of labelled entries, the clues that say which table is meant, and what a number measures."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse, asking_clause
from backtrail.language.spans import spans
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.clues import Clues, names_of
from backtrail.rules.reader.labels import is_labelled
from backtrail.rules.reader.measures import measure, measures_asked
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText, Reading, cites_evidence


def glance(name: str, *rows: list[str], header: list[str] | None = None) -> EvidenceText:
    return EvidenceText(
        id=f"{name}#table",
        modality="table",
        title=name,
        section=f"{name} at a glance",
        header=header or ["Item", "Entry"],
        rows=[*rows],
        score=0.5,
    )


HERON = glance(
    "Heron",
    ["Launched", "4 May 1911, Lisbon"],
    ["Carrier ship", "Steam Ship Argo and two tugs"],
    ["Power", "three oil engines"],
    ["End of voyage", "9 June 1913"],
)
EGRET = glance("Egret", ["Launched", "1 March 1920"], ["Carrier ship", "Bolide"], ["End of voyage", "still at sea"])
TWINS = glance(
    "The twins",
    ["Launched", "June 1930", "July 1931"],
    ["Last signal", "23 May 1944", "November 1939"],
    header=["Item", "Plover 1", "Plover 2"],
)
REEF = EvidenceText(
    id="reef#p1",
    modality="text",
    title="Reefs",
    sentences=["A coral reef of rare depth lies off Madeira.", "The diving bell Heron measured its height in 1912."],
    score=0.6,
)
WRECK = EvidenceText(
    id="wreck#p1",
    modality="text",
    title="Wrecks",
    sentences=["Plover 1 carried the first brass plate below the ice."],
    score=0.6,
)
SAMPLES = EvidenceText(
    id="samples#table",
    modality="table",
    title="Samples",
    header=["Vessel", "Source", "Amount"],
    rows=[["Egret", "Dana Bank", "7.25 g"], ["Heron", "Calypso Rise", "121.6 g"]],
    score=0.4,
)
RISE = EvidenceText(
    id="rise#p1",
    modality="text",
    title="Sea floor",
    sentences=["Calypso Rise was found by a nine-year-old boy, who proposed its name."],
    score=0.4,
)
SHIELD = EvidenceText(
    id="shield#p1",
    modality="text",
    title="Heron",
    sentences=["Pressure meets a front sheet of brass, and the rear sheet of Kevlar holds the bell."],
    score=0.4,
)
EVERYTHING = [REEF, WRECK, HERON, EGRET, TWINS, SAMPLES, RISE, SHIELD]


def ask(question: str, *evidence: EvidenceText) -> Reading:
    inputs = AnswerInputs(question=question, evidence=[*evidence] or EVERYTHING)
    reading = answer(inputs)
    assert cites_evidence(inputs, reading) == []
    return reading


@pytest.mark.parametrize(
    ("question", "expected", "cited"),
    [
        (
            "When was the bell launched that measured the coral reef off Madeira?",
            "4 May 1911",
            [CitedPiece(component="Heron#table", row=0), CitedPiece(component="reef#p1")],
        ),
        (
            "Which steam ship carried the bell that measured the coral reef off Madeira?",
            "Steam Ship Argo",
            [CitedPiece(component="Heron#table", row=1), CitedPiece(component="reef#p1")],
        ),
        (
            "How is the bell powered that measured the coral reef off Madeira?",
            "three oil engines",
            [CitedPiece(component="Heron#table", row=2), CitedPiece(component="reef#p1")],
        ),
        (
            "On which day did the voyage end that measured the coral reef off Madeira?",
            "9 June 1913",
            [CitedPiece(component="Heron#table", row=3), CitedPiece(component="reef#p1")],
        ),
        (
            "When was the last signal received from the bell that carried the first brass plate below the ice?",
            "23 May 1944",
            [CitedPiece(component="The twins#table", row=1), CitedPiece(component="wreck#p1")],
        ),
    ],
)
def test_the_entry_asked_for_of_the_thing_described(question: str, expected: str, cited: list[CitedPiece]) -> None:
    reading = ask(question)
    assert (reading.text, reading.supported) == (expected, True)
    assert reading.citations == cited


def test_an_entry_of_another_kind_is_no_answer() -> None:
    assert not ask("When did the voyage of Egret end?", EGRET).supported


def test_an_entry_of_something_else_is_no_answer() -> None:
    assert not ask("When was the balloon launched that photographed the crater of Etna?", REEF, HERON, EGRET).supported


def test_a_sentence_without_a_word_of_the_asking_clause_is_no_answer() -> None:
    worn = EvidenceText(
        id="worn", modality="text", title="Curlew", sentences=["In 2016 its brass wheels jammed on sand."], score=1.0
    )
    reading = ask("When was the vehicle launched whose brass wheels print Morse code into the sand?", worn)
    assert not reading.supported
    assert reading.text == (
        "I found no supported answer: nothing that was found says “vehicle”, “launched”, “print”, “Morse”."
    )


def test_a_number_keeps_its_decimals_and_unit() -> None:
    half = EvidenceText(
        id="half", modality="text", title="Radium", sentences=["Its isotope has a half-life of 87.7 years."], score=1.0
    )
    assert ask("What is the half-life of the isotope of radium?", half).text == "87.7 years"


def test_a_count_of_times_says_times() -> None:
    passed = EvidenceText(
        id="passed", modality="text", title="Heron", sentences=["Heron passed three times by Madeira."], score=1.0
    )
    assert ask("How many times did Heron pass Madeira?", passed).text == "three times"


def test_a_number_of_another_dimension_is_no_answer() -> None:
    orbits = EvidenceText(
        id="o", modality="text", title="Heron", sentences=["On its voyage Heron made 294 dives."], score=1.0
    )
    assert not ask("How long did the voyage of Heron take?", orbits).supported


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How heavy is it?", {"mass"}),
        ("How long is it?", {"time", "length"}),
        ("How many kilograms of fuel did it carry?", {"mass"}),
        ("How many flights did it make?", {"number"}),
        ("Who made it?", set[str]()),
    ],
)
def test_measures_asked(question: str, asked: set[str]) -> None:
    assert measures_asked(analyse(question)) == asked


@pytest.mark.parametrize(
    ("text", "expected"), [("39 seconds", "time"), ("121.6 g", "mass"), ("87 per cent", "share"), ("294", "number")]
)
def test_measure_of_a_number(text: str, expected: str) -> None:
    assert measure(text) == expected


def test_units_belong_to_numbers() -> None:
    found = {span.text for span in spans("It weighs 121.6 g and flew 68 kilometres a second.") if span.kind == "number"}
    assert found == {"121.6 g", "68 kilometres a second"}


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("When was the craft launched that saw the spots?", "When was the craft launched"),
        ("In which state did the capsule come down that held glycine?", "In which state did the capsule come down"),
        ("One bell saw it. On which device did it keep its results?", "On which device did it keep its results?"),
        ("Who created the series in which Robert appeared?", "Who created the series?"),
    ],
)
def test_the_clause_that_asks(question: str, clause: str) -> None:
    assert asking_clause(question) == clause


def test_a_verb_at_once_names_no_noun() -> None:
    assert analyse("What supplied electricity to the craft?").heads == frozenset()


def test_names_and_labels() -> None:
    assert names_of("Cassini-Huygens") == ["Cassini-Huygens", "Cassini", "Huygens"]
    assert names_of("Plover 1 and Plover 2") == ["Plover 1 and Plover 2", "Plover 1", "Plover 2"]
    assert is_labelled(HERON)
    assert is_labelled(TWINS)
    assert not is_labelled(SAMPLES)


def test_a_long_text_gives_a_clue_per_sentence() -> None:
    long = REEF.model_copy(update={"sentences": ["Heron dived."] * 5})
    assert len(Clues([long]).all) == 5
    assert len(Clues([REEF]).all) == 1
