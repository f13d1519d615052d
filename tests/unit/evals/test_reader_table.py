"""The table with a strong reader: what ships tells what the docs say, and whoever was asked once is not asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reader_table import plan
from reader_table.asking import held
from reader_table.degrading import told
from reader_table.kept import Kept, lines_of
from reader_table.mistaken import AILMENTS, SHARE, Mistaken
from reader_table.pack import shipped_questions
from reader_table.plan import PLAN, UNANSWERABLE, chosen
from reader_table.report import differences, table

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.errors import ModelRefused

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "benchmarks" / "reader_table" / "kept"
READING = {"short": "1998", "text": "In 1998.", "citations": [{"component": "a#0", "sentence": 0}], "supported": True,
           "confidence": 0.9}  # fmt: skip
INPUTS = AnswerInputs(
    question="When?",
    evidence=[
        EvidenceText(id=f"{name}#0", modality="text", title=name.upper(), sentences=["It was 1998."], score=1.0)
        for name in "ab"
    ],
)


def test_the_docs_print_the_table_of_what_ships() -> None:
    questions = shipped_questions(KEPT)
    found = held(KEPT, PLAN, questions)
    docs = (ROOT / "docs" / "results.md").read_text().splitlines()
    lines = [*table(found), *differences(found), *told(KEPT, PLAN, questions, found)]
    assert len(lines) > 20
    assert [line for line in lines if line not in docs] == []


def test_what_ships_holds_no_text_of_documents() -> None:
    lines = list(lines_of(KEPT / "outcomes.jsonl.gz"))
    assert {"quoted", "quotes", "read"}.isdisjoint(key for line in lines for key in line["outcome"])
    assert not any("evidence" in one for one in lines_of(KEPT / "questions.jsonl.gz"))


async def test_who_was_asked_once_is_not_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    reader = ScriptedDecider({"answer": [READING]})
    first = await Kept(file, reader).decide(ANSWER, INPUTS)
    again = await Kept(file, None).decide(ANSWER, INPUTS)
    assert again.output == first.output
    assert again.charge == first.charge
    with pytest.raises(MissingRecord, match="Where"):
        await Kept(file, None).decide(ANSWER, INPUTS.model_copy(update={"question": "Where?"}))


async def test_a_failure_is_kept_and_a_line_that_a_kill_cut_off_is_asked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    with pytest.raises(DecisionFailed, match="no JSON"):
        await Kept(
            file, ScriptedDecider({"answer": [DecisionFailed("answer", "r", "no JSON", charge(calls=3))]})
        ).decide(ANSWER, INPUTS)
    with pytest.raises(DecisionFailed, match="no JSON") as caught:
        await Kept(file, None).decide(ANSWER, INPUTS)
    assert caught.value.charge["calls"] == 3
    file.write_bytes(file.read_bytes()[:-20])
    await Kept(file, ScriptedDecider({"answer": [READING]})).decide(ANSWER, INPUTS)
    assert [one["output"]["short"] for one in lines_of(file)] == ["1998"]


async def test_mistakes_of_the_reader_meet_the_whole_ladder(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    await Kept(file, ScriptedDecider({"answer": [READING]})).decide(ANSWER, INPUTS)
    wrong: dict[str, Any] = {}
    for ailment in AILMENTS:
        for seed in range(200):
            reader = Mistaken(Kept(file, None), ailment, seed)
            try:
                decided = await reader.decide(ANSWER, INPUTS)
            except ModelRefused as error:
                wrong.setdefault(ailment, []).append(error)
                continue
            if decided.output.citations[0].component != "a#0" or decided.charge["calls"] > 1:
                wrong.setdefault(ailment, []).append(decided)
    assert set(wrong) == set(AILMENTS)
    assert all(0.5 * SHARE < len(found) / 200 < 1.5 * SHARE for found in wrong.values())
    assert {(one.output.short, one.charge["calls"]) for one in wrong["invented ids"]} == {("1998", 2)}
    assert {one.output.citations[0].component for one in wrong["ids of others"]} == {"b#0"}
    assert {(one.output.short, one.output.confidence) for one in wrong["sure and wrong"]} == {("B", 1.0)}


def test_questions_are_chosen_by_hash_and_those_asked_before_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_DATA", str(tmp_path))
    for name, count in (("ottqa", 120), ("wild", 60)):
        (tmp_path / name).mkdir()
        rows = [{"id": f"{name}-{n}", "question": f"{n}?", "answers": ["x"] if n % 12 else []} for n in range(count)]
        (tmp_path / name / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ottqa, wild = chosen("ottqa"), chosen("wild")
    assert len(ottqa) == plan.COUNTS["ottqa"]
    assert all(int(question.id.partition("-")[2]) < 60 for question in ottqa)
    assert len(wild) == plan.COUNTS["wild"]
    assert sum(not question.answerable for question in wild) == UNANSWERABLE
    assert chosen("wild") == wild
