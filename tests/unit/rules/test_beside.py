"""What stands right before a name tells what it did."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.asked.beside import Beside
from backtrail.rules.reader.asked.relation import relation_of
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import EvidenceText

FILM = EvidenceText(
    id="p", modality="text", title="Kite Hill", score=1.0,
    sentences=["Kite Hill is a 2011 film written and directed by Ann Lee and produced jointly by the Roe Studio."],
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who was the director of the film Kite Hill?", [1.0, 0.0]),
        ("Which company produced the film Kite Hill?", [0.0, 1.0]),
        ("When was the film Kite Hill shown?", [0.0, 0.0]),
    ],
)
def test_the_verb_that_is_asked_stands_right_before_its_name(question: str, said: list[float]) -> None:
    shape = analyse(question)
    beside = Beside(shape, relation_of(shape))
    (piece,) = pieces([FILM])
    assert [beside.of(piece, name)["done_asked"] for name in ("Ann Lee", "Roe Studio")] == said
