"""Where a candidate stands in its row or sentence, and what its own words and its page tell of it."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.asked.page_kinds import PageKinds
from backtrail.rules.reader.asked.standing import Standing
from backtrail.rules.reader.support import Piece, pieces, rarities
from backtrail.state.answer_decisions import EvidenceText

FORM = EvidenceText(
    id="f", modality="table", title="Pump sheet", header=["", ""], score=1.0, nearness=[0.2, 0.6],
    rows=[["Maker", "Orlo Works"], ["Largest flow", "40 l/min"]],
)  # fmt: skip
NOTES = EvidenceText(
    id="n", modality="text", title="Pump notes", score=0.8, nearness=[0.1, 0.7],
    sentences=["The flow is set to 12 litres by the pump.", "Pumps are serviced by the maker each spring."],
)  # fmt: skip


def standing(question: str, *evidence: EvidenceText) -> tuple[Standing, list[Piece]]:
    listed = pieces(list(evidence))
    return Standing(evidence, analyse(question), rarities(listed)), listed


def test_the_value_of_a_form_stands_in_the_last_of_its_columns() -> None:
    of, listed = standing("What is the largest flow?", FORM)
    key, value = (of.of(listed[1], cell) for cell in FORM.rows[1])
    assert (key["loose_column"], value["loose_column"]) == (0.0, 1.0)
    assert value["loose_near"] == 0.6


def test_a_sentence_is_as_near_as_the_nearest_of_its_passage_and_a_verb_leads_to_what_is_said() -> None:
    of, listed = standing("How many litres does the pump pass?", NOTES)
    found = of.of(listed[0], "12 litres")
    assert found["loose_near"] == 0.7
    assert found["said_is"] == 1.0
    assert of.of(listed[1], "each spring")["said_is"] == 0.0


def test_the_rarest_word_of_a_question_is_said_around_a_candidate_or_not() -> None:
    of, listed = standing("When is the pump serviced?", FORM, NOTES)
    assert [of.of(piece, piece.text)["loose_rarest"] for piece in listed] == [0.0, 0.0, 1.0, 1.0]


def test_what_holds_of_documents_without_links_counts_nothing_where_rows_lead_to_pages() -> None:
    page = NOTES.model_copy(update={"parent": "f", "parent_row": 0})
    of, listed = standing("What is the largest flow?", FORM, page)
    assert not [name for piece in listed for name in of.of(piece, "40 l/min") if name.startswith("loose_")]


def test_words_that_the_evidence_often_says_are_less_rare_and_those_of_the_question_do_not_count() -> None:
    of, listed = standing("Which maker serves the pump?", FORM, NOTES)
    rare = {text: of.of(listed[0], text)["rare"] for text in ("Orlo Works", "flow", "pump")}
    assert rare["Orlo Works"] > rare["flow"] > rare["pump"] == 0.0


@pytest.mark.parametrize(
    ("text", "like_code"), [("max_flow", 1.0), ("--limit", 1.0), ("pump.conf", 1.0), ("Orlo Works", 0.0), ("12", 0.0)]
)
def test_what_is_written_like_code_is_told(text: str, like_code: float) -> None:
    of, listed = standing("Which maker serves the pump?", FORM)
    assert of.of(listed[0], text)["code"] == like_code


def test_a_page_tells_of_what_kind_the_thing_of_its_name_is() -> None:
    page = EvidenceText(
        id="p", modality="text", title="Lantern Nights (Aarland)", score=1.0,
        sentences=["Lantern Nights is an annual music festival in Aarland."],
    )  # fmt: skip
    listed = pieces([page])
    kinds = PageKinds([page], analyse("Which music festival is held in Aarland?"), rarities(listed))
    assert kinds.of("Lantern Nights") == {"page_is": 1.0}
    assert kinds.of("Aarland") == {"page_is": 0.0}
    other = PageKinds([page], analyse("Which river runs through Aarland?"), rarities(listed))
    assert other.of("Lantern Nights") == {"page_is": 0.0}
