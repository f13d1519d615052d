from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backtrail.rules.knowledge.chunk_replies import read_reply
from backtrail.rules.knowledge.extract_knowledge import extract, read_chunk
from backtrail.rules.knowledge.extract_table import subject_column
from backtrail.rules.knowledge.summarize_descriptions import SUMMARY_CHARACTERS, summarize
from backtrail.state.component import Component, Table
from backtrail.state.knowledge.chunks import ExtractedKnowledge, KnowledgeChunk, NumberedRow
from backtrail.state.knowledge.decisions import (
    EXTRACT_KNOWLEDGE,
    SummarizeDescriptionsInputs,
    reading_of,
    said_problems,
)
from backtrail.state.knowledge.replies import ChunkReply
from backtrail.tools.knowledge.chunks import chunks_of


def prose(title: str, text: str, **more: Any) -> ExtractedKnowledge:
    return read_chunk(KnowledgeChunk.model_validate({"title": title, "modality": "text", "text": text, **more}))


def said(knowledge: ExtractedKnowledge) -> set[tuple[str, str, str]]:
    return {(triplet.head, triplet.relation, triplet.tail) for triplet in knowledge.triplets}


@pytest.mark.parametrize(
    ("title", "text", "wanted"),
    [
        ("Silver City", "Silver City is a town in Grant County.", ("Silver City", "town in", "Grant County")),
        ("Tara Llanes", "Tara Janelle Llanes was born in West Covina.", ("Tara Llanes", "was born in", "West Covina")),
        ("Ora Lind", "Ora Lind ( born 28 May 1976 in Ondra ) rows.", ("Ora Lind", "born", "28 May 1976")),
        ("Ora Lind", "Ora Lind ( born 28 May 1976 in Ondra ) rows.", ("Ora Lind", "born in", "Ondra")),
        ("Ira Sand", "Ira Sand (1 May 1840 – 3 June 1901) drew.", ("Ira Sand", "died", "3 June 1901")),
    ],
)
def test_plain_clauses(title: str, text: str, wanted: tuple[str, str, str]) -> None:
    knowledge = prose(title, text)
    assert wanted in said(knowledge)
    assert all(triplet.text.startswith((f"{title}: ", title)) for triplet in knowledge.triplets)


def test_the_kind_of_the_subject_stands_for_it_later() -> None:
    knowledge = prose("Velm Rowers", "Velm Rowers is a rowing club. The club was founded in 1995.")
    assert ("Velm Rowers", "was founded in", "1995") in said(knowledge)
    assert said(prose("Velm Rowers", "The house was built in 1995.")) == set(), "it has no name"
    (entity,) = knowledge.entities
    assert (entity.name, entity.kind) == ("Velm Rowers", "rowing club")
    assert entity.description == "Velm Rowers is a rowing club."


def table_chunk(title: str, header: tuple[str, ...], *rows: tuple[str, ...], caption: str = "") -> KnowledgeChunk:
    table = Table(caption=caption, header=header, rows=rows)
    (chunk,) = chunks_of(title, Component(id="c", document="d", position=0, modality="table", table=table))
    return chunk


def rows(*cells: list[str]) -> list[NumberedRow]:
    return [NumberedRow(number=number, cells=row) for number, row in enumerate(cells)]


def test_the_subject_of_rows_is_the_first_column_of_names() -> None:
    assert subject_column(rows(["October 7", "Butler"], ["October 14", "St. Viator"])) == 1
    assert subject_column(rows(["1", "12"], ["2", "13"])) is None
    assert subject_column([]) is None


def test_rows_say_their_cells_of_their_subject() -> None:
    header, row = ("Rank", "Rower", "Club"), ("1", "Ora Lind", "Velm Rowers")
    knowledge = read_chunk(table_chunk("Regatta", header, row, caption="Final"))
    of_rower = {("Ora Lind", "Rank", "1"), ("Ora Lind", "Club", "Velm Rowers")}
    assert said(knowledge) == {("Regatta", "Rower", "Ora Lind")} | of_rower
    assert {triplet.text for triplet in knowledge.triplets} >= {
        "Regatta: Final: Rank is 1; Rower is Ora Lind; Club is Velm Rowers",
        "Regatta: Final: Rower Ora Lind: Club is Velm Rowers",
    }
    assert {triplet.row for triplet in knowledge.triplets} == {0}
    assert [(entity.name, entity.kind) for entity in knowledge.entities] == [("Ora Lind", "rower")]


def glance(title: str, header: list[str], *cells: list[str]) -> ExtractedKnowledge:
    return read_chunk(
        KnowledgeChunk(title=title, modality="table", caption="At a glance", header=header, rows=rows(*cells))
    )


