"""backtrail calibrate from the command line, offline: made, kept and used, refused, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.tiny_corpora import write_bundle
from typer.testing import CliRunner, Result

from backtrail.cli.app import app
from backtrail.tools.calibration import calibration_file, calibration_in_use

# Two corpora of one kind, so that each can be judged by the other.
CORPORA = {"stones": "Stone", "bells": "Bell"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calibrate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        for name, thing in CORPORA.items():
            texts = {
                f"{name}{n}": [f"{thing} {n} was set up in {1700 + n} by Mason {n}. {thing} {n} has {n} sides."]
                for n in range(60)
            }
            write_bundle(folder / name, texts, links=[])
            assert run("ingest", str(folder / name), "--corpus", name).exit_code == 0
            _write_questions(folder / f"{name}.jsonl", thing)
    return folder


@pytest.fixture(autouse=True)
def own_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home / "home"))
    calibration_file().unlink(missing_ok=True)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def _write_questions(file: Path, thing: str) -> None:
    """Right, and of every third the answer of another one: what is read there is wrong."""
    lines = [
        {
            "id": f"{thing}-{n}", "question": f"When was {thing} {n} set up?",
            "answers": [str(1700 + n if n % 3 else 1500)], "gold": [],
        }
        for n in range(60)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_it_is_made_kept_and_used_and_nothing_is_asked_twice(home: Path) -> None:
    command = ["calibrate", "--questions", str(home / "stones.jsonl"), "--corpus", "stones", "--generate", "bells",
               "--generated", "60", "--method", "bm25"]  # fmt: skip
    dry = run(*command, "--dry-run", "--json")
    assert dry.exit_code == 0, dry.output
    told = json.loads(dry.stdout)
    assert told["stored"] is None
    assert not calibration_file().exists()
    assert set(told["held_out"]) == {"custom", "made-bells"}
    assert told["held_out"]["custom"]["questions"] == 60
    lines = {file: file.read_text() for file in (home / "home" / "results").rglob("results.jsonl")}
    assert lines
    kept = run(*command)
    assert kept.exit_code == 0, kept.output
    assert "high from" in kept.stdout
    assert {file: file.read_text() for file in (home / "home" / "results").rglob("results.jsonl")} == lines
    assert calibration_in_use().made.read == {"custom": 60, "made-bells": 60}


def test_too_few_questions_are_refused_and_nothing_is_kept(home: Path) -> None:
    few = ("--questions", str(home / "stones.jsonl"), "--corpus", "stones", "--limit", "10", "-m", "bm25")
    refused = run("calibrate", *few)
    assert refused.exit_code == 2
    assert "of 10 questions" in " ".join(refused.output.split())
    assert not calibration_file().exists()


def test_questions_of_ones_own_need_their_corpus(home: Path) -> None:
    result = run("calibrate", "--questions", str(home / "stones.jsonl"))
    assert result.exit_code == 2
    assert "--corpus" in result.output


def test_what_it_is_unsure_of_is_quoted_and_what_it_is_sure_of_is_said(home: Path) -> None:
    asked = ("ask", "When was Stone 7 set up?", "--corpus", "stones", "--method", "bm25", "--json")
    said = json.loads(run(*asked, "--set", "offline.short_from=low").stdout)
    assert (said["answer"], said["abstained"]) == ("1707", False)
    assert said["calibrated"]["short"] == "1707"
    assert any("Stone 7 was set up in 1707" in quote["quote"] for quote in said["quotes"])
    held = calibration_in_use().model_copy(update={"high": 1.0})
    calibration_file().write_text(held.model_dump_json())
    unsaid = json.loads(run(*asked).stdout)
    assert unsaid["abstained"]
    assert "a model would be needed" in unsaid["answer"].partition("\n")[0]
    assert "1707" not in unsaid["answer"].partition("\n")[0]
    assert "Stone 7 was set up in 1707" in unsaid["answer"]
