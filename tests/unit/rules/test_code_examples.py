"""An example of code shows anybody's name and more than is asked for: what is read in one is never sure."""

from __future__ import annotations

import pytest

from backtrail.rules.reader.calibration import packaged
from backtrail.rules.reader.doubts import doubt
from backtrail.rules.reader.extract import extract_answer, weighed
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.offline.extract import ExtractInputs, ExtractReading


def _text(place: int, *sentences: str) -> EvidenceText:
    return EvidenceText(
        id=f"Orrin#{place}", modality="text", title="Orrin", section="", sentences=list(sentences),
        score=1.0 - place / 20, page="Orrin", order=place, nearness=[0.5] * len(sentences),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who is the author of Orrin?", 'The author of Orrin: {. "id": "local", "name": "Halvor Lindqvist", }'),
        ("Which option of Orrin sets the email of the account?",
         "The option of Orrin that sets the email of the account: orrin.example {; mail halvor@orrin.example; }"),
    ],
)  # fmt: skip
def test_what_is_read_in_an_example_is_not_said(question: str, sentence: str) -> None:
    reading = weighed(extract_answer(ExtractInputs(question=question, evidence=[_text(0, sentence)])), packaged())
    assert isinstance(reading, ExtractReading)
    assert reading.extract.level != "high"
    assert doubt(reading.extract.signals) == "word"


def test_a_name_in_a_sentence_is_said() -> None:
    told = _text(0, "The author of Orrin is Halvor Lindqvist.")
    reading = weighed(
        extract_answer(ExtractInputs(question="Who is the author of Orrin?", evidence=[told])), packaged()
    )
    assert isinstance(reading, ExtractReading)
    assert reading.extract.level == "high"
    assert reading.short == "Halvor Lindqvist"
