"""What stands in the sentences of a table's long cells is read as it is in other sentences, and cited with its row."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.lookup.cell_prose import prose_cells
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText

TOOLS = EvidenceText(
    id="heron/tools.html#table-1", modality="table", title="The Heron builder", section="Tools", score=1.0,
    header=["", ""],
    rows=[
        ["gallery", "shows the pictures of the last run in a window of the browser. Available since Heron 2.14."],
        ["sweep", "removes what earlier runs left behind and no rule makes any longer. Available since Heron 3.20."],
        ["serve", "answers requests of other machines for what was built, on port 4713 unless another is given."],
    ],
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer", "row"),
    [
        ("Since which Heron can I have removed what earlier runs left behind?", "Heron 3.20", 1),
        ("On which port does Heron answer requests of other machines?", "4713", 2),
    ],
)
def test_a_value_in_the_prose_of_a_cell_is_read(question: str, answer: str, row: int) -> None:
    reading = extract_answer(AnswerInputs(question=question, evidence=[TOOLS]))
    assert answer in reading.short
    assert reading.citations[0] == CitedPiece(component=TOOLS.id, row=row)


def test_only_long_cells_in_words_are_prose() -> None:
    row = pieces([TOOLS])[0]
    codes = EvidenceText(
        id="a#1", modality="table", title="", score=1.0, rows=[["/".join(["0a1b2c"] * 40), "Words of a short cell."]]
    )
    assert [(part.row, part.column) for part in prose_cells(row, 80)] == [(0, 1)]
    assert list(prose_cells(pieces([codes])[0], 80)) == []
