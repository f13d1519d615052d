"""The offline agents: what is split, which keywords are named, what is read, and who is believed."""

import pytest
from fixtures.pieces import text_piece
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.terms import content_terms
from backtrail.nodes.hm_rag.agents.reading import by_relevance
from backtrail.rules.hm_rag.decide import merge, refine
from backtrail.rules.hm_rag.decompose import judge, split
from backtrail.rules.hm_rag.keywords import keywords
from backtrail.rules.reader.read import read
from backtrail.state.answer_decisions import CitedPiece
from backtrail.state.choice_decisions import OptionView, ReadInputs
from backtrail.state.hm_rag.decisions import (
    AgentAnswer,
    JudgeInputs,
    KeywordsInputs,
    MergeInputs,
    RefineInputs,
    SplitQuestion,
    check_keywords,
    check_merged,
    check_parts,
    check_reading,
)

TWO = "Who designed the Ondra bridge and when was the lighthouse of Palverin built?"


EVIDENCE = [
    text_piece("ondra#p0", "Ondra bridge", "The Ondra bridge was designed by Ira Sand.", "It is 90 m long."),
    text_piece("light#p0", "Lighthouse of Palverin", "The lighthouse of Palverin was built in 1884."),
]


@pytest.mark.parametrize(
    ("question", "several"),
    [
        (TWO, True),
        ("Which is older, the Reichsbrücke or the Urania bridge?", True),
        ("Who designed the Ondra bridge?", False),
    ],
)
def test_only_several_things_asked_side_by_side_are_several_intents(question: str, several: bool) -> None:
    assert judge(JudgeInputs(question=question)).several_intents == several


def test_parts_keep_the_words_of_the_question() -> None:
    parts = split(JudgeInputs(question=TWO))
    assert parts.questions == ["Who designed the Ondra bridge?", "When was the lighthouse of Palverin built?"]
    assert check_parts(JudgeInputs(question=TWO), parts) == []
    chinese = SplitQuestion(questions=["維也納的橋由誰設計?", "塔於何年完成?"])
    assert check_parts(JudgeInputs(question="維也納的橋由誰設計, and 塔於何年完成?"), chinese) == []


@given(question=st.text(max_size=500))
def test_whatever_is_judged_to_have_several_intents_can_be_split(question: str) -> None:
    inputs = JudgeInputs(question=question)
    if judge(inputs).several_intents:
        assert check_parts(inputs, split(inputs)) == []


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        (["Who designed the Ondra bridge?"], "1 sub-questions were given"),
        (["Who designed the Ondra bridge?"] * 2, "repeats an earlier one"),
        ([TWO, "Who designed the Ondra bridge?"], "Sub-question 0 repeats the question"),
        (["Who designed the Ondra bridge?", "What else is there?"], "keeps no keyword"),
        (["Who designed the Ondra bridge?", " "], "must have 1 to 400 characters"),
        ([f"Part {n} of the bridge?" for n in range(4)], "4 sub-questions were given"),
    ],
)
def test_parts_that_cannot_be_used_are_refused(parts: list[str], problem: str) -> None:
    assert any(problem in found for found in check_parts(JudgeInputs(question=TWO), SplitQuestion(questions=parts)))


def test_names_below_and_themes_above() -> None:
    found = keywords(KeywordsInputs(question="How did the flood of 1884 change shipping on the Velm River?"))
    assert "Velm River" in found.low_level
    assert found.high_level == ["flood 1884 change shipping Velm River"]


@given(question=st.text(min_size=1, max_size=300).filter(lambda text: any(c.isalnum() for c in text)))
def test_keywords_of_any_question_can_be_used(question: str) -> None:
    inputs = KeywordsInputs(question=question)
    assert check_keywords(inputs, keywords(inputs)) == []


CHOICE = [OptionView(label="A", text="Ira Sand"), OptionView(label="B", text="Otto Kell")]


def test_the_option_that_stands_with_the_question_is_chosen() -> None:
    inputs = ReadInputs(question="Who designed the Ondra bridge?", options=CHOICE, evidence=EVIDENCE)
    reading = read(inputs)
    assert (reading.text, reading.option) == ("(A) Ira Sand", "A")
    assert check_reading(inputs, reading) == []


def test_no_option_is_chosen_without_evidence_or_between_equals() -> None:
    question = "Who designed the Ondra bridge?"
    assert not read(ReadInputs(question=question, options=CHOICE, evidence=EVIDENCE[1:])).supported
    both = [text_piece("x#p0", "Ondra bridge", "The Ondra bridge was designed by Ira Sand and Otto Kell.")]
    reading = read(ReadInputs(question=question, options=CHOICE, evidence=both))
    assert (reading.supported, reading.option) == (False, None)
    assert "(A) and (B)" in reading.text


def agent(source: str, text: str, confidence: float, cites: str = "ondra#p0") -> AgentAnswer:
    pieces = [CitedPiece(component=cites, sentence=0)]
    return AgentAnswer(source=source, status="answered", text=text, confidence=confidence, citations=pieces)


def test_the_best_supported_wording_stands_for_those_that_agree() -> None:
    inputs = MergeInputs(question="Who?", answers=[agent("vector", "Sand", 0.4), agent("graph", "Ira Sand", 0.6)])
    assert merge(inputs).text == "Ira Sand"
    assert check_merged(inputs, merge(inputs)) == []


def test_a_merged_answer_brings_no_number_of_its_own() -> None:
    inputs = MergeInputs(question="When?", answers=[agent("vector", "in 1884", 0.4)])
    assert check_merged(inputs, merge(inputs).model_copy(update={"text": "in 1885"}))


def test_the_expert_takes_the_answer_that_is_supported_best() -> None:
    answers = [agent("vector", "Otto Kell", 0.2), agent("graph", "Ira Sand", 0.95)]
    reading = refine(RefineInputs(question="Who designed the Ondra bridge?", evidence=EVIDENCE, answers=answers))
    assert (reading.text, reading.confidence) == ("Ira Sand", 0.95)
    assert [piece.component for piece in reading.citations] == ["ondra#p0"]


def test_a_piece_that_says_what_is_asked_comes_before_earlier_ones_that_do_not() -> None:
    others = [text_piece(f"a#{number}", "A", "It is old.") for number in range(7)]
    decisive = text_piece("b#0", "B", "The viaduct of Malone was built by Holm.")
    ordered = by_relevance(content_terms("Who built the viaduct of Malone?"), [*others, decisive])
    assert [text.id for text in ordered].index("b#0") < 4
    assert {text.id for text in ordered} == {text.id for text in [*others, decisive]}
