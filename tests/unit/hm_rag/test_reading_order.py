"""The reader of an HM-RAG agent gets what fits the question early, wherever the search put it."""

from __future__ import annotations

from fixtures.pieces import text_piece

from backtrail.language.terms import content_terms
from backtrail.nodes.hm_rag.agents.reading import by_relevance


def test_a_piece_that_says_what_is_asked_comes_before_earlier_ones_that_do_not() -> None:
    others = [text_piece(f"a#{number}", "A", "It is old.") for number in range(7)]
    decisive = text_piece("b#0", "B", "The viaduct of Malone was built by Holm.")
    ordered = by_relevance(content_terms("Who built the viaduct of Malone?"), [*others, decisive])
    assert [text.id for text in ordered].index("b#0") < 4
    assert {text.id for text in ordered} == {text.id for text in [*others, decisive]}
