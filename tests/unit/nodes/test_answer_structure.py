"""Items, tables and sections of an answer: numbered, bounded, and checked like the citations of its text."""

import io
from typing import Any

import pytest
from fixtures.read_answers import QUOTE, Shelves
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from backtrail.api.answer import answer_of
from backtrail.cli.show.answer_lines import show_answer
from backtrail.cli.show.result import result
from backtrail.nodes.reading.answer_structure import MOST_COLUMNS, MOST_ITEMS, STRUCTURE_CHARACTERS, Numbering
from backtrail.nodes.reading.build_answer import build_answer, numbered_answer
from backtrail.nodes.reading.citations import citation
from backtrail.nodes.reading.component_views import evidence_text, whole_text
from backtrail.nodes.reading.searched_cells import with_searches
from backtrail.nodes.streaming.answer_message import answer_message
from backtrail.nodes.streaming.numbered_sources import Where
from backtrail.state.answer import Answer, Citation
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, StructuredReading
from backtrail.state.answer_structure import structure_markdown, structure_of
from backtrail.state.chat.answer_payload import answer_text
from backtrail.state.component import Component, Document, Locator, Table
from backtrail.state.settings import Settings
from backtrail.state.structured_reading import CitedPiece

SAID = "Titan is a moon. It was seen in 1655."
TITAN = Component(id="titan#0", document="titan", modality="text", position=0, text=SAID)
ASKED = AnswerInputs(question="Which moons?", evidence=[whole_text(TITAN, None, 1.0)])
SEEN = {"component": "titan#0", "sentence": 1}


def reading(**more: Any) -> StructuredReading:
    return StructuredReading.model_validate({"text": "These.", "supported": True, "confidence": 0.9, **more})


def cite(piece: CitedPiece) -> list[Citation]:
    """A citation by its piece; components that begin with "computed" have two, as over two tables."""
    place: Any = {"row": piece.row} if piece.row is not None else {}
    one: Citation = {
        "component": piece.component, "document": "d", "title": "D", "section": "", "modality": "text",
        "locator": place, "quote": "",
    }  # fmt: skip
    return [one, {**one, "section": "2"}] if piece.component.startswith("computed") else [one]


pieces = st.builds(CitedPiece, component=st.sampled_from(["a", "b", "computed@1"]), row=st.none() | st.integers(0, 3))
cited = st.lists(pieces, max_size=4)
words = st.text("ab |*\n", max_size=20)
part = st.fixed_dictionaries({"heading": words, "column": words, "text": words, "citations": cited})
structures = st.lists(part, max_size=2 * MOST_COLUMNS)


def parts(answer: Answer) -> list[Any]:
    rows = answer["table"]["rows"] if "table" in answer else []
    return [*answer.get("items", []), *answer.get("sections", []), *(cell for row in rows for cell in row)]


@given(structures, cited)
def test_what_a_part_cites_is_among_the_numbered_citations_of_the_answer(structure: Any, of_text: Any) -> None:
    given_ = reading(parts=structure, citations=of_text)
    answer, again = (numbered_answer(given_, Numbering(cite)) for _ in range(2))
    assert answer == again
    numbers = {number for part in parts(answer) for number in part["citations"]}
    assert numbers <= set(range(1, len(answer["citations"]) + 1))
    text_alone = numbered_answer(reading(citations=of_text), Numbering(cite))["citations"]
    assert answer["citations"][: len(text_alone)] == text_alone
    shown = [(one["component"], one["section"], one["locator"].get("row")) for one in answer["citations"]]
    assert len(set(shown)) == len(shown)
    if "table" in answer:
        assert {len(row) for row in answer["table"]["rows"]} <= {len(answer["table"]["columns"])}
    structure_markdown(structure_of(answer))


def test_an_item_cites_what_the_model_named_for_it() -> None:
    of_b = {"component": "b", "row": 1}
    items = [{"text": "b1", "citations": [of_b]}, {"text": "a", "citations": [{"component": "a"}, of_b]}]
    given_ = reading(parts=items)
    answer = numbered_answer(given_, Numbering(cite))
    assert [one["component"] for one in answer["citations"]] == ["b", "a"]
    assert answer.get("items") == [{"text": "b1", "citations": [1]}, {"text": "a", "citations": [2, 1]}]


