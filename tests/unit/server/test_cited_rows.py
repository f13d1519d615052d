"""Rows of a cited table have the numbers on the page that the answer's place names."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.nodes.reading.citing import citation
from backtrail.nodes.reading.places import place
from backtrail.server.ui.sources import _contents
from backtrail.state.answer_decisions import CitedPiece, EvidenceText
from backtrail.state.component import Component


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
