"""The measurement of a task from its files: corpora and outcomes are reused until what made them changes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import overhead
import pytest
from fixtures.tiny_corpora import write_bundle
from measure import corpora, evaluations
from measure.plan import Part

from backtrail.evals.tasks.custom import custom_task
from backtrail.tools.home import corpus_folder, home

TOWNS = {
    "ulm": ["Ulm lies on the Danube.", "Its minster has the tallest steeple, 161.53 m high."],
    "bonn": ["Bonn lies on the Rhine.", "Beethoven was born in Bonn in 1770."],
}
QUESTIONS = [
    {"id": "steeple", "question": "How high is the steeple of the minster of Ulm?", "answers": ["161.53 m"],
     "evidence": [{"document": "ulm", "quote": "161.53 m high"}]},
    {"id": "lost", "question": "Which river is Bonn on?", "answers": ["Rhine"],
     "evidence": [{"document": "bonn", "quote": "Rhine"}, {"document": "bonn", "quote": "nowhere said"}]},
    {"id": "unanswerable", "question": "Who is the mayor of Trier?"},
]  # fmt: skip


@pytest.fixture
def part(tmp_path: Path) -> Part:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps({"image": None, **one}) + "\n" for one in QUESTIONS))
    folder = write_bundle(tmp_path / "bundle", TOWNS)
    return Part(custom_task(file, "towns"), lambda: folder, ranked=("fif", "bm25"))


def test_a_second_run_gives_the_same_scores_and_asks_nothing(part: Part) -> None:
    first = evaluations.measure_part(part)
    assert first.ids == ["steeple", "lost", "unanswerable"]
    assert first.scores["fif"]["Hit@10"] == [1, 1, None]
    assert first.scores["fif"]["Recall@10"] == [1, 0.5, None]
    assert first.scores["fif"]["Model asked"] == [0, 0, 0]
    assert first.scores["oracle"] == {"Evidence ingested": [1, 0.5, None]}
    assert "Right" not in first.scores["bm25"]
    written = {path: path.read_bytes() for path in home().rglob("results.jsonl")}
    assert len(written) == 2
    corpus = corpus_folder("towns") / "corpus.sqlite"
    made = corpus.stat().st_mtime_ns
    assert evaluations.measure_part(part) == first
    assert {path: path.read_bytes() for path in home().rglob("results.jsonl")} == written
    assert corpus.stat().st_mtime_ns == made


def test_a_corpus_is_made_anew_with_the_vectors_it_had(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    corpora.make_corpus(part)
    (vectors,) = (corpus_folder("towns") / "vectors").glob("*.float32")
    made, size = (corpus_folder("towns") / "corpus.sqlite").stat().st_mtime_ns, vectors.stat().st_size
    monkeypatch.setattr(corpora, "ingestion", lambda: "other parsers")
    corpora.make_corpus(part)
    assert (corpus_folder("towns") / "corpus.sqlite").stat().st_mtime_ns > made
    assert vectors.stat().st_size == size


def test_super_steps_of_fif_and_of_a_bare_loop_are_timed(tmp_path: Path) -> None:
    ours, floor, steps, _ = asyncio.run(overhead.measure(hops=2, repeat=1, folder=tmp_path))
    assert min(*ours, *floor) > 0
    assert steps > 2