def cell(heading: str, column: str, text: str = "", *citations: Any) -> dict[str, Any]:
    return {"heading": heading, "column": column, "text": text, "citations": citations}


def test_cells_make_a_table_in_the_order_of_their_first_naming_and_may_cite_several_pieces() -> None:
    of_a, of_b = {"component": "a"}, {"component": "b", "row": 1}
    cells = [cell("Titan", "Seen", "1655", of_a, of_b), cell("Rhea", "Mass"), cell("Rhea", "Seen", "1672", of_b)]
    table = numbered_answer(reading(parts=cells), Numbering(cite)).get("table")
    assert table is not None
    assert table["columns"] == ["", "Seen", "Mass"]
    assert [[(one["text"], one["citations"]) for one in row] for row in table["rows"]] == [
        [("Titan", []), ("1655", [1, 2]), ("", [])],
        [("Rhea", []), ("1672", [2]), ("", [])],
    ]


@pytest.mark.parametrize(
    ("parts_", "note"),
    [
        ([{"text": "x"}] * (MOST_ITEMS + 12), f"12 of {MOST_ITEMS + 12} items are left out."),
        ([{"heading": "h", "text": "word " * 4_000}] * 9, "3 of 9 sections are left out."),
        (
            [cell("r", str(n), "x") for n in range(MOST_COLUMNS)],
            f"1 of {MOST_COLUMNS} columns are left out.",
        ),
    ],
)
def test_what_is_too_long_is_cut_and_said(parts_: Any, note: str) -> None:
    answer = numbered_answer(reading(parts=parts_), Numbering(cite))
    assert answer.get("cut") == note
    assert sum(len(part["text"]) for part in parts(answer)) <= STRUCTURE_CHARACTERS


@pytest.mark.parametrize(
    ("parts_", "problem"),
    [
        ([{"text": "Rhea", "citations": [{"component": "rhea#0"}]}], "'rhea#0' was not offered"),
        ([{"heading": "Seen", "text": "In 1655."}], "Part 1 cites nothing"),
        ([{"text": "Titan", "citations": [{"component": "titan#0", "sentence": 7}]}], "7 does not exist"),
        ([cell("Titan", "Seen", "1655")], "Part 1 cites nothing"),
        ([cell("", "Seen", "1655", SEEN)], "Part 1: the heading of a cell names its row"),
        (
            [{"text": "Titan", "citations": [SEEN]}, {"heading": "Seen", "text": "1655", "citations": [SEEN]}],
            "The parts mix items and sections",
        ),
    ],
)
def test_parts_are_checked_as_the_text_is(parts_: Any, problem: str) -> None:
    assert problem in " ".join(ANSWER.check(ASKED, reading(parts=parts_)))


def test_an_answer_whose_parts_cite_needs_no_citation_of_its_text() -> None:
    item = {"text": "Titan, seen in 1655", "citations": [SEEN]}
    assert ANSWER.check(ASKED, reading(parts=[item])) == []
    assert ANSWER.check(ASKED, reading()) == ["A supported answer must cite at least one component."]


def test_numbers_and_names_of_the_parts_are_compared_with_what_is_cited() -> None:
    held: dict[str, Document] = {}
    items = [
        {"text": "Titan, seen in 1655", "citations": [SEEN]},
        {"text": "after it Rhea, in 1672", "citations": [SEEN]},
    ]
    answer = build_answer(reading(parts=items), ASKED.evidence, {TITAN.id: TITAN}, held, question=ASKED.question)
    assert answer.get("not_found") == ["1672", "Rhea"]


