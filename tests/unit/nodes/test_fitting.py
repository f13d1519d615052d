"""What is shown of components within a budget: never without the row that leads on."""

from collections.abc import Callable

import pytest
from fixtures.planning_corpus import FEW, make_planning_corpus, open_planning_corpus
from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.select_pieces import (
    LEAST_OF_TABLE,
    MARK_CHARACTERS,
    PARAGRAPH_CHARACTERS,
    fitting,
    share_out,
    whole_paragraphs,
)
from backtrail.nodes.reading.component_views import whole_text
from backtrail.nodes.reading.fit_prompt_budget import fit_prompt_budget
from backtrail.nodes.reading.truncate_component import numbered, truncate_component
from backtrail.prompts.render import render
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.component import Component, Table
from backtrail.tools.corpus.reader import StoredCorpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> StoredCorpus:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(tmp_path_factory.mktemp("fitting")))
        make_planning_corpus(rows=FEW)
        return open_planning_corpus()


def texts(corpus: StoredCorpus, question: str, ids: list[str], characters: int) -> dict[str, EvidenceText]:
    components = corpus.components(ids)
    documents = corpus.documents([component.document for component in components.values()])
    return fit_prompt_budget(Covering(corpus, question), components, documents, {}, characters)


@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 5_000), max_size=8), st.integers(0, 9_000)
)
def test_shares_stay_within_the_budget_and_give_nobody_more_than_it_needs(sizes: dict[str, int], budget: int) -> None:
    shares = share_out(sizes, budget)
    assert sum(shares.values()) <= budget
    assert all(0 <= shares[key] <= sizes[key] for key in sizes)
    if sum(sizes.values()) <= budget:
        assert shares == sizes


def test_a_table_too_long_shows_the_rows_that_fit_and_says_how_many_it_leaves_out(corpus: StoredCorpus) -> None:
    table = corpus.components(["stations#t"])
    whole = {"stations#t": whole_text(table["stations#t"], None, 0.0)}
    shown = fitting(Covering(corpus, "Who built Halt 2040?"), table, whole, 100)["stations#t"]
    assert shown.shown is not None
    assert 40 in shown.shown
    assert sum(len(cell) + 8 for row in shown.shown for cell in whole["stations#t"].rows[row]) <= LEAST_OF_TABLE
    rest = set(range(FEW)) - set(shown.shown)
    assert shown.left_out.startswith("rows ")
    assert numbers_of(shown.left_out.removeprefix("rows ")) == rest


def numbers_of(ranges: str) -> set[int]:
    ends = [[int(end) for end in one.split("-")] for one in ranges.split(", ")]
    return {number for first, *last in ends for number in range(first, (last or [first])[0] + 1)}


def test_rows_that_are_named_in_full_come_before_rows_that_share_some_of_their_words(corpus: StoredCorpus) -> None:
    options = [
        (f"{a}.{b}.{c}.{d}", f"The {d} of the {c} in {b}")
        for a in ("entry", "router", "server", "proxy", "cache")
        for b in ("http", "tcp", "udp")
        for c in ("limit", "timeout", "retry", "buffer", "log", "header")
        for d in ("port", "size", "mode", "path", "level", "name")
    ]
    component = Component(
        id="stations#o", document="stations", modality="table", position=1,
        table=Table(caption="Options", header=("Option", "What it sets"), rows=tuple(options)),
    )  # fmt: skip
    asked = [options[211], options[470]]
    question = f"Which level or mode do {asked[0][0]} and {asked[1][0]} have for the http header and the tcp log size?"
    text = whole_text(component, None, 0.0)
    shown = fitting(Covering(corpus, question), {"stations#o": component}, {"stations#o": text}, 100)["stations#o"]
    assert shown.shown is not None
    assert {211, 470} <= set(shown.shown)


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=30), st.integers(1, 9_000))
def test_short_paragraphs_are_shown_whole_or_not_at_all(sizes: list[int], budget: int) -> None:
    texts = {
        str(number): EvidenceText(id=str(number), modality="text", title="", sentences=["x" * size], score=0.0)
        for number, size in enumerate(sizes)
    }
    kept = whole_paragraphs(texts, budget)
    assert kept == list(texts)[: len(kept)] != []
    needed = {key: sum(len(one) + MARK_CHARACTERS for one in texts[key].sentences) for key in kept}
    shares = share_out(needed, budget)
    cut = [key for key in kept if needed[key] <= PARAGRAPH_CHARACTERS and shares[key] < needed[key]]
    assert cut == [] or len(kept) == 1


