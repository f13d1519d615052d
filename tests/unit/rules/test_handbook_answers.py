"""A small handbook: what its tables say is read off the column that is asked, and nothing else is said for sure."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.extract import extract_answer
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractReading

STOCK = EvidenceText(
    id="stock#t", modality="table", title="Spare parts",
    header=["Part", "Order number", "Price (EUR)", "In stock", "Shelf", "Last counted"],
    rows=[
        ["Impeller seal", "P-1044", "18.50", "42", "B3", "2024-03-01"],
        ["Drive belt", "P-2210", "31.00", "7", "A1", "2024-03-01"],
        ["Ball bearing", "P-3301", "12.75", "120", "C2", "2024-02-14"],
        ["Gate valve", "P-4100", "240.00", "3", "D4", "2024-01-09"],
    ],
    score=0.9, nearness=[0.6, 0.6, 0.6, 0.6],
)  # fmt: skip
PRICES = EvidenceText(
    id="prices#t", modality="table", title="Price list", header=["Item", "Price", "Weight"],
    rows=[["Rubber gasket", "4.20", "0.1 kg"], ["Copper pipe", "12.00", "2.4 kg"], ["Steel bracket", "7.50", "0.8 kg"]],
    score=0.8, nearness=[0.5, 0.5, 0.5],
)  # fmt: skip
PEOPLE = EvidenceText(
    id="people#t", modality="table", title="People and contacts", header=["Name", "Role", "E-mail", "Phone", "Since"],
    rows=[
        ["Lena Hartwig", "store keeper", "lena.hartwig@orvane.example", "114", "2016"],
        ["Tomas Brill", "head of maintenance", "tomas.brill@orvane.example", "120", "2019"],
        ["Ines Okafor", "accountant", "ines.okafor@orvane.example", "131", "2021"],
    ],
    score=0.7, nearness=[0.5, 0.5, 0.5],
)  # fmt: skip
HOUSES = EvidenceText(
    id="houses#p", modality="text", title="Pump houses",
    sentences=[
        "Pump house North was built in 1962 and holds two centrifugal pumps.",
        "Pump house South was opened on 4 May 1988.",
        "The emergency generator runs for 36 hours on one tank.",
    ],
    score=0.6, nearness=[0.6, 0.6, 0.6],
)  # fmt: skip
HANDBOOK = [STOCK, PRICES, PEOPLE, HOUSES]


def ask(question: str) -> ExtractReading:
    reading = extract_answer(AnswerInputs(question=question, evidence=HANDBOOK))
    assert isinstance(reading, ExtractReading)
    return reading


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many impeller seals are in stock?", "42"),
        ("How many drive belts are in stock?", "7"),
        ("What is the price of the ball bearing?", "12.75"),
        ("How much does a gate valve cost?", "240.00"),
        ("On which shelf is the impeller seal?", "B3"),
        ("When was the gate valve last counted?", "2024-01-09"),
        ("What is Ines Okafor's phone number?", "131"),
        ("When was pump house South opened?", "4 May 1988"),
    ],
)
def test_the_asked_column_is_read_and_said(question: str, answer: str) -> None:
    reading = ask(question)
    assert (reading.short, reading.extract.level) == (answer, "high")


@pytest.mark.parametrize(
    "question",
    [
        "How many rubber gaskets are in stock?",
        "How many copper pipes are in stock?",
        "How many gate valves were ordered?",
        "How many steel brackets were sold in 2023?",
        "When were the copper pipes delivered?",
        "What is the salary of Tomas Brill?",
        "How old is Tomas Brill?",
        "What is the mobile number of Lena Hartwig?",
        "When was Lena Hartwig born?",
        "Who opened pump house South?",
        "What is the price of the emergency generator?",
    ],
)
def test_what_no_column_or_sentence_says_is_not_answered_for_sure(question: str) -> None:
    assert ask(question).extract.level != "high"


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("How many gate valves were ordered?", "P-4100"),
        ("When were the copper pipes delivered?", "2.4 kg"),
        ("What is the price of the emergency generator?", "36 hours"),
    ],
)
def test_what_is_measured_otherwise_is_not_read_at_all(question: str, never: str) -> None:
    assert ask(question).short != never


def test_a_label_that_two_things_have_is_not_said_for_sure() -> None:
    heron, crane = (
        EvidenceText(id=f"{name}#t", modality="table", title=name, header=["Item", "Entry"],
                     rows=[["Launched", day], ["Carrier", "Argo"]], score=0.9)
        for name, day in (("Heron", "4 May 1911"), ("Crane", "9 June 1912"))
    )  # fmt: skip
    both = extract_answer(AnswerInputs(question="When was it launched?", evidence=[heron, crane]))
    one = extract_answer(AnswerInputs(question="When was Heron launched?", evidence=[heron]))
    assert both.extract.level != "high"
    assert (one.short, one.extract.level) == ("4 May 1911", "high")