def test_labelled_entries_are_said_of_the_page_and_not_of_their_labels() -> None:
    knowledge = glance("New Horizons", ["Item", "Entry"], ["Launch vehicle", "Atlas V 551"], ["Power", "one generator"])
    entries = (("Launch vehicle", "Atlas V 551"), ("Power", "one generator"))
    assert said(knowledge) == {("New Horizons", *entry) for entry in entries}
    assert knowledge.triplets[0].text == "New Horizons: Launch vehicle is Atlas V 551"
    assert knowledge.entities == []
    header = ["Item", "Pioneer 10", "Pioneer 11"]
    pair = glance("The Pioneer pair", header, ["Launched", "March 1972", "April 1973"], ["", "a", "b"], ["Mass"])
    assert said(pair) == {("Pioneer 10", "Launched", "March 1972"), ("Pioneer 11", "Launched", "April 1973")}
    assert [entity.name for entity in pair.entities] == ["Pioneer 10", "Pioneer 11"]
    ferries = read_chunk(table_chunk("Ferries", ("Year", "Total"), ("1994", "12")))
    assert said(ferries) == {("Ferries", "Year", "1994"), ("Ferries", "Total", "12")}, "no row has a subject"


def test_pictures_show_what_their_words_name() -> None:
    inputs = KnowledgeChunk(
        title="Ondra", modality="image", name="Lighthouse", caption="The lighthouse at dusk", objects=["lantern"]
    )
    knowledge = read_chunk(inputs)
    assert ("Ondra", "picture", "Lighthouse") in said(knowledge)
    assert ("Lighthouse", "picture shows", "lantern") in said(knowledge)
    assert knowledge.entities[0].description == "The lighthouse at dusk"
    assert read_chunk(KnowledgeChunk(title="Ondra", modality="image")) == ExtractedKnowledge()


def holds(chunk: KnowledgeChunk) -> None:
    """What the rules read passes the decision's check, and its short form says neither more nor less."""
    request = reading_of([chunk])
    reply = extract(request)
    assert EXTRACT_KNOWLEDGE.check(request, reply) == []
    sent = ChunkReply.model_validate_json(reply.chunks[0].model_dump_json(exclude_defaults=True))
    assert read_reply(chunk, sent) == read_chunk(chunk)


tokens = st.sampled_from(
    ["Ondra", "is", "a", "the", "town", "in", "Velm", ",", "and", "of", "1884", "(", ")", "won", ".", "It"]
)


@example(text="Ondra", title="<\x85{", anchor="")
@given(st.lists(tokens | st.text(max_size=8), max_size=40).map(" ".join), st.text(max_size=20), st.text(max_size=12))
def test_any_prose_is_read_without_breaking_the_decision(text: str, title: str, anchor: str) -> None:
    inputs = KnowledgeChunk.model_validate(
        {"title": title, "modality": "text", "text": text, "anchors": [{"text": anchor}]}
    )
    holds(inputs)


HEADERS = st.sampled_from([("A", ""), ("Item", "Entry"), ("Fact", "Ondra", "Velm", "")])


@given(
    st.lists(st.lists(st.text(max_size=30), max_size=4).map(tuple), max_size=6).map(tuple),
    st.text(max_size=20),
    HEADERS,
)
def test_any_table_is_read_without_breaking_the_decision(cells: Any, title: str, header: tuple[str, ...]) -> None:
    component = Component(
        id="c", document="d", position=0, modality="table", table=Table(caption=title, header=header, rows=cells)
    )
    for chunk in chunks_of(title, component):
        holds(chunk)


def test_names_that_the_chunk_does_not_hold_are_refused() -> None:
    inputs = KnowledgeChunk(title="Ondra", modality="text", text="Ondra lies on the Velm.")
    triplet = {"head": "Ondra", "relation": "in", "tail": "Palverin", "text": "x", "row": 3}
    problems = said_problems(inputs, ExtractedKnowledge.model_validate({"triplets": [triplet]}))
    assert len(problems) == 2
    assert problems[0].startswith("The tail of triplet 1 does not occur")
    assert "[3]" in problems[1]


@given(st.lists(st.text(min_size=1, max_size=900), min_size=1, max_size=12))
def test_a_summary_is_made_of_the_descriptions(descriptions: list[str]) -> None:
    summary = summarize(SummarizeDescriptionsInputs(name="x", descriptions=descriptions)).summary
    assert 0 < len(summary) <= SUMMARY_CHARACTERS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ora Lind wurde in Graz geboren und hat den Preis der Stadt Wien gewonnen.", {"Preis der Stadt Wien"}),
        ("Она родилась в Москве и была первой женщиной, которая выиграла гонку.", {"Москве"}),
    ],
)
def test_of_other_languages_names_are_read_and_no_clauses(text: str, names: set[str]) -> None:
    knowledge = prose("Ora Lind", text, anchors=[{"text": "Preis"}] if "Preis" in text else [])
    assert {triplet.relation for triplet in knowledge.triplets} == {"mentions"}
    assert {triplet.tail for triplet in knowledge.triplets} == names | ({"Preis"} if "Preis" in text else set())