@pytest.mark.parametrize("line", [numbered, lambda table, row: "; ".join(table.rows[row])])
def test_a_table_as_one_text_holds_the_row_that_decides_whole(corpus: StoredCorpus, line: Callable[..., str]) -> None:
    table = corpus.components(["stations#t"])["stations#t"]
    assert table.table is not None
    text = truncate_component(Covering(corpus, "Who built Halt 2040?"), table, 600, line)
    assert line(table.table, 40) in text.split("\n")
    assert len(text) <= 600
    shown = sum(line(table.table, row) in text.split("\n") for row in range(FEW))
    assert text.endswith(f"({FEW} rows in all; shown are {shown}: those that fit best)")
    described = truncate_component(Covering(corpus, "zzz qqq"), table, 600, line)
    assert line(table.table, 0) in described.split("\n")
    whole = truncate_component(Covering(corpus, "Who built Halt 2040?"), table, 100_000, line)
    assert all(line(table.table, row) in whole.split("\n") for row in range(FEW))


def test_a_long_text_as_one_text_keeps_the_sentence_that_decides(corpus: StoredCorpus) -> None:
    said = " ".join(f"Station {number} lies on the line to the north." for number in range(60))
    said = f"{said} The viaduct was built by Greta Holm."
    long = Component(id="long#p", document="malone", modality="text", position=0, text=said)
    text = truncate_component(Covering(corpus, "Who built the viaduct?"), long, 500)
    assert "The viaduct was built by Greta Holm." in text
    assert text.startswith("Station 0 lies")
    assert len(text) <= 500
    assert text.endswith("of 61 sentences left out)")


def test_what_a_colon_announces_is_shown_with_it(corpus: StoredCorpus) -> None:
    pieces = ["The bridge has three parts:", "a pier, a span and a ramp.", *["It is on the line."] * 9, "Nothing more."]
    text = EvidenceText(id="malone#p0", modality="text", title="Malone", section="", sentences=pieces, score=0.0)
    components = corpus.components(["malone#p0"])
    shown = fitting(Covering(corpus, "Which three parts has the bridge?"), components, {"malone#p0": text}, 60)
    assert shown["malone#p0"].shown[:2] == [0, 1]


def test_of_sentences_the_one_that_decides_is_shown_and_few_that_share_a_stray_word(corpus: StoredCorpus) -> None:
    strays, decides = ["Trains cross the river."] * 9, "The stone viaduct of the northern railway was built by Holm."
    pieces = ["It is on the line.", *strays, decides, "It is old.", *["Nothing more."] * 30]
    text = EvidenceText(id="malone#p0", modality="text", title="Malone", section="", sentences=pieces, score=0.0)
    question = "Who built the stone viaduct of the northern railway over the river?"
    components = corpus.components(["malone#p0"])
    shown = fitting(Covering(corpus, question), components, {"malone#p0": text}, 300)["malone#p0"].shown
    assert shown is not None
    assert pieces.index(decides) in shown
    assert len(shown) <= 4  # the first, the next, and one that means most like the question


def test_a_row_that_leads_to_what_is_in_sight_is_told_there_by_its_number(corpus: StoredCorpus) -> None:
    found = texts(corpus, "Who designed the footbridge?", ["bridges#t", "malone#p0", "reich#p0"], 4_000)
    [lead] = found["malone#p0"].linked_from
    assert (lead.component, lead.row, lead.words, lead.text) == ("bridges#t", 2, "Malone bridge", "")
    [first] = found["reich#p0"].linked_from
    assert first.row == 0
    prompt = render("answer", AnswerInputs(question="Who?", evidence=list(found.values()))).user
    assert '"component": "bridges#t", "row": 0}' in prompt  # the first row is a row too


def test_what_is_not_in_sight_leads_nowhere(corpus: StoredCorpus) -> None:
    assert texts(corpus, "Who designed the footbridge?", ["malone#p0"], 4_000)["malone#p0"].linked_from == []


def test_a_prompt_shows_pieces_by_their_own_numbers_and_rules_read_them_all() -> None:
    text = EvidenceText(
        id="a", modality="text", title="A", sentences=["One.", "Two.", "Three."], score=1.0, shown=[0, 2],
        left_out="1 of 3 sentences",
    )  # fmt: skip
    prompt = render("answer", AnswerInputs(question="Which?", evidence=[text])).user
    assert 'sentence 0: "One."' in prompt
    assert 'sentence 2: "Three."' in prompt
    assert "Two." not in prompt
    assert "1 of 3 sentences" in prompt
    assert len(text.sentences) == 3
