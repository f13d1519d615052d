"""Clauses of a question that are measured apart."""

from __future__ import annotations

import pytest

from backtrail.nodes.reading.nearness import clauses_with_nearness
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox


def _none(name: str) -> CorpusReader:
    raise AssertionError(name)


@pytest.mark.parametrize("question", ["What is it for?", f"What is it {' ' * 20_000}for?", f"{'= ' * 5_000}"])
def test_a_question_that_asks_one_thing_is_not_measured_by_clauses_however_it_is_spaced(question: str) -> None:
    toolbox = Toolbox(open_corpus=_none)
    assert clauses_with_nearness(toolbox, Settings(), "reader", question, []) == []
