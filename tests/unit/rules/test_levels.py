"""Without a model stated facts are said for sure; what is compared, added up or of something else is not."""

import pytest
from fixtures.pieces import table_piece, text_piece

from backtrail.language.current_language import reading_in
from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.withholding_rules import doubt
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractInputs, ExtractReading


def _table(name: str, title: str, header: str, *rows: str) -> EvidenceText:
    return table_piece(f"{name}#t", title, header, *rows, page=name, nearness=[0.5] * len(rows))


def _text(name: str, title: str, *sentences: str) -> EvidenceText:
    return text_piece(f"{name}#p", title, *sentences, score=0.8, page=name, nearness=[0.5] * len(sentences))


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
CRAFT = _text("rosetta", "Rosetta", "The craft Rosetta, launched 2004, was to orbit a comet.")
KOLB = [ROUTES, FERRIES, BOOKS, *FOUNDERS, COMETS]

STOCK = _table(
    "stock", "Spare parts", "Part | Order number | Price (EUR) | In stock | Shelf | Last counted",
    "Impeller seal | P-1044 | 18.50 | 42 | B3 | 2024-03-01", "Drive belt | P-2210 | 31.00 | 7 | A1 | 2024-03-01",
    "Ball bearing | P-3301 | 12.75 | 120 | C2 | 2024-02-14", "Gate valve | P-4100 | 240.00 | 3 | D4 | 2024-01-09",
)  # fmt: skip
PEOPLE = _table(
    "people", "People and contacts", "Name | Role | E-mail | Phone | Since",
    "Lena Hartwig | store keeper | lena.hartwig@orvane.example | 114 | 2016",
    "Tomas Brill | head of maintenance | tomas.brill@orvane.example | 120 | 2019",
    "Ines Okafor | accountant | ines.okafor@orvane.example | 131 | 2021",
)  # fmt: skip
HOUSES = _text(
    "houses", "Pump houses", "Pump house North was built in 1962 and holds two centrifugal pumps.",
    "Pump house South was opened on 4 May 1988.", "The emergency generator runs for 36 hours on one tank.",
)  # fmt: skip
HANDBOOK = [STOCK, PEOPLE, HOUSES]

BRIDGE = _text("d", "Handbook", "The Orvane Bridge was designed by Mira Tessel in 1931.")
TITAN = _text("d", "Handbook", "Titan is the largest moon of Saturn.")
TALLEST = _text("orvane", "Orvane", "The Gull Tower is the tallest building of Orvane.")
TOWER = _text("orvane", "Orvane", "The Gull Tower is a building of Orvane.")
VISITORS = _table("museum", "Ketter museum", "Item | Entry", "Visitors | 31,200", "Founded | 1871")
BICYCLES = _table("sales", "Kolb & Sons, 2020", "Shop | Bicycles | Pumps", "Talden | 41 | 8", "Orve | 44 | 9")
HERON, CRANE = (
    _table(name, name, "Item | Entry", f"Launched | {day}", "Carrier | Argo")
    for name, day in (("Heron", "4 May 1911"), ("Crane", "9 June 1912"))
)


def ask(question: str, evidence: EvidenceText | list[EvidenceText]) -> ExtractReading:
    given = evidence if isinstance(evidence, list) else [evidence]
    reading = extract_answer(AnswerInputs(question=question, evidence=given))
    assert isinstance(reading, ExtractReading)
    return reading


@pytest.mark.parametrize(
    ("question", "evidence", "answer"),
    [
        ("How many stops does the Ring line have?", KOLB, "31"),
        ("What was the first craft to orbit a comet?", KOLB, "Rosetta"),
        ("How many impeller seals are in stock?", HANDBOOK, "42"),
        ("What is Ines Okafor's phone number?", HANDBOOK, "131"),
        ("Who designed the Orvane Bridge?", BRIDGE, "Mira Tessel"),
        ("What is Titan?", TITAN, TITAN.sentences[0]),
        ("What is the tallest building of Orvane?", TALLEST, "Gull Tower"),
        ("How many bicycles did the Talden shop sell in 2020?", BICYCLES, "41"),
    ],
)
def test_a_stated_fact_is_sure(question: str, evidence: EvidenceText | list[EvidenceText], answer: str) -> None:
    reading = ask(question, evidence)
    assert (reading.short, reading.extract.level) == (answer, "high")


