"""Recording what the reader is given: each question once, kept at once, gone on with after a kill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.tiny_corpora import write_bundle
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.training.answer_ranking.__main__ import main
from backtrail.training.answer_ranking.recorded import read_recorded

COUNT = 12


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    texts = {f"s{n}": [f"Stone {n} was set up in {1700 + n} by Mason {n}."] for n in range(COUNT)}
    write_bundle(tmp_path / "stones", texts, links=[])
    assert CliRunner().invoke(app, ["ingest", str(tmp_path / "stones"), "--corpus", "stones"]).exit_code == 0
    file = tmp_path / "questions.jsonl"
    lines = [
        {"id": f"q{n}", "question": f"When was Stone {n} set up?", "answers": [str(1700 + n)], "gold": []}
        for n in range(COUNT)
    ]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def asked(questions: Path, rows: Path) -> None:
    """Too few to learn from: what is recorded stays."""
    with pytest.raises(SystemExit) as left:
        main(["--recorded", str(rows), "--questions", str(questions), "--corpus", "stones", "--method", "bm25"])
    assert left.value.code == 2


def test_questions_are_recorded_once_with_their_evidence_and_a_cut_line_is_asked_again(
    questions: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows" / "rows.jsonl"
    asked(questions, rows)
    held = rows.read_bytes()
    recorded = read_recorded(rows)
    assert [one.question.id for one in recorded] == [f"q{n}" for n in range(COUNT)]
    assert all(one.corpus == "stones" and one.inputs is not None for one in recorded)
    for number, one in enumerate(recorded):
        assert one.inputs is not None
        assert one.inputs.question == f"When was Stone {number} set up?"
        assert any(f"Stone {number} was" in sentence for item in one.inputs.evidence for sentence in item.sentences)
    asked(questions, rows)
    assert rows.read_bytes() == held
    rows.write_bytes(held[:-40])  # as a kill leaves it
    asked(questions, rows)
    assert rows.read_bytes() == held


def test_a_file_of_questions_needs_its_corpus(questions: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--recorded", str(tmp_path / "rows.jsonl"), "--questions", str(questions)])
    assert left.value.code == 2
