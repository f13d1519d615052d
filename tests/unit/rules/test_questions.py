"""What a question asks for, and the sentence that answers one for a definition."""

import pytest
from fixtures.pieces import text_piece
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.definitions import defined_thing, says_what
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who created the series in which Robert appeared?", "person"),
        ("Where was the runner-up born?", "place"),
        ("When was the mosque built?", "date"),
        ("What year was the club founded?", "year"),
        ("How many people live in the city?", "number"),
        ("Is the tower taller than the bridge?", "yes_no"),
        ("Which is older, Oxford or Cambridge?", "choice"),
        ("What colour is the roof shown in the map of Paris?", "colour"),
        ("The driver who finished first was of what nationality?", "nationality"),
        ("How did the founders prevent it?", "manner"),
        ("When the owner was Rex Ellsworth, the trainer was from what state?", "place"),
        ("¿Quién escribió la novela?", "unknown"),
    ],
)
def test_kind_of_answer(question: str, kind: str) -> None:
    assert analyse(question).kind == kind


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which is older, A or B?", {"older"}),
        ("When was the last signal received from the craft that took the first message out?", {"last"}),
        ("When was Voyager 1 launched?", set[str]()),
    ],
)
def test_words_that_compare_order_or_add_up(question: str, words: set[str]) -> None:
    assert analyse(question).comparing == words


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Which is older, Oxford or Cambridge?", ("Oxford", "Cambridge")),
        ("Which of them, iPhone or Android, is older?", ("iPhone", "Android")),
        ("How do I turn the heating on or off from the hall?", ()),
        ("Which club is older, or is it not?", ()),
    ],
)
def test_two_sides_of_a_choice(question: str, options: tuple[str, ...]) -> None:
    assert analyse(question).options == options


@given(st.text())
def test_any_text_can_be_analysed(question: str) -> None:
    assert analyse(question) == analyse(question)


TITAN = text_piece(
    "titan", "Titan", "Titan is the largest moon of Saturn, bigger than Mercury.", "Huygens landed there."
)
SATURN = text_piece("saturn", "Saturn", "Saturn has many moons, and Titan is one of them.", "The largest is Titan.")
GLOSSARY = text_piece(
    "glossary", "Certificates",
    "A CSR (certificate signing request) is an unsigned certificate for submission to an authority.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What is Titan?", "Titan"),
        ("what is a CSR exactly?", "CSR"),
        ("Who was Ada Lovelace?", "Ada Lovelace"),
        ("What is the capital of France?", ""),
        ("What is the deadline?", ""),
        ("When was Titan found?", ""),
        ("", ""),
    ],
)
def test_what_asks_for_a_definition(question: str, thing: str) -> None:
    assert defined_thing(question) == thing


@pytest.mark.parametrize(("question", "defining"), [("What is Titan?", TITAN), ("What's a CSR?", GLOSSARY)])
def test_the_defining_sentence_is_the_answer_or_there_is_none(question: str, defining: EvidenceText) -> None:
    reading = answer(AnswerInputs(question=question, evidence=[SATURN, defining]))
    assert (reading.text, reading.citations) == (defining.sentences[0], [CitedPiece(component=defining.id, sentence=0)])
    assert not answer(AnswerInputs(question=question, evidence=[SATURN])).supported


@pytest.mark.parametrize(
    ("sentence", "thing", "says"),
    [
        ("The Helgrind (a tool) is one of many.", "Helgrind", True),
        ("Certificate Signing Request (CSR): An unsigned certificate for an authority.", "CSR", True),
        ("CSR: see Certificate.", "CSR", False),
        ("Helgrind is usually able to show both accesses.", "Helgrind", False),
        ("Valgrind is the name of the main entrance to Valhalla.", "Valgrind", False),
    ],
)
def test_what_a_sentence_says_of_a_thing_is_a_definition_or_not(sentence: str, thing: str, says: bool) -> None:
    assert says_what(sentence, thing) is says
    page = text_piece("p", "Page of another name", sentence)
    assert answer(AnswerInputs(question=f"What is {thing}?", evidence=[page])).supported is says


@given(st.text(max_size=200))
def test_any_text_can_be_asked(question: str) -> None:
    thing = defined_thing(question)
    assert not thing or all(word in question for word in thing.split())