@pytest.mark.parametrize(
    ("question", "evidence"),
    [
        # compared, ordered, added up
        ("Which route had the higher revenue, the Harbour line or the Hill line?", ROUTES),
        ("How much did Night Boat and The Gate gross?", FILMS),
        ("Which route opened after the Ring line?", ROUTES),
        ("Who was born first, Greta Vollmer or Otto Rieger?", FOUNDERS),
        ("What was the first craft to orbit a comet?", CRAFT),
        ("What is the tallest building of Orvane?", TOWER),
        # of another year
        ("How many visitors did the Ketter museum have in 1994?", VISITORS),
        ("How many bicycles did the Talden shop sell in 2021?", BICYCLES),
        # in no column or sentence
        ("What is the salary of Tomas Brill?", HANDBOOK),
        ("What is the price of the emergency generator?", HANDBOOK),
        # of two things
        ("When was it launched?", [HERON, CRANE]),
    ],
)
def test_what_is_not_stated_is_quoted_and_not_sure(question: str, evidence: EvidenceText | list[EvidenceText]) -> None:
    reading = ask(question, evidence)
    assert reading.extract.level != "high", reading.short
    assert reading.extract.quotes


def _part(place: int, page: str, section: str, *sentences: str) -> EvidenceText:
    return EvidenceText(
        id=f"{page}#{place}", modality="text", title=page, section=section, sentences=list(sentences),
        score=1.0 - place / 20, page=page, order=place, nearness=[0.5] * len(sentences),
    )  # fmt: skip


HALLS = [
    _part(0, "Halls", "", "Oak Hall was built in 1961 and has four study rooms.", "Its warden is Samuel Dray."),
    _part(1, "Halls", "", "Elm Hall was added in 1994.",
          "The roof of Elm Hall was repaired in July 2016 because hail had broken the tiles."),
    _part(2, "Staff", "Samuel Dray", "Samuel Dray came in 2009.", "He was born in Leeds and trained as a chemist."),
    _part(3, "Staff", "Priya Nair", "Priya Nair came in 2013 from a school in Leicester."),
    _part(4, "Clubs", "", "The chess club meets in room B07 and has 18 members.", "The rowing club won a cup in 2018."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "against"),
    [
        ("When was Keller Hall built?", "other"),  # the sister hall's year
        ("Where did Samuel Dray train?", "clause"),  # born there
        ("How many members does the rowing club have?", "other"),  # the chess club's
        ("Which hall was not built in 1961?", "denied"),
    ],
)
def test_what_is_said_of_something_else_is_never_sure(question: str, against: str) -> None:
    reading = ask(question, HALLS)
    assert reading.extract.level != "high"
    assert doubt(reading.extract.signals) == against


@pytest.mark.parametrize(
    ("language", "question", "sentences", "names"),
    [
        ("de", "Wer ist für den Heizkessel zuständig?",
         ("Der Heizkessel wird alle zwei Jahre geprüft.", "Zuständig ist Jan Petersen."), "Jan Petersen"),
        ("fr", "Qui est responsable de la chaudière ?",
         ("La chaudière est contrôlée chaque année.", "La responsable est Claire Lemoine."), "Claire Lemoine"),
    ],
)  # fmt: skip
def test_the_sentence_that_answers_is_quoted_in_other_languages(
    language: str, question: str, sentences: tuple[str, ...], names: str
) -> None:
    with reading_in(language):
        reading = extract_answer(ExtractInputs(question=question, evidence=[_part(0, "P", "", *sentences)]))
    assert names in reading.text


def test_a_name_alone_does_not_choose_a_sentence_in_other_languages() -> None:
    rows = _part(0, "Cassini", "", "Launch vehicle: Titan IVB-Centaur.", "It carried a probe for Titan.")
    with reading_in("de"):
        assert not extract_answer(ExtractInputs(question="Was ist Titan?", evidence=[rows])).supported
        assert extract_answer(ExtractInputs(question="Cassini: Titan?", evidence=[rows])).supported


@pytest.mark.parametrize(
    ("link", "level"),
    [
        ("The drum of the Argo was a spare of the Heron, and other parts were left over from the Plover.", False),
        ("The drum of the Argo was a spare of the Plover, and other parts were left over from the Heron.", True),
    ],
)
def test_what_a_sentence_says_of_another_thing_is_not_said_of_the_one_it_names_after(link: str, level: bool) -> None:
    plover = EvidenceText(
        id="plover", modality="table", title="Plover", header=["Item", "Entry"], rows=[["Launched", "4 May 1911"]],
        score=0.5,
    )  # fmt: skip
    reading = ask("When was the ship launched whose spare drum the Argo has?", [_part(0, "Argo", "", link), plover])
    assert reading.short == "4 May 1911"
    assert (reading.extract.level == "high") is level
    assert (doubt(reading.extract.signals) is None) is level


def test_one_of_several_things_asked_for_is_not_said_for_sure() -> None:
    evidence = [
        _part(0, "Mariner 10", "", "Mariner 10 was the first mission to Mercury.", "It was launched in 1973."),
        _part(0, "Messenger", "", "Messenger was the second mission to Mercury and orbited it from 2011."),
    ]
    for asked in ("Which missions to Mercury were there?", "What were the missions to Mercury?"):
        several = ask(asked, evidence)
        assert several.extract.level != "high"
        assert doubt(several.extract.signals) == "several"
    assert doubt(ask("Which mission to Mercury was the first?", evidence).extract.signals) != "several"
