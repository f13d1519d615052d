"""A question that names a row and a column of a table is answered by the cell, in other words than the table's too."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.calibration import packaged
from backtrail.rules.reader.extract import extract_answer, weighed
from backtrail.rules.reader.lookup.look_up import look_up
from backtrail.rules.reader.lookup.marks import marked
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText


def _table(name: str, title: str, header: list[str], rows: list[list[str]], section: str = "") -> EvidenceText:
    item = EvidenceText(id=name, modality="table", title=title, section=section, score=1.0)
    return item.model_copy(update={"header": header, "rows": rows})


LOADS = _table(
    "pumps/loads-3-1.md#table-1",
    "Load test of version 3.1",
    ["block size in bytes", "number of users", "node", "average rate", "95th percentile delay (ms)"],
    [
        ["32", "128", "primary only", "2100", "12.5"],
        ["128", "32", "primary only", "1800", "14.0"],
        ["32", "128", "every node", "3100", "21.5"],
    ],
    "Writes",
)
TRIAL = _table(
    "pumps/loads-3-1-rc.md#table-1", "Load test of version 3.1 rc", LOADS.header,
    [[*row[:-1], f"{row[-1]}9"] for row in LOADS.rows], "Writes",
)  # fmt: skip
MEMORY = _table(
    "memory.md#table-1", "Memory of the relay", ["feeds", "readers per feed", "memory usage"],
    [["1k", "20", "85MB"], ["2k", "20", "160MB"], ["1k", "50", "190MB"]],
)  # fmt: skip
PARTS = _table(
    "parts.xlsx#table-1", "Stores", ["Part", "Category", "Unit price", "Last check", "Remarks"],
    [["RX-4410", "Valve", "$12.50", "2024-03-02", "fragile"], ["RX-4411", "Valve", "$13.00", "2024-04-09", ""]],
)  # fmt: skip
DOSES = _table(
    "doses.pdf#table-1", "Rust of copper", ["Dose (g)", "Voltage (V)", "Corrosion rate (mm/year)"],
    [["0", "0.91", "2.1"], ["3", "0.88", "0.7"], ["6", "0.86", "0.4"]],
)  # fmt: skip
TOWNS = _table(
    "towns.html#table-1", "Largest towns of Norland", ["Rank", "Name", "Pop.", "Rank", "Name", "Pop."],
    [["1", "Averby", "91,000", "3", "Corvik", "40,500"], ["2", "Brenholm", "66,200", "4", "Dalsund", "31,900"]],
)  # fmt: skip
QUARTERS = [
    _table(
        f"orvane.xlsx#table-{place}", "Orvane revenue by market", ["($ in millions)", *names],
        [["Lamps", *lamps], ["Oil", *oil]],
    )
    for place, names, lamps, oil in (
        (1, ["Q4 FY22", "Q3 FY22"], ["$2,204", "$2,190"], ["$811", "$790"]),
        (2, ["3QFY22", "2QFY22"], ["2190", "2150"], ["790", "785"]),
        (3, ["Q3 FY21", "Q2 FY21"], ["$1,574", "$1,552"], ["$600", "$590"]),
    )
]  # fmt: skip
BUILDS = _table(
    "relay/builds.md#table-1", "Relay builds", ["macOS version", "BUILD_PREFIX"],
    [["10.15", "15"], ["11.0", "16"], ["12.0", "17"]],
)  # fmt: skip
COMPANY = _table(
    "orvane.html#table-1", "Orvane", ["", ""],
    [["Founded", "1975"], ["Number of employees", "1,240 (2023)"], ["Net income", "4 million"]],
)  # fmt: skip
RENAMED = _table(
    "moving.html#table-1", "Moving over", ["Old setting", "hexa setting", "Comment"],
    [["TessLockFile file", "HexaMutex file", "renamed"], ["TessPort port", "-", "not needed"]],
)  # fmt: skip
SIGNALS = _table(
    "relay/signals.html#table-1", "Signals of the relay", ["Code", "Description", "Prefix"],
    [["K4", "Line closed", "$k$"], ["S", "Slow mode", "$s$"], ["HOLD", "Waits for a train", "$h$"]],
)  # fmt: skip
LIVES = _table(
    "lives.csv#table-1", "Norland in figures", ["district", "year", "lifeExp", "pop"],
    [["Averby", "2007", "81.7", "301931"], ["Averby", "1997", "78.9", "271192"], ["Esmark", "2007", "79.4", "90210"]],
)  # fmt: skip
PLANT = _table(
    "audit.pdf#table-1", "Audit", ["Audit sheet", ""],
    [["Date of audit", "May 20, 2003"], ["Number of workers", "243"], ["Product", "gloves and hats"]],
)  # fmt: skip
INVOICE = _table(
    "bills/BlueInterior.pdf#table-1", "Invoice 0008", ["Invoice Date:", "Due Date:", "Reference:"],
    [["03/20/2023", "04/04/2023", "REF123"]],
)  # fmt: skip
TRIPS = _table(
    "trips.pdf#table-1", "Trips of the crew", ["Posted", "Payee", "Amount ($)", "Class A", "Class B"],
    [["05/24/2019", "Tessel Cars", "907.96", "12", "31"], ["06/13/2019", "Tessel Cars", "697.00", "14", "35"]],
)  # fmt: skip
ALL = [TRIPS, LOADS, TRIAL, MEMORY, PARTS, DOSES, TOWNS, COMPANY, RENAMED, SIGNALS, LIVES, PLANT, INVOICE]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Load test 3.1 (not the rc), 128 users on just the primary with 32-byte writes: what p95 delay?", "12.5 ms"),
        ("How much RAM did the relay eat with a thousand feeds of fifty readers each?", "190MB"),
        ("RX-4410 - when was it last checked, and what remarks are on it?", "2024-03-02; fragile"),
        ("At 3 g, how fast did the copper corrode?", "0.7 mm/year"),
        ("How many people live in Corvik?", "40,500"),
        ("What headcount is listed for Orvane?", "1,240 (2023)"),
        ("What's TessLockFile called in hexa?", "HexaMutex file"),
        ("The relay shows K4. What is that?", "Line closed"),
        ("What amount was posted for Tessel Cars on 13 June 2019?", "$697.00"),
        ("How many of class B were on the trip of 2019-05-24?", "31"),
        ("What does signal S mean on the relay?", "Slow mode"),
        ("How old did people get in Averby in 2007, and how many lived there?", "81.7; 301931"),
        ("How many workers did the glove plant have in 2003?", "243"),
        ("By when does Blue Interior want to be paid?", "04/04/2023"),
    ],
)  # fmt: skip
def test_a_cell_is_said_for_sure_whose_row_and_column_are_meant(question: str, answer: str) -> None:
    reading = weighed(extract_answer(AnswerInputs(question=question, evidence=ALL)), packaged())
    assert (reading.text, reading.extract.level) == (answer, "high")


@pytest.mark.parametrize(
    "question",
    [
        "What was the p95 delay of 128 users on just the primary with 32-byte writes?",  # of the release, or of the rc
        "How many people live in Corvik and in Averby, each one?",
        "How many people lived in Corvik in 1850?",
        "What headcount had Orvane in 1995?",
        "What does signal X mean on the relay?",
        "How old did people get in Dalsund in 2007?",
        "Which part is cheaper than RX-4411?",
        "What nationality is the founder of Orvane?",
        "Who checked RX-4410?",
        "What remarks are on RX-4411?",
    ],
)
def test_where_the_row_or_the_column_is_in_doubt_nothing_is_looked_up(question: str) -> None:
    assert look_up(AnswerInputs(question=question, evidence=ALL), question) == []


@pytest.mark.parametrize(
    ("question", "evidence", "answer"),
    [
        ("How much did Orvane take with lamps in the third quarter of fiscal 2022?", QUARTERS, ["$2,190"]),
        ("How much did Orvane take with lamps in the first quarter of fiscal 2022?", QUARTERS, []),
        ("Build numbers on a Mac begin with a prefix. What is it for macOS 11?", [BUILDS], ["16"]),
    ],
)
def test_periods_platforms_and_joined_names_are_one_however_they_are_written(
    question: str, evidence: list[EvidenceText], answer: list[str]
) -> None:
    found = look_up(AnswerInputs(question=question, evidence=evidence), question)
    assert [one.text for one in found] == answer


PUPILS = _table(
    "pupils.pdf#table-1", "Pupils of the shires",
    ["Shire", "Children at school (%) / Person / Total", "Children at school (%) / Person / Town",
     "Children at school (%) / Girls / Total"],
    [["Avermoor", "79.6", "88.0", "78.7"], ["Brent", "71.2", "80.1", "70.4"]],
)  # fmt: skip
VOTE = _table(
    "vote.xlsx#table-1", "The bridge vote", ["", "Answers / Yes / no.", "Answers / Yes / %", "Answers / No / %"],
    [["Avermoor", "1,919", "63.6", "36.4"], ["Brent", "1,204", "51.0", "49.0"]],
)  # fmt: skip
FIRMS = _table(
    "firms.docx#table-1", "Suppliers", ["Company", "Contact", "Street", "Discount"],
    [["Corvik Traders", "Yoshi Nagase", "9 Quay Street, Corvik", "25%"],
     ["Dalsund Oil", "Ann Lee", "Mill Lane 1", "5%"]],
)  # fmt: skip
RELEASES = _table(
    "releases.csv#table-1", "Relay releases", ["Version", "Runtime", "Released"],
    [["v1.29.2", "rust1.23.4", "2025-01-11"], ["v1.29.1", "rust1.22.0", "2025-01-09"]],
)  # fmt: skip
RISKS = _table(
    "risk.pdf#table-1", "Norm 26", ["Severity", "Exposure", "Control / C1", "Control / C2"],
    [["S1", "E1", "A", "B"], ["S2", "E1", "B", "C"], ["S2", "E2", "C", "D"]], "Table 4: RIL of a hazard",
)  # fmt: skip
ERRORS = _table(
    "errors.md#table-1", "Critical errors of the relay", ["Name", "Number", "Description"],
    [["NoChip", "6", "This board should have a chip for its power, but it is missing or broken, so it stops here."],
     ["NoRadio", "7", "No radio answers on any of the buses that the board has, so nothing can be sent or heard."]],
)  # fmt: skip
CODES = _table(
    "codes.pdf#table-1", "Codes of the engine", ["Code shown", "Error"],
    [["03-7FC20.09", "Message fault: time out"], ["03-7FC20.10", "Message fault: out of range"]],
)  # fmt: skip
NOTES = _table(
    "notes.html#table-1", "Release notes", ["Type of note", "Section of the notes"],
    [["Bug fix", "Fixed issues"], ["Known trouble", "Known issues"]],
)  # fmt: skip
MARKS = _table(
    "marks.xlsx#table-1", "Marks", ["Pupil", "Year", "Subject", "Mark"],
    [["Ann", "1st year", "Latin", "3"], ["Ann", "2nd year", "Latin", "5"], ["Ben", "1st year", "Latin", "7"]],
)  # fmt: skip
ORDER = _table(
    "orders.html#table-2", "Board of works", ["Project:", "Averby School Annex"],
    [["Company:", "Norland Soils, Inc."], ["Task Order Number:", "0527-62C"], ["Task Order Amount:", "$28,714.50"]],
)  # fmt: skip
MEETINGS = _table(
    "board.html#archive", "Board meetings", ["", "", "", ""],
    [["Board of December 2016", "Dec 14, 2016 - 09:46", "02h 43m", "Video"],
     ["Board of November 2016", "Nov 11, 2016 - 09:30", "01h 12m", "Video"]],
)  # fmt: skip
BILL = _table(
    "bill.pdf#table-1", "Statement", ["Service", "Charges", "Adjustments"],
    [["Treatment or Recovery Room", "588.00", "0.00"], ["X-ray", "120.00", "0.00"]],
)  # fmt: skip
COAL = _table(
    "coal.csv#table-1", "Coal", ["Town", "Coal of mines (tons)", "Coal sold by towns (tons)"],
    [["Ellmoor", "310", "290"], ["Brent", "120", "95"]],
)  # fmt: skip
REGIONS = _table(
    "regions.md#table-1", "Regions of the relay", ["Country", "Radio region"], [["Canada", "US"], ["Chad", "EU_868"]]
)
CLOSED = _table(
    "closed.md#table-1", "Days on which the office is closed", ["Holiday", "Dates"],
    [["Harvest feast", "Fourth Thursday in November"], ["Midsummer", "The longest day"]],
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("What share of the children of Avermoor is at school, all in all?", PUPILS, "79.6"),  # of columns the total
        ("What percentage in Avermoor answered yes?", VOTE, "63.6"),  # told by a word that is no content elsewhere
        ("Who do I ask for at Corvik Traders?", FIRMS, "Yoshi Nagase"),  # the one cell that is somebody's name
        ("What percentage off do we get from Corvik Traders?", FIRMS, "25%"),  # the one share
        ("Which Rust was relay 1.29.2 built with?", RELEASES, "rust1.23.4"),  # written as what is asked
        ("Which RIL do I get for severity S2, exposure E1 and control C2?", RISKS, "C"),  # where both meet
        ("The relay shows critical error 6, what's wrong?", ERRORS, ERRORS.rows[0][2]),
        ("Which radio region do I pick in Canada?", REGIONS, "US"),
        ("Code 03-7FC20.09 - what is it?", CODES, "Message fault: time out"),
        ("What was charged for the treatment or recovery room?", BILL, "588.00"),  # nothing to choose between
        ("In which section of the notes do bug fixes go?", NOTES, "Fixed issues"),  # a column asked for tells no row
        ("What mark did Ann get in Latin in her second year?", MARKS, "5"),
        ("What was the task order amount for the Averby annex?", ORDER, "$28,714.50"),
        ("How long did the board meeting of December 2016 last?", MEETINGS, "02h 43m"),
        ("On which days around the harvest feast is the office closed?", CLOSED, "Fourth Thursday in November"),
    ],
)
def test_a_column_that_no_name_tells_is_told_by_its_cells_or_as_the_total(
    question: str, table: EvidenceText, answer: str
) -> None:
    found = look_up(AnswerInputs(question=question, evidence=[table]), question)
    assert [one.text for one in found] == [answer]


@pytest.mark.parametrize(
    "question",
    [
        "Who leads the firm that is owned by Corvik Traders?",  # asks of another firm
        "What percentage in Avermoor answered?",  # yes, or no
        "How many tons of coal did Ellmoor get?",  # mined, or sold
    ],
)
def test_where_nothing_tells_the_column_nothing_is_looked_up(question: str) -> None:
    assert look_up(AnswerInputs(question=question, evidence=[VOTE, FIRMS, COAL]), question) == []


def test_what_a_page_may_say_that_the_row_leads_to_is_not_looked_up() -> None:
    page = EvidenceText(
        id="corvik.html#text-1", modality="text", title="Corvik Traders", score=1.0, parent=FIRMS.id, parent_row=0,
        sentences=["Corvik Traders was founded by Mara Venn."],
    )  # fmt: skip
    question = "Who founded Corvik Traders?"
    assert look_up(AnswerInputs(question=question, evidence=[FIRMS, page]), question) == []


def test_support_is_less_the_less_is_told() -> None:
    def support(question: str) -> float:
        (found,) = look_up(AnswerInputs(question=question, evidence=[FIRMS, PARTS]), question)
        return found.support

    named = support("What is the unit price of RX-4410?")
    untold = support("What unit price did the workshop agree on last spring for RX-4410?")
    of_kind = support("Who do I ask for at Corvik Traders?")
    assert named > untold > of_kind
    reading = weighed(
        extract_answer(AnswerInputs(question="Who do I ask for at Corvik Traders?", evidence=[FIRMS])), packaged()
    )
    assert (reading.text, reading.extract.level) == ("Yoshi Nagase", "medium")  # never for sure


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Q3 FY24", "third quarter of fiscal 2024"),
        ("3QFY24", "3rd quarter FY2024"),
        ("Q3 '24", "3Q24"),
        ("H1 2023", "first half of 2023"),
    ],
)
def test_a_part_of_a_year_is_one_however_it_is_written(one: str, other: str) -> None:
    assert marked(one) == marked(other)


def test_a_number_has_its_scale_from_above_the_table() -> None:
    sums = _table(
        "half.xlsx#table-1", "Half-year figures", ["In millions of SEK", "Sales", "of which restructuring costs"],
        [["Water", "1706", "-94"], ["Tea", "2204", "-3"]],
    )  # fmt: skip
    question = "What did restructuring cost the water business?"
    reading = extract_answer(AnswerInputs(question=question, evidence=[sums]))
    assert reading.text == "-94 (in millions of SEK)"
    assert reading.citations[0].row == 0


def test_numbers_are_one_however_they_are_written() -> None:
    assert marked("fifty") == marked("50") == marked("50.0")
    assert marked("a thousand") == marked("1k") == marked("1,000")
    assert marked("two hundred") == marked("200") != marked("-200")
    assert marked("v2.2.0") == marked("2.2.0") != marked("2.2")


@pytest.mark.parametrize(
    ("question", "nearness", "answer"),
    [
        ("When a log was rotated, how many more seconds is the old one read?", [0.2, 0.61, 0.3], ["5 seconds"]),
        ("How big may a message be if I set nothing?", [0.6, 0.3, 0.2], ["2048 bytes"]),
        ("How big may a message be if I set nothing?", [0.6, 0.59, 0.2], []),  # two are as near
        ("Where is the queue kept by default?", [0.1, 0.2, 0.7], []),  # nothing is set
        ("Which setting says where messages wait?", [0.1, 0.2, 0.7], ["store_dir"]),
        ("Which setting says where messages wait?", [0.1, 0.68, 0.7], []),
    ],
)
def test_the_default_of_the_setting_that_is_described_is_looked_up(
    question: str, nearness: list[float], answer: list[str]
) -> None:
    settings = _table(
        "relay/input.md#table-1", "Relay input", ["Key", "Description", "Default"],
        [
            ["buffer_size", "Maximum payload size (in bytes) for a single message.", "2048"],
            ["rotate_wait", "Extra time in seconds to monitor a file once it is rotated.", "5"],
            ["store_dir", "Directory where messages are held before they are sent.", "_none_"],
        ],
    )  # fmt: skip
    inputs = AnswerInputs(question=question, evidence=[settings.model_copy(update={"nearness": nearness})])
    assert [found.text for found in look_up(inputs, question)] == answer


def test_what_the_page_says_beside_a_table_does_not_tell_its_row() -> None:
    question = "How many votes of keepers were for reports of the wardens on lamps, oil and wicks?"
    ballot = _table("guild.md#table-1", "Ballot of the guild", ["Choice", "Late votes"], [["Absent", "80"]])
    asked = "Keepers were asked whether wardens are to give reports on lamps, oil and wicks."
    beside = EvidenceText(id="guild.md#text-1", modality="text", title=ballot.title, sentences=[asked], score=0.9)
    assert look_up(AnswerInputs(question=question, evidence=[ballot, beside]), question) == []
    late = "How many late votes were there on lamps?"
    assert [one.text for one in look_up(AnswerInputs(question=late, evidence=[ballot, beside]), late)] == ["80"]