def test_a_structure_is_read_as_markdown() -> None:
    table = {"columns": ["Moon", "Seen|in"], "rows": [
        [{"text": "Titan", "citations": []}, {"text": "1655", "citations": [2]}],
        [{"text": "Rhea", "citations": []}, {"text": "", "citations": [], "searched": ["When was Rhea seen?"]}],
    ]}  # fmt: skip
    assert structure_markdown({"table": table}) == (  # type: ignore[typeddict-item]
        "| Moon | Seen\\|in |\n| --- | --- |\n| Titan | 1655 [2] |\n| Rhea | – |\n\n"
        "- Not found: Rhea, Seen|in (searched: “When was Rhea seen?”)"
    )
    assert structure_markdown({"items": [{"text": "a\nb", "citations": [1, 3]}], "cut": "1 of 2 items."}) == (
        "- a b [1] [3]\n\n*1 of 2 items.*"
    )
    section = {"heading": "Moons", "text": "One.\n\nTwo.", "citations": [1]}
    assert structure_markdown({"sections": [section]}) == "### Moons\n\nOne.\n\nTwo. [1]"  # type: ignore[typeddict-item]


def test_an_empty_cell_names_the_searches_that_were_made_for_it() -> None:
    cells: Any = [
        [{"text": "Rhea", "citations": []}, {"text": "", "citations": []}, {"text": "1672", "citations": [1]}]
    ]
    reply: Any = {"table": {"columns": ["Moon", "Mass", "Seen"], "rows": cells}, "text": "", "citations": []}
    hops: Any = [
        {"kind": kind, "subquery": text, "outcome": outcome}
        for kind, text, outcome in (
            ("traverse", "Which moons are there?", "success"), ("traverse", "mass of Rhea", "failure"),
            ("traverse", "Rhea's mass", "refused"), ("plan", "Rhea mass?", "success"),
        )
    ]  # fmt: skip
    _, empty, filled = with_searches(reply, hops)["table"]["rows"][0]  # type: ignore[typeddict-item]
    assert (empty.get("searched"), "searched" in filled) == (["mass of Rhea"], False)
    assert with_searches(reply, hops[:1])["table"]["rows"][0][1]["searched"] == ["Which moons are there?"]  # type: ignore[typeddict-item]


def test_an_answer_with_a_table_is_shown_everywhere() -> None:
    row: Any = [{"text": "Titan <b>", "citations": []}, {"text": "![x](https://evil.example)", "citations": [1]}]
    values: Any = {
        "answer": {
            "text": "See **this**.", "citations": [QUOTE], "confidence": 0.9, "abstained": False,
            "table": {"columns": ["Moon", "Seen"], "rows": [row]},
        }
    }  # fmt: skip
    printed = io.StringIO()
    show_answer(values, Console(file=printed, width=200))
    assert "| Titan <b> | ![x](https://evil.example) [1] |" in printed.getvalue()
    assert result("t", "fif", "ours", values)["table"] == values["answer"]["table"]
    answer = answer_of("t", "fif", values)
    assert answer.table is not None
    assert answer.table["columns"] == ["Moon", "Seen"]
    html = answer._repr_html_()
    assert "<strong>this</strong>" in html
    assert "<td>Titan &lt;b&gt;</td>" in html
    assert "<img" not in html
    assert "href" not in html
    message = answer_message(Shelves(), Settings(), values["answer"], "?", [], "", Where())  # type: ignore[arg-type]
    assert "| Titan \\<b\\> | !\\[x\\](`https://evil.example`) [1] |" in message.content
    assert "| Moon | Seen |" in answer_text(message)


@pytest.mark.parametrize(("row", "place"), [(1, {"page": 3, "box": [0, 0, 9, 9]}), (2, {"page": 4})])
def test_a_row_of_a_table_over_two_pages_is_cited_on_its_own(row: int, place: dict[str, Any]) -> None:
    table = Table(caption="Register", header=("Entry",), rows=(("a",), ("b",), ("c",)))
    where = Locator(page=3, box=(0, 0, 9, 9), continued=((2, 4),))
    component = Component(id="t", document="d", position=0, modality="table", table=table, locator=where)
    cited = citation(CitedPiece(component="t", row=row), component, None, evidence_text(component, None, 1.0))
    assert cited["locator"] == {**place, "row": row}
