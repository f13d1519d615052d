"""What is asked of a thing is told from what tells the thing, and a row is read with the pages it leads to."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.language.terms import content_terms
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.asked.groups import Groups
from backtrail.rules.reader.asked.relation import relation_of, said
from backtrail.rules.reader.support import pieces, rarities
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

TABLE = EvidenceText(
    id="t", modality="table", title="2011 Aarland Open", header=["Country", "Player", "Rank"], score=1.0,
    rows=[["Norway", "Olav Berg", "12"], ["Italy", "Marco Sala", "145"], ["Italy", "Luca Riva", "160"]],
)  # fmt: skip


def page(of: str, row: int, *sentences: str) -> EvidenceText:
    """The page of a player, which the row leads to."""
    return EvidenceText(
        id=f"p{row}", modality="text", title=of, sentences=list(sentences), parent="t", parent_row=row, score=0.9
    )


PAGES = [
    page(name, row, f"{name} (born {born}) is a {nation} tennis player.", f"He is coached by {coach}.")
    for row, (name, born, nation, coach) in enumerate((
        ("Olav Berg", "3 May 1980", "Norwegian", "Nils Dahl"),
        ("Marco Sala", "15 December 1981", "Italian", "Piero Neri"),
        ("Luca Riva", "2 June 1984", "Italian", "Ugo Conti"),
    ))
]  # fmt: skip
QUESTION = "Who coached the Italian tennis player who was born on 15 December 1981 and played at the 2011 Aarland Open?"


def test_the_noun_between_is_not_what_is_asked() -> None:
    relation = relation_of(analyse(QUESTION))
    assert content_terms("coached") == relation.asked == relation.verb
    assert relation.between == content_terms("player")
    assert content_terms("born December 1981") <= relation.told


@pytest.mark.parametrize("reverse", [False, True])
def test_what_is_asked_of_a_thing_is_read_on_its_page_and_not_the_thing_itself(*, reverse: bool) -> None:
    evidence = [TABLE, *(reversed(PAGES) if reverse else PAGES)]
    assert answer(AnswerInputs(question=QUESTION, evidence=evidence)).text == "Piero Neri"


def test_a_row_is_described_by_its_cells_and_its_pages_together() -> None:
    shape = analyse(QUESTION)
    listed = pieces([TABLE, *PAGES])
    groups = Groups(listed, shape, rarities(listed))
    rows = [piece for piece in listed if piece.row is not None]
    leads = [groups.of(piece, piece.evidence.rows[piece.row or 0][1])["group_lead"] for piece in rows]
    assert leads[1] > 0 > max(leads[0], leads[2])
    between = groups.of(rows[1], "Marco Sala")
    assert between["column_between"] == 1.0
    assert between["more"] == 1.0
    assert groups.of(rows[1], "Italy")["column_between"] == 0.0


def test_pages_that_no_row_led_to_stand_by_themselves() -> None:
    alone = [one.model_copy(update={"parent": None, "parent_row": None}) for one in PAGES]
    shape = analyse(QUESTION)
    listed = pieces(alone)
    groups = Groups(listed, shape, rarities(listed))
    assert {groups.of(piece, "Berg")["group_lead"] for piece in listed} == {0.0}


def test_nothing_wanted_is_nothing_said() -> None:
    assert said([], frozenset({"coach"}), {}) == 0.0
    assert said(["coach", "born"], frozenset({"coach"}), {}) == 0.5


def test_a_number_is_read_of_what_it_counts() -> None:
    told = "The team of Aarland has been to 31 national tournaments and ten world series in four leagues."
    page = EvidenceText(id="p", modality="text", title="Aarland Bears", sentences=[told], score=1.0)
    shape = analyse("How many national tournaments has the team of Aarland been to?")
    listed = pieces([page])
    groups = Groups(listed, shape, rarities(listed))
    assert [groups.of(listed[0], number)["counted"] for number in ("31", "ten", "four")] == [1.0, 0.0, 0.0]
    assert answer(AnswerInputs(question=shape.text, evidence=[page])).text == "31 national tournaments"


def test_a_number_without_a_noun_counts_what_was_named_before() -> None:
    page = EvidenceText(
        id="p", modality="text", title="Ingenuity", sentences=["Five flights were planned; it made 72."], score=1.0
    )
    shape = analyse("How many flights did Ingenuity make?")
    listed = pieces([page])
    groups = Groups(listed, shape, rarities(listed))
    assert [groups.of(listed[0], number)["counted"] for number in ("Five", "72")] == [1.0, 1.0]


def test_a_thing_that_the_table_lists_is_its_name_and_not_another_cell() -> None:
    table = EvidenceText(
        id="t", modality="table", title="Aarland Professor of Astronomy", header=["Name", "College"], score=1.0,
        rows=[["Edward Berg", "Moss College"], ["George Dahl", "Turl College"]],
    )  # fmt: skip
    shape = analyse("What is the name of the Aarland Professor of Astronomy who was at Turl College?")
    listed = pieces([table])
    groups = Groups(listed, shape, rarities(listed))
    assert [groups.of(listed[1], cell)["thing_listed"] for cell in table.rows[1]] == [1.0, 0.0]
    assert answer(AnswerInputs(question=shape.text, evidence=[table])).text == "George Dahl"


def test_an_adjective_names_no_place() -> None:
    told = "Chile is a South American country that became free from Spain in 1818."
    page = EvidenceText(id="p", modality="text", title="Chile", sentences=[told], score=1.0)
    shape = analyse("Which nation did Chile become free from?")
    listed = pieces([page])
    groups = Groups(listed, shape, rarities(listed))
    assert [groups.of(listed[0], place)["demonym"] for place in ("South American", "Spain")] == [1.0, 0.0]
    assert answer(AnswerInputs(question=shape.text, evidence=[page])).text == "Spain"


def test_the_verb_that_is_asked_stands_right_before_the_date_of_it() -> None:
    told = "Moss FC , reorganised in 1990 , was established in 1921 and played there until 1950 ."
    page = EvidenceText(id="p", modality="text", title="Moss FC", sentences=[told], score=1.0)
    shape = analyse("When was Moss FC founded?")
    listed = pieces([page])
    groups = Groups(listed, shape, rarities(listed))
    assert [groups.of(listed[0], year)["verb_before"] for year in ("1990", "1921", "1950")] == [0.0, 1.0, 0.0]
