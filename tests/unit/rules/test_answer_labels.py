"""Tables of labelled entries, the clues that say which table is meant, and what a number measures."""

from __future__ import annotations

import pytest
from fixtures.pieces import table_piece, text_piece

from backtrail.rules.reader.answer import answer
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText, Reading, cites_evidence


def glance(name: str, *rows: str, header: str = "Item | Entry") -> EvidenceText:
    return table_piece(f"{name}#table", name, header, *rows, section=f"{name} at a glance", score=0.5)


HERON = glance(
    "Heron",
    "Launched | 4 May 1911, Lisbon",
    "Carrier ship | Steam Ship Argo and two tugs",
    "Power | three oil engines",
    "End of voyage | 9 June 1913",
)
EGRET = glance("Egret", "Launched | 1 March 1920", "Carrier ship | Bolide", "End of voyage | still at sea")
TWINS = glance(
    "The twins",
    "Launched | June 1930 | July 1931",
    "Last signal | 23 May 1944 | November 1939",
    header="Item | Plover 1 | Plover 2",
)
DEEP = ("A coral reef of rare depth lies off Madeira.", "The diving bell Heron measured its height in 1912.")
REEF = text_piece("reef#p1", "Reefs", *DEEP, score=0.6)
WRECK = text_piece("wreck#p1", "Wrecks", "Plover 1 carried the first brass plate below the ice.", score=0.6)
FOUND = ("Egret | Dana Bank | 7.25 g", "Heron | Calypso Rise | 121.6 g")
SAMPLES = table_piece("samples#table", "Samples", "Vessel | Source | Amount", *FOUND, score=0.4)
RISE = text_piece("rise#p1", "Sea floor", "Calypso Rise was found by a boy, who proposed its name.", score=0.4)
SHEETS = "Pressure meets a front sheet of brass, and the rear sheet of Kevlar holds the bell."
EVERYTHING = [REEF, WRECK, HERON, EGRET, TWINS, SAMPLES, RISE, text_piece("shield#p1", "Heron", SHEETS, score=0.4)]


def ask(question: str, *evidence: EvidenceText) -> Reading:
    inputs = AnswerInputs(question=question, evidence=[*evidence] or EVERYTHING)
    reading = answer(inputs)
    assert cites_evidence(inputs, reading) == []
    return reading


MEASURED = "the bell {} that measured the coral reef off Madeira?"
CARRIED = "When was the last signal received from the bell that carried the first brass plate below the ice?"


@pytest.mark.parametrize(
    ("question", "expected", "row"),
    [
        (f"When was {MEASURED.format('launched')}", "4 May 1911", ("Heron#table", 0, "reef#p1")),
        (f"Which steam ship carried {MEASURED.format('')}", "Steam Ship Argo", ("Heron#table", 1, "reef#p1")),
        (f"How is {MEASURED.format('powered')}", "three oil engines", ("Heron#table", 2, "reef#p1")),
        (
            "On which day did the voyage end that measured the coral reef off Madeira?",
            "9 June 1913",
            ("Heron#table", 3, "reef#p1"),
        ),
        (CARRIED, "23 May 1944", ("The twins#table", 1, "wreck#p1")),
    ],
)
def test_the_entry_asked_for_of_the_thing_described(question: str, expected: str, row: tuple[str, int, str]) -> None:
    reading = ask(question)
    assert (reading.text, reading.supported) == (expected, True)
    assert reading.citations == [CitedPiece(component=row[0], row=row[1]), CitedPiece(component=row[2])]


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        ("When did the voyage of Egret end?", [EGRET]),  # an entry of another kind
        ("When was the balloon launched that photographed the crater of Etna?", [REEF, HERON, EGRET]),
        ("How long did the voyage of Heron take?", [text_piece("o", "Heron", "On its voyage Heron made 294 dives.")]),
    ],
)
def test_what_is_of_another_kind_or_thing_is_no_answer(question: str, evidence: list[EvidenceText]) -> None:
    assert not ask(question, *evidence).supported


def test_a_sentence_without_a_word_of_the_asking_clause_is_no_answer() -> None:
    worn = text_piece("worn", "Curlew", "In 2016 its brass wheels jammed on sand.")
    reading = ask("When was the vehicle launched whose brass wheels print Morse code into the sand?", worn)
    assert not reading.supported
    assert reading.text == (
        "I found no supported answer: nothing that was found says “vehicle”, “launched”, “print”, “Morse”."
    )


@pytest.mark.parametrize(
    ("title", "said", "question", "expected"),
    [
        ("Radium", "Its isotope has a half-life of 87.7 years.", "What is the half-life of radium?", "87.7 years"),
        ("Heron", "Heron passed three times by Madeira.", "How many times did Heron pass Madeira?", "three times"),
        ("Heron", "Heron weighs 121.6 g.", "How heavy is Heron?", "121.6 g"),
    ],
)
def test_a_number_keeps_its_decimals_and_unit(title: str, said: str, question: str, expected: str) -> None:
    assert ask(question, text_piece("p", title, said)).text == expected
