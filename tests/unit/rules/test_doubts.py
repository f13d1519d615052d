"""What is said of something else than what is asked about is never said for sure, and what answers a phrase is read."""

import pytest

from backtrail.language.current_language import reading_in
from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.withholding_rules import doubt
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.offline.extract import ExtractInputs, ExtractReading


def _text(place: int, page: str, section: str, *sentences: str) -> EvidenceText:
    return EvidenceText(
        id=f"{page}#{place}", modality="text", title=page, section=section, sentences=list(sentences),
        score=1.0 - place / 20, page=page, order=place, nearness=[0.5] * len(sentences),
    )  # fmt: skip


HANDBOOK = [
    _text(0, "Halls", "", "Oak Hall was built in 1961 and has four study rooms.", "Its warden is Samuel Dray."),
    _text(1, "Halls", "", "Elm Hall was added in 1994.",
          "The roof of Elm Hall was repaired in July 2016 because hail had broken the tiles."),
    _text(2, "Staff", "Samuel Dray", "Samuel Dray came in 2009.", "He was born in Leeds and trained as a chemist."),
    _text(3, "Staff", "Priya Nair", "Priya Nair came in 2013 from a school in Leicester."),
    _text(4, "Clubs", "", "The chess club meets in room B07 and has 18 members.", "The rowing club won a cup in 2018."),
]  # fmt: skip


def ask(question: str, evidence: list[EvidenceText] | None = None) -> ExtractReading:
    reading = extract_answer(ExtractInputs(question=question, evidence=evidence or HANDBOOK))
    assert isinstance(reading, ExtractReading)
    return reading


@pytest.mark.parametrize(
    ("question", "against"),
    [
        ("When was Keller Hall built?", "other"),  # the sister hall's year
        ("Where did Samuel Dray train?", "clause"),  # born there
        ("How many members does the rowing club have?", "other"),  # the chess club's
        ("Which hall was not built in 1961?", "denied"),
    ],
)
def test_what_is_said_of_something_else_is_never_sure(question: str, against: str) -> None:
    reading = ask(question)
    assert reading.extract.level != "high"
    assert doubt(reading.extract.signals) == against


@pytest.mark.parametrize(
    ("language", "question", "sentences", "names"),
    [
        ("de", "Wer ist für den Heizkessel zuständig?",
         ("Der Heizkessel wird alle zwei Jahre geprüft.", "Zuständig ist Jan Petersen."), "Jan Petersen"),
        ("fr", "Qui est responsable de la chaudière ?",
         ("La chaudière est contrôlée chaque année.", "La responsable est Claire Lemoine."), "Claire Lemoine"),
    ],
)  # fmt: skip
def test_the_sentence_that_answers_is_quoted_in_other_languages(
    language: str, question: str, sentences: tuple[str, ...], names: str
) -> None:
    with reading_in(language):
        reading = extract_answer(ExtractInputs(question=question, evidence=[_text(0, "P", "", *sentences)]))
    assert names in reading.text


def test_a_name_alone_does_not_choose_a_sentence_in_other_languages() -> None:
    rows = _text(0, "Cassini", "", "Launch vehicle: Titan IVB-Centaur.", "It carried a probe for Titan.")
    with reading_in("de"):
        assert not extract_answer(ExtractInputs(question="Was ist Titan?", evidence=[rows])).supported
        assert extract_answer(ExtractInputs(question="Cassini: Titan?", evidence=[rows])).supported


@pytest.mark.parametrize(
    ("link", "level"),
    [
        ("The drum of the Argo was a spare of the Heron, and other parts were left over from the Plover.", False),
        ("The drum of the Argo was a spare of the Plover, and other parts were left over from the Heron.", True),
    ],
)
def test_what_a_sentence_says_of_another_thing_is_not_said_of_the_one_it_names_after(link: str, level: bool) -> None:
    plover = EvidenceText(
        id="plover", modality="table", title="Plover", header=["Item", "Entry"], rows=[["Launched", "4 May 1911"]],
        score=0.5,
    )  # fmt: skip
    reading = ask("When was the ship launched whose spare drum the Argo has?", [_text(0, "Argo", "", link), plover])
    assert reading.short == "4 May 1911"
    assert (reading.extract.level == "high") is level
    assert (doubt(reading.extract.signals) is None) is level


def test_one_of_several_things_asked_for_is_not_said_for_sure() -> None:
    evidence = [
        _text(0, "Mariner 10", "", "Mariner 10 was the first mission to Mercury.", "It was launched in 1973."),
        _text(0, "Messenger", "", "Messenger was the second mission to Mercury and orbited it from 2011."),
    ]
    for asked in ("Which missions to Mercury were there?", "What were the missions to Mercury?"):
        several = ask(asked, evidence)
        assert several.extract.level != "high"
        assert doubt(several.extract.signals) == "several"
    assert doubt(ask("Which mission to Mercury was the first?", evidence).extract.signals) != "several"
