"""The three quotes: the likeliest places of the answer, apart from each other, each somewhere in the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.language.questions import analyse
from backtrail.rules.reader.asked.named_row import NamedRows
from backtrail.rules.reader.asked.numbers_said import as_written, numbers_said
from backtrail.rules.reader.extract import extract_answer
from backtrail.rules.reader.parts import asks_several, clauses_asked
from backtrail.rules.reader.passages import PART_CHARACTERS, QUOTE_CHARACTERS, passages_of, table_text
from backtrail.rules.reader.quotes import MOST_QUOTES
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText, cites_evidence
from backtrail.state.offline.extract import AskedClause, ExtractInputs

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
    first = reading.extract.quotes[0]
    assert (first.component, first.row) == ("clubs", 1)
    assert "Club | Stadium | Capacity" in first.text
    assert "Birch Rovers | Castle Park | 9,566" in first.text


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
    assert {quote.component for quote in reading.extract.quotes} == {"clubs", "weather"}


def test_a_long_text_is_quoted_by_its_likeliest_sentences_in_their_order() -> None:
    told = [f"Rain fell on day {n} and nothing else was noted by anyone there." for n in range(40)]
    told[7], told[30] = "The bridge of Alder opened in 1911.", "The engineer of the bridge of Alder was Ines Roth."
    item = OTHER.model_copy(update={"sentences": told, "score": 1.0})
    asked = "Who was the engineer of the bridge of Alder?"
    quote = extract_answer(AnswerInputs(question=asked, evidence=[item])).extract.quotes[0]
    assert (quote.component, quote.sentence) == ("weather", 30)
    before, after = quote.text.split(told[7])
    assert told[30] in after.partition(" … ")[2]
    assert told[30] not in before
    assert len(quote.text) <= QUOTE_CHARACTERS


def test_a_sentence_too_long_to_be_quoted_is_quoted_where_it_speaks_of_what_is_asked() -> None:
    wordy = "and so on " * 60 + "the blood pressure was 142/88 that day " + "and so on " * 60
    item = OTHER.model_copy(update={"sentences": [wordy]})
    quote = extract_answer(AnswerInputs(question="What was the blood pressure?", evidence=[item])).extract.quotes[0]
    assert "142/88" in quote.text
    parts = passages_of(pieces([item]))
    assert " ".join(part.text for part in parts).split() == wordy.split()
    assert max(len(part.text) for part in parts) <= PART_CHARACTERS + len("pressure")


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


def test_a_wide_row_shows_its_label_and_what_is_asked_for() -> None:
    header = [f"Counts of the year / Kind number {n} of thing" for n in range(30)]
    item = CLUBS.model_copy(update={"header": header, "rows": [[f"cell {n}" for n in range(30)]]})
    text = table_text(item, [0], frozenset({"27"}))
    assert text.startswith("Kind number 0 of thing: cell 0; ")
    assert "Kind number 27 of thing: cell 27" in text
    assert len(text) <= QUOTE_CHARACTERS


def test_a_header_over_many_columns_is_told_once_and_empty_columns_not_at_all() -> None:
    item = CLUBS.model_copy(update={"header": ["State", "Sales", "Sales", "Notes"], "rows": [["Ohio", "1", "2", ""]]})
    assert table_text(item, [0]) == "State: Ohio; Sales: 1; 2"


def test_several_things_are_asked_by_several_asking_words() -> None:
    assert asks_several("Which rocket launched it, and when did it land?")
    assert asks_several("SKU-6678 - when was it last audited, and what note is on it?")
    assert asks_several("Can I keep my files? And what of the settings?")
    assert not asks_several("What is the capital of the country in which the winner who won in 1990 was born?")


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
def test_quotes_point_into_the_evidence_and_never_twice_at_the_same(
    question: str, items: list[EvidenceText], read: int
) -> None:
    evidence, beside = items[:read], items[read:]
    inputs = ExtractInputs(question=question, evidence=evidence, beside=beside)
    reading = extract_answer(inputs)
    quotes = reading.extract.quotes
    assert len({(quote.component, quote.row, quote.text) for quote in quotes}) == len(quotes) <= MOST_QUOTES
    assert all(len(quote.text) <= QUOTE_CHARACTERS for quote in quotes)
    shown = inputs.model_copy(update={"evidence": items})
    assert cites_evidence(shown, reading.model_copy(update={"citations": quotes})) == [] or not reading.supported


def _placed(name: str, order: int, *sentences: str) -> EvidenceText:
    return EvidenceText(
        id=name, modality="text", title="Handbook", section="Holidays", sentences=list(sentences), score=0.5,
        page="handbook", order=order,
    )  # fmt: skip


def test_a_lead_in_is_quoted_with_the_list_that_it_announces() -> None:
    lead = _placed("lead", 1, "Before a holiday of the store keeper hand over the following:")
    items = [_placed(f"i{n}", n + 2, text) for n, text in enumerate(("the keys", "open orders", "the red phone"))]
    likely = _placed("other", 9, "A holiday of the store keeper lasts two weeks.")
    asked = "What has to be handed over before a holiday of the store keeper?"
    inputs = ExtractInputs(question=asked, evidence=[lead, likely], beside=items)
    (quote,) = [one for one in extract_answer(inputs).extract.quotes if one.component == "lead"]
    assert quote.text.startswith("Before a holiday of the store keeper hand over the following: the keys; open orders")
    assert "the red phone" in quote.text


def test_what_is_announced_is_quoted_in_part_where_it_does_not_fit_and_a_table_by_its_first_row() -> None:
    lead = _placed("lead", 1, "The store keeper notes every part like this:")
    long = _placed("long", 2, "word " * 200)
    table = EvidenceText(
        id="t", modality="table", title="Handbook", section="Other", header=["Part", "Shelf"], rows=[["Seal", "B3"]],
        score=0.4, page="handbook", order=2,
    )  # fmt: skip
    asked = "How does the store keeper note every part?"
    for after, shown in ((long, "word word"), (table, "Seal | B3")):
        quote = extract_answer(ExtractInputs(question=asked, evidence=[lead], beside=[after])).extract.quotes[0]
        assert quote.text.startswith("The store keeper notes every part like this: ")
        assert shown in quote.text
        assert len(quote.text) <= QUOTE_CHARACTERS


@given(st.lists(st.sampled_from(["It rained:", "It was dry.", "The bridge:", "Nothing."]), min_size=1, max_size=8))
@settings(deadline=None)
def test_no_quote_ends_in_a_colon_while_something_follows(sentences: list[str]) -> None:
    item = _placed("t", 1, *sentences, "The bridge of Alder fell.")
    for quote in extract_answer(ExtractInputs(question="When did the bridge fall?", evidence=[item])).extract.quotes:
        assert not quote.text.endswith(":")


def test_each_clause_of_a_question_is_quoted_for() -> None:
    asked = "What is a hawser, and with what line do I moor the barge?"
    filler = [f"The barge is moored at quay {n}, where the line is checked by the barge master." for n in range(6)]
    barges = EvidenceText(id="barges", modality="text", title="Barges", sentences=filler, score=1, page="b", order=0)
    words = EvidenceText(id="words", modality="text", title="Words", sentences=["A thick rope for towing."], score=0.1)
    clauses = [
        AskedClause(text="What is a hawser", nearness={"barges": [0.0] * 6, "words": [0.8]}),
        AskedClause(text="with what line do I moor the barge?", nearness={"barges": [0.5] * 6, "words": [0.0]}),
    ]
    others = [barges.model_copy(update={"id": f"b{n}", "page": f"b{n}"}) for n in range(3)]
    for asks, expected in (([], False), (clauses, True)):
        inputs = ExtractInputs(question=asked, evidence=[barges, *others, words], asked=asks)
        quoted = {quote.component for quote in extract_answer(inputs).extract.quotes}
        assert ("words" in quoted) is expected


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        ("What is a hawser, and with what line do I moor?", ["What is a hawser", "with what line do I moor?"]),
        (
            "The log says it is slow. Which metric shows it, below what value should it stay, and is it a counter?",
            ["Which metric shows it", "below what value should it stay", "is it a counter?"],
        ),
        ("If we move can we keep the file? And would it survive?", ["If we move can we keep the file?",
                                                                    "And would it survive?"]),
        ("Who led the club, which was founded in 1902 ?", []),
        ("The man who built the first lock has a street. What is it called?", []),
        ("Which stadium was built in 1950 and is still used?", []),
    ],
)  # fmt: skip
def test_clauses_that_ask_are_told_from_those_that_only_tell(question: str, clauses: list[str]) -> None:
    assert clauses_asked(question) == clauses


def test_a_command_is_quoted_where_one_is_asked_for() -> None:
    told = [
        EvidenceText(id=f"t{n}", modality="text", title="Server", score=0.9,
                     sentences=[f"Nobody is served on port {n}."])
        for n in range(3)
    ]  # fmt: skip
    line = EvidenceText(id="line", modality="text", title="Server", sentences=["$ probe -c host --trace"], score=0.1)
    for asked, expected in (("What command lets me talk to the server?", True),
                            ("Who can talk to the server?", False)):  # fmt: skip
        quotes = extract_answer(AnswerInputs(question=asked, evidence=[*told, line])).extract.quotes
        assert ("line" in {quote.component for quote in quotes}) is expected


def test_a_row_that_the_question_names_is_quoted_before_what_says_more_words() -> None:
    browsers = EvidenceText(
        id="browsers", modality="table", title="Support", header=["Browser", "Version", "Released"],
        rows=[["Chrome", "49+", "03/2016"], ["Safari", "10+", "09/2016"]], score=0.2,
    )  # fmt: skip
    said = ["Fixed the oldest search bug in Safari, which works now.", "Safari works fully since.", "The oldest works."]
    notes = [
        EvidenceText(id=f"n{n}", modality="text", title="Changes", section=f"Release {n}", sentences=[text], score=0.9)
        for n, text in enumerate(said)
    ]
    asked = AnswerInputs(question="What is the oldest Safari that it fully works in?", evidence=[*notes, browsers])
    assert ("browsers", 1) in {(quote.component, quote.row) for quote in extract_answer(asked).extract.quotes}


def test_numbers_in_words_name_a_row_that_has_them_in_another_notation() -> None:
    runs = EvidenceText(
        id="runs", modality="table", title="Benchmark", header=["clients", "streams", "memory"],
        rows=[["1k", "10", "211MB"], ["2k", "50", "960MB"], ["1k", "50", "680MB"]], score=0.9,
    )  # fmt: skip
    question = "How much memory did a thousand clients with fifty streams take?"
    named = NamedRows([runs], analyse(question), {})
    said = [named.of(piece)["cells"] for piece in pieces([runs])]
    assert said[2] > max(said[:2]) > 0
    assert numbers_said("Three hundred runs, 1,500 or 2k of 40 million, 2.5 million.") == [
        "300", "1500", "2000", "40000000", "2.5",
    ]  # fmt: skip
    assert set(as_written(numbers_said(question))) == {"1000", "1,000", "1k", "50"}


def test_a_picture_is_quoted_where_one_is_asked_about() -> None:
    shown = EvidenceText(
        id="picture", modality="image", title="Duck", section="Names", sentences=["Mallard upending"], score=0.5
    )
    texts = [
        EvidenceText(id=f"t{n}", modality="text", title="Duck", sentences=[f"Water is calm on day {n}."], score=0.5)
        for n in range(4)
    ]
    for question, first in (("Which species is pictured upside down?", True), ("Which species is calm?", False)):
        quotes = extract_answer(AnswerInputs(question=question, evidence=[*texts, shown])).extract.quotes
        assert ("picture" in {quote.component for quote in quotes}) is first


def test_what_a_reference_says_of_an_entry_is_quoted_under_its_name() -> None:
    entry = EvidenceText(
        id="env", modality="text", title="Environment", section="Special variables > no-gzip", score=0.9,
        sentences=["When set, the filter that compresses is turned off."],
    )  # fmt: skip
    prose = entry.model_copy(update={"id": "prose", "section": "Special variables", "sentences": ["Pages compress."]})
    asked = AnswerInputs(question="Which variable turns compression off?", evidence=[entry, prose])
    texts = {quote.component: quote.text for quote in extract_answer(asked).extract.quotes}
    assert texts["env"] == "no-gzip: When set, the filter that compresses is turned off."
    assert texts["prose"] == "Pages compress."
    named = entry.model_copy(update={"sentences": ["Set no-gzip and the filter that compresses is off."]})
    quotes = extract_answer(AnswerInputs(question="What does no-gzip do?", evidence=[named])).extract.quotes
    assert quotes[0].text == named.sentences[0]
