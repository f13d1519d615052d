"""The table with a strong reader: the docs print what ships, and finished questions are not sent again."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.pieces import text_piece
from reader_table.asking import held
from reader_table.degrading import degraded_table
from reader_table.kept import Kept, lines_of
from reader_table.pack import shipped_questions
from reader_table.plan import PLAN
from reader_table.report import table

from backtrail.state.answer_decisions import ANSWER, AnswerInputs
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.errors import ModelUnavailable

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "benchmarks" / "reader_table" / "kept"
READING = {"short": "1998", "text": "In 1998.", "citations": [{"component": "a#0", "sentence": 0}], "supported": True,
           "confidence": 0.9}  # fmt: skip
INPUTS = AnswerInputs(question="When?", evidence=[text_piece("a#0", "A", "It was 1998.")])


def test_the_docs_print_the_table_of_what_ships() -> None:
    questions = shipped_questions(KEPT)
    found = held(KEPT, PLAN, questions)
    docs = (ROOT / "docs" / "results.md").read_text().splitlines()
    lines = [*table(found), *degraded_table(KEPT, PLAN, questions, found)]
    assert len(lines) > 20
    assert [line for line in lines if line not in docs] == []


def test_what_ships_holds_no_text_of_documents() -> None:
    lines = list(lines_of(KEPT / "outcomes.jsonl.gz"))
    assert {"quoted", "quotes", "read"}.isdisjoint(key for line in lines for key in line["outcome"])
    assert not any("evidence" in one for one in lines_of(KEPT / "questions.jsonl.gz"))


async def test_replies_and_failures_are_kept_and_a_line_that_a_kill_cut_off_is_asked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    failure = DecisionFailed("answer", "r", "no JSON", charge(calls=3))
    with pytest.raises(DecisionFailed, match="no JSON"):
        await Kept(file, ScriptedDecider({"answer": [failure]})).decide(ANSWER, INPUTS)
    with pytest.raises(DecisionFailed, match="no JSON") as caught:
        await Kept(file, None).decide(ANSWER, INPUTS)
    assert caught.value.charge["calls"] == 3
    file.write_bytes(file.read_bytes()[:-20])
    kept = Kept(file, ScriptedDecider({"answer": [ModelUnavailable("down"), READING]}))
    with pytest.raises(ModelUnavailable):
        await kept.decide(ANSWER, INPUTS)
    first = await kept.decide(ANSWER, INPUTS)
    assert [one["output"]["short"] for one in lines_of(file)] == ["1998"], "nothing is kept while the server is down"
    assert (await Kept(file, None).decide(ANSWER, INPUTS)).output == first.output
    with pytest.raises(MissingRecord, match="Where"):
        await Kept(file, None).decide(ANSWER, INPUTS.model_copy(update={"question": "Where?"}))
