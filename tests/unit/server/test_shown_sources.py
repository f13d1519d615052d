"""Sources on a page: what is marked, where links lead, and the numbers of cited rows."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.nodes.reading.citation_locations import place
from backtrail.nodes.reading.citations import citation
from backtrail.server.ui.sources import Marked, _contents, mark, web_address
from backtrail.state.answer_decisions import CitedPiece, EvidenceText
from backtrail.state.component import Component


@pytest.mark.parametrize(
    ("url", "leads_to"),
    [
        ("https://example.org/a?b#c", "https://example.org/a?b#c"), ("http://example.org", "http://example.org"),
        ("javascript:alert(1)", ""), ("javascript://example.org/%0aalert(1)", ""), ("data:text/html,x", ""),
        ("http:///etc/passwd", ""), ("notes/a.md", ""), ("http://[", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_link_leads_to_addresses_of_the_web_alone(url: str, leads_to: str) -> None:
    assert web_address(url) == leads_to


def test_the_cited_sentence_is_marked_however_its_lines_break() -> None:
    text = "It is old. It opened in 1902. It is long."
    marked = [Marked("It is old. "), Marked("It opened in 1902.", cited=True), Marked(" It is long.")]
    assert mark(text, "It opened in 1902.") == mark(text, "It opened\n in 1902.") == marked
    assert mark(text, "") == mark(text, "It closed.") == [Marked(text)]


@pytest.mark.parametrize("first_row", [None, 2, 40])
def test_a_row_has_one_number(first_row: int | None) -> None:
    cells = [[f"moon {number}", str(number)] for number in range(20)]
    held: dict[str, Any] = {
        "id": "moons#0", "document": "moons", "modality": "table", "position": 0,
        "table": {"header": ["name", "size"], "rows": cells}, "locator": {"first_row": first_row},
    }  # fmt: skip
    component = Component.model_validate(held)
    text = EvidenceText(id="moons#0", modality="table", title="Moons", header=["name", "size"], rows=cells, score=1.0)
    cited = citation(CitedPiece(component="moons#0", row=12), component, None, text)
    shown = _contents(component, cited, None, None, "tiny")  # type: ignore[arg-type]
    [row] = [row for row in shown["rows"] if row.cited]
    assert list(row.cells) == cells[12]
    assert place("table", cited["locator"]) == f"table, row {row.number}"


def test_all_rows_of_a_computation_are_marked_and_no_others() -> None:
    rows = tuple((f"moon {number}",) for number in range(300))
    table = {"header": ("name",), "rows": rows}
    held: dict[str, Any] = {"id": "m#0", "document": "m", "modality": "table", "position": 0, "table": table}
    cited: Any = {"component": "m#0", "document": "m", "locator": {"rows": [[3, 4], [200, 200]]}, "quote": ""}
    shown = _contents(Component.model_validate(held), cited, None, None, "tiny")  # type: ignore[arg-type]
    assert [(row.number, row.cited) for row in shown["rows"]] == [(4, True), (5, True), (201, True)]
    assert shown["rows_left"] == 297
    assert place("table", cited["locator"]) == "table, rows 4–5, 201"
