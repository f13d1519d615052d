"""backtrail annotate and finetune from the command line: real chat clients over HTTP, then a tiny checkpoint."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.annotated import known_towers, towers
from fixtures.command_line import run
from fixtures.local_models import Checkpoints
from fixtures.tiny_corpora import write_bundle
from loopback.openai_server import OpenAIServer

from backtrail.ingest.pipeline import ingest
from backtrail.tools.home import home


def test_from_questions_to_rows(tmp_path: Path) -> None:
    file, _ = towers(tmp_path / "set", 4)
    with OpenAIServer([known_towers], forever=True) as server:
        model = f"openai-compatible:any@{server.url}"
        asked = ("annotate", "run", file, "--out", tmp_path / "annotations", "--model", model, "--json")
        done = run(*asked)
        report: dict[str, Any] = json.loads(done.stdout)
        assert (done.exit_code, report["done"]) == (0, 4)
        assert report["counts"] == {"c1": 1, "c2": 1, "c3": 1, "c4": 1}
        assert report["spent"]["calls"] == len(server.chats) == 2 + 3 * 8
        with_picture = [len(chat.images) for chat in server.chats]
        assert sum(with_picture) == 4 + 3 * 3  # each question; its two queries, and the answer to the image query
        again: dict[str, Any] = json.loads(run(*asked).stdout)
        assert (again["done"], len(server.chats)) == (0, 26)
    out = tmp_path / "rows"
    refused = run("annotate", "export", tmp_path / "annotations", "--out", out, "--count", "c5=1")
    assert refused.exit_code == 2
    written = run("annotate", "export", tmp_path / "annotations", "--out", out, "--validation", 0.25, "--json")
    report = json.loads(written.stdout)
    assert (sum(report["train"].values()), sum(report["validation"].values())) == (3, 1)


def test_a_checkpoint_is_trained_and_told_about(tmp_path: Path) -> None:
    pytest.importorskip("torch").set_num_threads(1)
    pytest.importorskip("peft")
    pytest.importorskip("accelerate")
    base = Checkpoints(tmp_path)["text"]
    row = {"letters": ["A", "B"], "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "B"}]}
    for name in ("train", "validation"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join([json.dumps(row)] * 4))
    asked = ("finetune", base, tmp_path / "train.jsonl", "--out", tmp_path / "out", "--set", "learning_rate=0.05",
             "--set", "accumulation=1", "--set", "device=cpu")  # fmt: skip
    done = run(*asked)
    assert done.exit_code == 0, done.output
    assert "12 steps, 12 of them now" in done.stdout
    assert "accuracy 1.000" in done.stdout
    assert f"local:{tmp_path / 'out' / 'planner'}" in done.stdout
    report = json.loads(run(*asked, "--json").stdout)
    assert (report["steps"], report["began"], report["accuracy"]) == (12, 12, 1.0)
    assert_it_is_evaluated_inside_its_graph(asked, report, tmp_path)


def assert_it_is_evaluated_inside_its_graph(asked: tuple[object, ...], report: dict[str, Any], folder: Path) -> None:
    ingest([write_bundle(folder / "bundle", {"tower": ["The Tessel Tower was built in 1931."]})], "small",
           embedder="offline")  # fmt: skip
    questions = folder / "questions.jsonl"
    questions.write_text(json.dumps({"id": "q", "question": "When was the Tessel Tower built?", "answers": ["1931"]}))
    task = ("--json", "--eval", "custom", "--questions", questions, "--corpus", "small")
    done = run(*asked, *task)
    assert done.exit_code == 0, done.output
    first, second = done.stdout.strip().split("\n", 1)
    assert json.loads(first) == report
    assert json.loads(second)
    [results] = (home() / "results").rglob("trails.jsonl")
    path = json.loads(results.read_text())["trail"]["path"]
    assert path["planned"] == "B"  # as it was trained
    assert path["probabilities"]["B"] > 0.5
    refused = run(*asked, "--eval", "no such task")
    assert refused.exit_code != 0
    assert "no such task" in refused.output
