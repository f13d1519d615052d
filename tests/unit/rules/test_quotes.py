"""The three quotes: the likeliest places of the answer, apart from each other, each somewhere in the evidence."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.quotes import MOST_QUOTES, QUOTE_CHARACTERS, passage
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText, cites_evidence

CLUBS = EvidenceText(
    id="clubs", modality="table", title="Northern League", section="Stadiums", header=["Club", "Stadium", "Capacity"],
    rows=[["Alder Town", "Mill Lane", "4,000"], ["Birch Rovers", "Castle Park", "9,566"], ["Cedar", "Ring", "12,100"]],
    score=0.9,
)  # fmt: skip
OTHER = EvidenceText(
    id="weather", modality="text", title="Weather", sentences=["It rained for three days.", "Then it was dry."],
    score=0.1,
)  # fmt: skip


def test_the_row_that_is_asked_for_comes_first() -> None:
    reading = extract_answer(AnswerInputs(question="What is the capacity of Castle Park?", evidence=[OTHER, CLUBS]))
    assert (reading.extract.quotes[0].component, reading.extract.quotes[0].row) == ("clubs", 1)
    assert len(reading.extract.quotes) == MOST_QUOTES


def test_where_the_answer_was_read_is_quoted_first_however_it_was_read() -> None:
    glance = EvidenceText(
        id="heron", modality="table", title="Heron", section="Heron at a glance", header=["Item", "Entry"],
        rows=[["Launched", "4 May 1911"], ["Carrier ship", "Argo"], ["Power", "three oil engines"]], score=0.2,
    )  # fmt: skip
    others = [
        EvidenceText(id=f"t{n}", modality="text", title="Heron", sentences=["The ship Heron sailed."], score=0.9)
        for n in range(4)
    ]
    reading = extract_answer(AnswerInputs(question="What carrier ship did Heron use?", evidence=[*others, glance]))
    assert reading.short == "Argo"
    assert (reading.extract.quotes[0].component, reading.extract.quotes[0].row) == ("heron", 1)


def test_what_was_near_by_meaning_comes_before_what_was_not() -> None:
    plain = EvidenceText(
        id="a", modality="text", title="A", sentences=["Wheels turn.", "x " * 250, "Rain fell."], score=1
    )
    near = plain.model_copy(update={"nearness": [0.0, 0.0, 0.9]})
    quotes = extract_answer(AnswerInputs(question="How cold are nights?", evidence=[near])).extract.quotes
    assert quotes[0].sentence == 2


def test_quotes_are_given_where_no_answer_is() -> None:
    reading = extract_answer(AnswerInputs(question="Who painted the ceiling of the chapel?", evidence=[CLUBS, OTHER]))
    assert not reading.supported
    assert len(reading.extract.quotes) == MOST_QUOTES


def test_a_long_text_is_quoted_around_the_sentence() -> None:
    item = OTHER.model_copy(update={"sentences": [f"Sentence number {n} of a long text." for n in range(50)]})
    first, last = passage(item, 20)
    assert first <= 20 <= last
    assert len(" ".join(item.sentences[first : last + 1])) <= QUOTE_CHARACTERS
    assert passage(item, 0)[0] == 0


_ITEMS = st.builds(
    EvidenceText,
    id=st.sampled_from(["a", "b", "c"]),
    modality=st.just("text"),
    title=st.text(max_size=20),
    sentences=st.lists(st.text(max_size=40), max_size=4),
    rows=st.lists(st.lists(st.text(max_size=10), max_size=3), max_size=3),
    header=st.lists(st.text(max_size=10), max_size=3),
    score=st.floats(0, 1),
    nearness=st.lists(st.floats(-1, 1), max_size=4),
)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.lists(_ITEMS, max_size=3, unique_by=lambda item: item.id))
def test_quotes_point_into_the_evidence_and_never_twice_at_the_same(
    question: str, evidence: list[EvidenceText]
) -> None:
    inputs = AnswerInputs(question=question, evidence=evidence)
    reading = extract_answer(inputs)
    quotes = reading.extract.quotes
    assert len({quote.model_dump_json() for quote in quotes}) == len(quotes) <= MOST_QUOTES
    assert (
        cites_evidence(inputs, reading.model_copy(update={"citations": quotes})) in ([], None) or not reading.supported
    )
