"""A question for a definition is answered by the sentence that gives it, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.definitions import defined_thing, says_what
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText

TITAN = EvidenceText(
    id="titan", modality="text", title="Titan",
    sentences=["Titan is the largest moon of Saturn, bigger than Mercury.", "Huygens landed there."], score=0.6,
)  # fmt: skip
SATURN = EvidenceText(
    id="saturn", modality="text", title="Saturn",
    sentences=["Saturn has many moons, and Titan is one of them.", "The largest is Titan."], score=0.9,
)  # fmt: skip
GLOSSARY = EvidenceText(
    id="glossary", modality="text", title="Certificates",
    sentences=["A CSR (certificate signing request) is an unsigned certificate for submission to an authority."],
    score=0.5,
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What is Titan?", "Titan"),
        ("what is a CSR exactly?", "CSR"),
        ("Who was Ada Lovelace?", "Ada Lovelace"),
        ("What does CSR mean?", "CSR"),
        ("What is the capital of France?", ""),
        ("What is the deadline?", ""),
        ("What is Titan's diameter?", ""),
        ("When was Titan found?", ""),
        ("Who is the manager and where does he live?", ""),
        ("", ""),
    ],
)
def test_what_asks_for_a_definition(question: str, thing: str) -> None:
    assert defined_thing(question) == thing


@pytest.mark.parametrize(
    ("question", "evidence", "said", "cited"),
    [
        ("What is Titan?", [SATURN, TITAN], TITAN.sentences[0], CitedPiece(component="titan", sentence=0)),
        ("What's a CSR?", [SATURN, GLOSSARY], GLOSSARY.sentences[0], CitedPiece(component="glossary", sentence=0)),
    ],
)
def test_the_defining_sentence_is_the_answer(
    question: str, evidence: list[EvidenceText], said: str, cited: CitedPiece
) -> None:
    reading = answer(AnswerInputs(question=question, evidence=evidence))
    assert (reading.text, reading.citations) == (said, [cited])


@pytest.mark.parametrize(
    "sentence",
    ["Helgrind is usually able to show both accesses.", "Helgrind is supported on Linux.", "Helgrind is not perfect."],
)
def test_how_or_where_a_thing_is_does_not_say_what_it_is(sentence: str) -> None:
    item = EvidenceText(id="hg", modality="text", title="Races", sentences=[sentence], score=1.0)
    assert not answer(AnswerInputs(question="What is Helgrind?", evidence=[item])).supported
    assert not says_what(sentence, "Helgrind")
    assert says_what("The Helgrind (a tool) is one of many.", "Helgrind")


@pytest.mark.parametrize("said", ["the name of the main entrance to Valhalla", "an old name given to gates"])
def test_where_a_name_comes_from_does_not_say_what_is_called_so(said: str) -> None:
    assert not says_what(f"Valgrind is {said}.", "Valgrind")
    item = EvidenceText(id="faq", modality="text", title="Valgrind", sentences=[f"Valgrind is {said}."], score=1.0)
    assert not answer(AnswerInputs(question="What is Valgrind?", evidence=[item])).supported
    assert says_what("Valgrind is a framework whose name is old.", "Valgrind")


def test_without_a_defining_sentence_nothing_is_said() -> None:
    reading = answer(AnswerInputs(question="What is Titan?", evidence=[SATURN]))
    assert not reading.supported
    assert "Titan" in reading.text


@given(st.text(max_size=200))
def test_any_text_can_be_asked(question: str) -> None:
    thing = defined_thing(question)
    assert not thing or all(word in question for word in thing.split())


def test_what_something_was_nicknamed_is_no_definition() -> None:
    assert defined_thing("What was Debian 2.2 nicknamed?") == ""
    assert defined_thing("What is a shared header?") == "shared header"


def test_an_entry_of_a_glossary_defines() -> None:
    assert says_what("CSR: An unsigned certificate for submission to an authority.", "CSR")
    assert says_what("Certificate Signing Request (CSR): An unsigned certificate for an authority.", "CSR")
    assert not says_what("CSR: see Certificate.", "CSR")
