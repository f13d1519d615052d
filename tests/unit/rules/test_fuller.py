"""An answer is given with the noun or the list that its sentence gives it, and no life's date answers for an event."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.asked.fuller import fuller
from backtrail.rules.reader.candidates import Candidate
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText


@pytest.mark.parametrize(
    ("question", "sentence", "read", "said"),
    [
        ("What team was Danka a member of?", "She is in the Aarland Cup team .", "Aarland Cup", "Aarland Cup team"),
        (
            "Which provincial road leads to Moss?",
            "The SP61 provincial road leads there.",
            "SP61",
            "SP61 provincial road",
        ),
        ("How many seasons did it play?", "It played 18 seasons there.", "18", "18 seasons"),
        ("Where are the campuses?", "It has them in Oslo , Bergen , and Moss .", "Oslo", "Oslo , Bergen , and Moss"),
        ("In which three years did he ride?", "He rode in 2017, 2018 and 2019.", "2017", "2017, 2018 and 2019"),
        ("In which year did he ride?", "He rode in 2017, 2018 and 2019.", "2017", "2017"),
        ("How many others has it?", "It has six other moons.", "six", "six"),
        ("In which desert state is it?", "It lies in the Utah desert.", "Utah", "Utah"),
        (
            "What was the 1999 album?",
            "It opens its third album , Red State ( 1999 ) .",
            "third album",
            "third album , Red State",
        ),
        (
            "When is the spare pump used?",
            "The spare pump will only be used if the first one is full.",
            "if the first one is full",
            "only if the first one is full",
        ),
        ("What did it grow?", "It grew wheat , Maize , and Rye .", "wheat", "wheat"),
        ("Which team was it?", "The Bears beat the team of Moss.", "Bears", "Bears"),
        ("Where is the campus?", "It has one in Oslo and Moss.", "Oslo", "Oslo"),
    ],
)
def test_what_its_sentence_goes_on_to_call_it_is_said(question: str, sentence: str, read: str, said: str) -> None:
    page = EvidenceText(id="p", modality="text", title="", sentences=[sentence], score=1.0)
    assert fuller(read, Candidate(read, pieces([page])[0], {}), analyse(question)) == said


def test_when_somebody_was_born_is_no_year_of_anything_else() -> None:
    page = EvidenceText(
        id="p", modality="text", title="Dana Moe", score=1.0,
        sentences=["Dana Moe (born September 29, 1989) is a singer who was a contestant of Starlight in 2008."],
    )  # fmt: skip
    asked = "In which year was the singer Dana Moe a contestant of Starlight?"
    assert answer(AnswerInputs(question=asked, evidence=[page])).text == "2008"
    assert "1989" in answer(AnswerInputs(question="When was Dana Moe born?", evidence=[page])).text


def test_of_the_two_dates_of_a_life_the_first_is_the_birth_and_the_second_the_death() -> None:
    page = EvidenceText(
        id="p", modality="text", title="Dana Moe", score=1.0,
        sentences=["Dana Moe (3 May 1934 – 2 June 2012) was a singer of Aarland."],
    )  # fmt: skip
    for asked, said in (("born", "3 May 1934"), ("die", "2 June 2012")):
        question = f"When {'was' if asked == 'born' else 'did'} the singer Dana Moe of Aarland {asked}?"
        assert answer(AnswerInputs(question=question, evidence=[page])).text == said
