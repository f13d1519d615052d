"""What stands behind a label in running text is read where its label is asked for."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.written.label_lines import label_values
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.offline.extract import ExtractInputs


@pytest.mark.parametrize(
    ("question", "line", "values"),
    [
        ("Who was the advisor of Ada's thesis?", "Advisor: Prof. Bea Roe", ["Prof. Bea Roe"]),
        ("What is the product code of the pump?", "- Product Code: 626 Weight: 4 kg", ["626"]),
        ("Which meeting location has the board?", "Board Meeting Location: 12 Quay. See below.", ["12 Quay"]),
        ("Who gave the financial approval?", "Review: Dr. Cy Poe; Financial Approval: Bea Roe, CFO",
         ["Bea Roe, CFO"]),
        ("What did the board say?", "Board: three people", []),
        ("Who leads the board?", f"Leads Board: {'all of them ' * 20}", []),
        ("Which pump is it?", "no label here", []),
    ],
)  # fmt: skip
def test_values_of_labels_that_are_asked_for(question: str, line: str, values: list[str]) -> None:
    assert [line[start:end] for start, end in label_values(line, analyse(question))] == values


def test_a_value_goes_before_what_stands_near() -> None:
    lines = ["Pump sheet of Orrin.", "Product Name: Heron pump", "Product Code: 62-66", "Weight: 4 kg"]
    item = EvidenceText(
        id="Orrin#1", modality="text", title="Orrin", section="Pumps", sentences=lines, score=1.0, page="Orrin",
        order=1, nearness=[0.5] * len(lines),
    )  # fmt: skip
    asked = ExtractInputs(question="What is the product code of the Heron pump of Orrin?", evidence=[item])
    assert read_out(asked).reading.text == "62-66"
