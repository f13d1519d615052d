"""A number is said with the range, size, currency or rate that its sentence gives it."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.asked.whole_measure import whole_measure
from backtrail.rules.reader.candidates import Candidate
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import EvidenceText


def said(read: str, sentence: str) -> str:
    page = EvidenceText(id="p", modality="text", title="", sentences=[sentence], score=1.0)
    return whole_measure(Candidate(read, pieces([page])[0], {}))


@pytest.mark.parametrize(
    ("sentence", "read", "whole"),
    [
        ("Let it rest for 5 to 30 minutes.", "30 minutes", "5 to 30 minutes"),
        ("Let it rest for between 5 and 30 minutes.", "30 minutes", "5 and 30 minutes"),
        ("Roll it out to 20cm x 30cm.", "20cm", "20cm x 30cm"),
        ("It takes 8-15 months.", "8", "8-15 months"),
        ("It holds 1.0%-2.5% alcohol.", "1.0%", "1.0%-2.5%"),
        ("Come in one day per week.", "one day", "one day per week"),
        ("They pay $10.00 an hour.", "$10.00", "$10.00 an hour"),
        ("They pay $2000 per fiscal quarter.", "$2000", "$2000 per fiscal quarter"),
        ("The target is EUR 8.00 now.", "8.00", "EUR 8.00"),
        ("Of its rooms 8-15 of them are let.", "8", "8-15"),
        ("It was built by 40 people in 12 days.", "12 days", "12 days"),
        ("It opened on 12 May.", "12 May", "12 May"),
        ("Route 66 to Moss closed 12 days.", "12 days", "12 days"),
        ("She lived from 3 May 1931 – 1 June 1999.", "3 May 1931", "3 May 1931"),
        ("She (1931–1999) was a poet.", "1931", "1931"),
        ("The Bears won by 3 goals.", "Bears", "Bears"),
        ("The version is 2.10.", "10", "10"),
    ],
)
def test_a_number_is_said_whole(sentence: str, read: str, whole: str) -> None:
    assert said(read, sentence) == whole


def test_a_cell_stays_as_it_is() -> None:
    table = EvidenceText(id="t", modality="table", title="", header=["Rate"], rows=[["5", "8 per day"]], score=1.0)
    assert whole_measure(Candidate("5", pieces([table])[0], {})) == "5"
