"""The table with a strong reader: the docs print what ships, and finished questions are not sent again."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.pieces import text_piece
from reader_table import plan
from reader_table.asking import Asked, held
from reader_table.comparison import comparison, pairs, worse
from reader_table.degrading import degraded_table
from reader_table.kept import Kept, lines_of
from reader_table.pack import shipped_questions
from reader_table.plan import OF_EACH_CORPUS, PLAN, SAFETY, UNANSWERABLE, Row, chosen
from reader_table.report import table, verdict

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question, read_questions
from backtrail.evals.visible_text import holds
from backtrail.state.answer_decisions import ANSWER, AnswerInputs
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.errors import ModelUnavailable

ROOT = Path(__file__).parents[3]
WILD = Path(os.environ.get("BACKTRAIL_DATA", "")) / "wild"
WITH_WILD = pytest.mark.skipif(
    not (WILD / "questions.jsonl").exists(), reason=f"no real files at {WILD}; set BACKTRAIL_DATA"
)
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


async def test_a_kept_reply_that_a_changed_check_refuses_is_asked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    await Kept(file, ScriptedDecider({"answer": [READING]})).decide(ANSWER, INPUTS)

    def refuses_1998(_: Any, output: Any) -> list[str]:
        return ["1998 is no year."] if output.short == "1998" else []

    stricter = replace(ANSWER, check=refuses_1998)
    with pytest.raises(MissingRecord, match="1998 is no year"):
        await Kept(file, None).decide(stricter, INPUTS)
    again = {**READING, "short": "1999"}
    assert (await Kept(file, ScriptedDecider({"answer": [again]})).decide(stricter, INPUTS)).output.short == "1999"
    assert (await Kept(file, None).decide(stricter, INPUTS)).output.short == "1999"


def _corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_DATA", str(tmp_path))
    corpora = ("web", "office", "docs-site")
    for name, count in (("ottqa", 120), ("wild", 80)):
        (tmp_path / name).mkdir()
        rows = [
            {"id": f"{name}-{n}", "question": f"{n}?", "answers": ["x"] if n % 12 else [], "corpus": corpora[n % 3]}
            for n in range(count)
        ]
        (tmp_path / name / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_questions_are_chosen_by_hash_and_none_asked_before(tmp_path: Path, monkeypatch: Any) -> None:
    _corpora(tmp_path, monkeypatch)
    assert all(int(question.id.partition("-")[2]) < 60 for question in chosen("ottqa"))
    assert {name: len(chosen(name)) for name in plan.COUNTS} == plan.COUNTS
    assert chosen("wild") == chosen("wild")
    lookup, beyond = chosen("lookup"), chosen("beyond_lookup")
    assert [row.count for row in SAFETY] == [len(lookup), len(beyond)]
    for questions in (chosen("wild"), lookup):
        assert sum(not question.answerable for question in questions) == UNANSWERABLE
    answerable = Counter(question.corpus for question in lookup if question.answerable)
    assert answerable == dict.fromkeys(("web", "office", "docs-site"), OF_EACH_CORPUS)
    assert all(question.parts and question.evidence for question in beyond)


@pytest.mark.corpora
@WITH_WILD
def test_questions_written_here_name_documents_of_the_real_files_that_say_the_gold() -> None:
    known = {question.id for question in read_questions(WILD / "questions.jsonl")}
    for question in chosen("beyond_lookup"):
        assert question.id not in known
        for piece in question.evidence:
            file = WILD / question.corpus / piece.document
            assert file.is_file(), f"{question.id}: no {file}"
            if file.suffix == ".md":
                assert holds(piece.quote or "", [file.read_text()], []), f"{question.id}: {piece}"


LIST = Question(
    id="l", question="Which?", answers=("a and b",), parts=(("Ada",), ("Bob", "Robert")), corpus="web", kind="list"
)
NOBODY = Question(id="n", question="Who?", corpus="web")
ROW = Row("fif", "beyond_lookup", 2)


def _asked(question: Question, *, answer: str = "", abstained: bool = False, calls: int = 1, error: str = "") -> Asked:
    outcome = Outcome(
        id=question.id, fingerprint=question.fingerprint, answer=answer, short=answer, abstained=abstained, calls=calls,
        input_tokens=1000 * calls, output_tokens=100, seconds=0.0, error=error or None,
    )  # fmt: skip
    return Asked(ROW, question, outcome, "code")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (_asked(LIST, answer="Ada and Robert."), "right"),
        (_asked(LIST, answer="Ada alone"), "wrong"),
        (_asked(LIST, answer="Adam and Bobby"), "wrong"),
        (_asked(LIST, abstained=True), "abstained"),
        (_asked(LIST, error="ModelUnavailable"), "error"),
        (_asked(NOBODY, answer="Ada"), "wrong"),
        (_asked(NOBODY, abstained=True), "abstained"),
    ],
)
def test_a_list_is_right_when_every_part_is_named(asked: Asked, expected: str) -> None:
    assert verdict(asked) == expected


def test_a_run_is_compared_with_the_baseline_question_by_question() -> None:
    before = [_asked(LIST, answer="Ada, Bob"), _asked(NOBODY, abstained=True, calls=2)]
    after = [_asked(LIST, answer="Ada", calls=3), _asked(NOBODY, abstained=True, calls=2)]
    compared = pairs(before, after)
    assert worse(compared) == ["l"]
    assert list(comparison(compared))[2:] == [
        "| baseline | 2 | 2 | 1 | 0 | 1 | 1.50 | 1,500 | 100 |",
        "| now | 2 | 1 | 0 | 1 | 1 | 2.50 | 2,500 | 100 |",
        "",
        "| question | baseline | now |",
        "|---|---|---|",
        "| `fif` l | right, 1 call | wrong, 3 calls |",
    ]
    assert worse(pairs(after, before)) == []
    reworded = LIST.model_copy(update={"question": "Which ones?"})
    assert pairs(before, [_asked(reworded, answer="Ada"), _asked(NOBODY, error="ModelUnavailable")]) == []
