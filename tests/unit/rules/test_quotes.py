"""The three quotes: the likeliest places of the answer, apart from each other, each somewhere in the evidence."""

from fixtures.pieces import table_piece, text_piece
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.passages import QUOTE_CHARACTERS
from backtrail.rules.reader.quotes import MOST_QUOTES
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText, cites_evidence
from backtrail.state.offline.extract import ExtractInputs

CLUBS = table_piece(
    "clubs", "Northern League", "Club | Stadium | Capacity",
    "Alder Town | Mill Lane | 4,000", "Birch Rovers | Castle Park | 9,566", "Cedar | Ring | 12,100",
    section="Stadiums", score=0.9,
)  # fmt: skip
OTHER = text_piece("weather", "Weather", "It rained for three days.", "Then it was dry.", score=0.1)


def test_the_row_that_is_asked_for_comes_first() -> None:
    reading = extract_answer(AnswerInputs(question="What is the capacity of Castle Park?", evidence=[OTHER, CLUBS]))
    first = reading.extract.quotes[0]
    assert (first.component, first.row) == ("clubs", 1)
    assert "Club | Stadium | Capacity" in first.text
    assert "Birch Rovers | Castle Park | 9,566" in first.text


def test_where_the_answer_was_read_is_quoted_first_however_it_was_read() -> None:
    rows = ("Launched | 4 May 1911", "Carrier ship | Argo", "Power | three oil engines")
    glance = table_piece("heron", "Heron", "Item | Entry", *rows, section="Heron at a glance", score=0.2)
    others = [text_piece(f"t{n}", "Heron", "The ship Heron sailed.", score=0.9) for n in range(4)]
    reading = extract_answer(AnswerInputs(question="What was the carrier ship of Heron?", evidence=[*others, glance]))
    assert reading.short == "Argo"
    assert (reading.extract.quotes[0].component, reading.extract.quotes[0].row) == ("heron", 1)


def test_what_was_near_by_meaning_comes_before_what_was_not() -> None:
    plain = text_piece("a", "A", "Wheels turn.", "x " * 250, "Rain fell.")
    near = plain.model_copy(update={"nearness": [0.0, 0.0, 0.9]})
    quotes = extract_answer(AnswerInputs(question="How cold are nights?", evidence=[near])).extract.quotes
    assert quotes[0].sentence == 2


def test_a_long_text_is_quoted_by_its_likeliest_sentences_in_their_order() -> None:
    lines = [f"Rain fell on day {n} and nothing else was noted by anyone there." for n in range(40)]
    lines[7], lines[30] = "The bridge of Alder opened in 1911.", "The engineer of the bridge of Alder was Ines Roth."
    item = OTHER.model_copy(update={"sentences": lines, "score": 1.0})
    asked = "Who was the engineer of the bridge of Alder?"
    quote = extract_answer(AnswerInputs(question=asked, evidence=[item])).extract.quotes[0]
    assert (quote.component, quote.sentence) == ("weather", 30)
    before, after = quote.text.split(lines[7])
    assert lines[30] in after.partition(" … ")[2]
    assert lines[30] not in before
    assert len(quote.text) <= QUOTE_CHARACTERS


def test_a_sentence_too_long_to_be_quoted_is_quoted_where_it_speaks_of_what_is_asked() -> None:
    wordy = "and so on " * 60 + "the blood pressure was 142/88 that day " + "and so on " * 60
    item = OTHER.model_copy(update={"sentences": [wordy]})
    quote = extract_answer(AnswerInputs(question="What was the blood pressure?", evidence=[item])).extract.quotes[0]
    assert "142/88" in quote.text


def test_what_stands_beside_the_evidence_is_quoted_and_never_read_as_an_answer() -> None:
    lead = EvidenceText(
        id="lead", modality="text", title="Mail", section="Limits", page="mail", order=0, score=1.0,
        sentences=["The largest size of a message is set as follows:"],
    )  # fmt: skip
    code = lead.model_copy(update={"id": "code", "order": 1, "sentences": ["message_size = 50 MB"], "score": 0.0})
    reading = extract_answer(
        ExtractInputs(question="What is the largest size of a message?", evidence=[lead], beside=[code])
    )
    assert "50 MB" not in reading.text
    assert reading.extract.quotes[0].text == "The largest size of a message is set as follows: message_size = 50 MB"
    assert reading.extract.quotes[0].component == "lead"


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
    page=st.sampled_from(["", "x", "y"]),
    order=st.none() | st.integers(0, 3),
)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.lists(_ITEMS, max_size=3, unique_by=lambda item: item.id), st.integers(0, 3))
def test_quotes_point_into_the_evidence_and_differ(question: str, items: list[EvidenceText], read: int) -> None:
    evidence, beside = items[:read], items[read:]
    inputs = ExtractInputs(question=question, evidence=evidence, beside=beside)
    reading = extract_answer(inputs)
    quotes = reading.extract.quotes
    assert len({(quote.component, quote.row, quote.text) for quote in quotes}) == len(quotes) <= MOST_QUOTES
    assert all(len(quote.text) <= QUOTE_CHARACTERS for quote in quotes)
    shown = inputs.model_copy(update={"evidence": items})
    assert cites_evidence(shown, reading.model_copy(update={"citations": quotes})) == [] or not reading.supported
