"""Without a model nothing is compared, ordered or added up: such questions get quotes; stated facts are answered."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.doubts import doubt
from backtrail.rules.reader.extract import extract_answer
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractReading


def _table(name: str, title: str, header: str, *rows: str) -> EvidenceText:
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return EvidenceText(
        id=f"{name}#t", modality="table", title=title, header=[name.strip() for name in header.split("|")], rows=cells,
        score=1.0, page=name, nearness=[0.5] * len(cells),
    )  # fmt: skip


def _text(name: str, title: str, *sentences: str) -> EvidenceText:
    return EvidenceText(
        id=f"{name}#p", modality="text", title=title, sentences=list(sentences), score=0.8, page=name,
        nearness=[0.5] * len(sentences),
    )  # fmt: skip


ROUTES = _table(
    "routes", "Tram routes of Velmarsk", "Route | Opened | Length (km) | Stops | Revenue (EUR)",
    "Harbour line | 1911 | 8.4 | 17 | 1,204,000", "Hill line | 1934 | 5.2 | 11 | 890,500",
    "Ring line | 1958 | 14.9 | 31 | 2,760,300", "Airport line | 2004 | 19.3 | 12 | 3,415,000",
)  # fmt: skip
FERRIES = _table(
    "ferries", "Ferries of the Norrland company", "Ship | Ordered | Builder | Berths",
    "Andromeda | 12 March 1961 | Kessler Yard | 210", "Perseus | 7 May 1962 | Kessler Yard | 188",
    "Achilles | 30 January 1965 | Holm & Sons | 305", "Orion | 15 August 1968 | Holm & Sons | 412",
)  # fmt: skip
BOOKS = _table(
    "books", "Books by Irma Kolb", "Title | Year | Pages", "Winter Wheat | 1988 | 268", "A House of Reeds | 1993 | 405",
    "The Ferryman | 1995 | 180", "Late Light | 2008 | 221",
)  # fmt: skip
FILMS = _table(
    "films", "Films of Irma Kolb", "Film | Year | Gross", "Night Boat | 1991 | 7 million",
    "The Gate | 1994 | 12 million",
)  # fmt: skip
FOUNDERS = [
    _text("vollmer", "Greta Vollmer", "Greta Vollmer (4 March 1838 – 17 October 1902) was an engineer."),
    _text("rieger", "Otto Rieger", "Otto Rieger (22 June 1845 – 1 May 1921) was a banker."),
]
COMETS = _text("comets", "Comets", "Rosetta was the first craft to orbit a comet.", "It passed Earth three times.")
MILLS = [
    _text("upper", "Upper Mill", "The Upper Mill burnt down in 1764 and was rebuilt in 1889."),
    _text("lower", "Lower Mill", "The Lower Mill was built in 1801."),
]
CRAFT = _text("rosetta", "Rosetta", "The craft Rosetta, launched 2004, was to orbit a comet.")
EVERYTHING = [ROUTES, FERRIES, BOOKS, *FOUNDERS, COMETS]


def ask(question: str, *evidence: EvidenceText) -> ExtractReading:
    inputs = AnswerInputs(question=question, evidence=list(evidence or EVERYTHING))
    reading = extract_answer(inputs)
    assert isinstance(reading, ExtractReading)
    return reading


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        ("Which route had the higher revenue, the Harbour line or the Hill line?", ROUTES),
        ("Which line is longer, the Ring line or the Airport line?", ROUTES),
        ("Which tram route has the highest revenue?", ROUTES),
        ("Which route has the fewest stops?", ROUTES),
        ("How many stops do both the Ring line and the Airport line have?", ROUTES),
        ("How many stops does the Ring line have overall?", ROUTES),
        ("How many stops did the Ring line gain?", ROUTES),
        ("How much did Night Boat and The Gate gross?", FILMS),
        ("Which route opened after the Ring line?", ROUTES),
        ("How many stops do the Hill line and the Ring line have together?", ROUTES),
        ("How many routes are there?", ROUTES),
        ("How many ships are listed?", FERRIES),
        ("What was the ship ordered previous to the Achilles?", FERRIES),
        ("How many pages were published after 1993?", BOOKS),
        ("Which title has the most pages?", BOOKS),
        ("What is the title that has at least 405 pages?", BOOKS),
        ("Who was born first, Greta Vollmer or Otto Rieger?", FOUNDERS),
        ("Which is older, the Upper Mill or the Lower Mill?", MILLS),
        ("What was the first craft to orbit a comet?", CRAFT),
    ],
)
def test_what_takes_more_than_one_row_is_never_sure(question: str, evidence: EvidenceText | list[EvidenceText]) -> None:
    reading = ask(question, *(evidence if isinstance(evidence, list) else [evidence]))
    assert reading.extract.level != "high", reading.short
    assert reading.extract.quotes


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many stops does the Ring line have?", "31"),
        ("What is the revenue of the Hill line?", "890,500"),
        ("When was the Achilles ordered?", "30 January 1965"),
        ("Who is the builder of the Orion?", "Holm & Sons"),
        ("How many pages does The Ferryman have?", "180"),
        ("What was the first craft to orbit a comet?", "Rosetta"),
    ],
)
def test_a_single_stated_fact_is_answered(question: str, answer: str) -> None:
    reading = ask(question)
    assert (reading.text, reading.extract.level) == (answer, "high")


@pytest.mark.parametrize(
    ("sentence", "is_sure"),
    [
        ("The Gull Tower is the tallest building of Orvane.", True),
        ("The Gull Tower is a building of Orvane.", False),
    ],
)
def test_a_superlative_is_answered_by_a_sentence_that_says_it(sentence: str, is_sure: bool) -> None:
    reading = ask("What is the tallest building of Orvane?", _text("orvane", "Orvane", sentence))
    assert (reading.extract.level == "high") is is_sure


VISITORS = _table("museum", "Ketter museum", "Item | Entry", "Visitors | 31,200", "Founded | 1871")
BICYCLES = _table("sales", "Kolb & Sons, 2020", "Shop | Bicycles | Pumps", "Talden | 41 | 8", "Orve | 44 | 9")
TURNOVER = _table("kolb", "Branches", "Branch | Turnover 2020 | Turnover 2021", "Talden | 41 | 43", "Orve | 44 | 47")


@pytest.mark.parametrize(
    ("question", "evidence", "is_sure"),
    [
        ("How many visitors did the Ketter museum have?", VISITORS, True),
        ("How many visitors did the Ketter museum have in 1994?", VISITORS, False),
        ("How many bicycles did the Talden shop sell in 2020?", BICYCLES, True),
        ("How many bicycles did the Talden shop sell in 2021?", BICYCLES, False),
        ("What was the turnover of Talden in 2019?", TURNOVER, False),
    ],
)
def test_a_figure_of_another_year_is_never_sure(question: str, evidence: EvidenceText, is_sure: bool) -> None:
    assert (ask(question, evidence).extract.level == "high") is is_sure


def test_the_doubt_says_that_the_question_compares() -> None:
    assert doubt(ask("Which route opened after the Ring line?", ROUTES).extract.signals) == "compared"
