"""A table from one command: over what is here, beside what was printed, and again from its manifest."""

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.ingest.pipeline import ingest

TABLE = """
paper = "fif"
number = "1"
title = "Searches"
section = "Table 1"
reference = "Words"
columns = [
    { benchmark = "ottqa", name = "R@1", metric = "Recall@1" },
    { benchmark = "ottqa", name = "long", metric = "Hit@1", where = { answer_in = "long" } },
    { benchmark = "elsewhere", name = "R@1", metric = "Recall@1" },
    { name = "Average", metric = "Recall@1", mean = true },
]

[models]
reader = "gpt-5"

[benchmarks.ottqa]
name = "OTT-QA"
questions = 4

[benchmarks.elsewhere]
name = "Elsewhere"
private = "nobody has it"

[[rows]]
name = "Words"
method = "bm25"
figures = ["50.0", "", "1.0", "25.5"]

[[rows]]
name = "Both <b>"
method = "hybrid"
figures = ["60.0", "", "2.0", ""]

[[rows]]
name = "Late"
absent = "not built"
figures = ["70.0", "", "3.0", ""]
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of one's own over four questions about four rivers; one question can never be asked."""
    monkeypatch.setattr("backtrail.tools.embedders.open.open_embedder", lambda *_, **__: HashedEmbedder())
    bundle = tmp_path / "ottqa"
    bundle.mkdir()
    names = ["Varda", "Lorin", "Tengol", "Mirmu"]
    documents = [{"id": name, "title": name} for name in names]
    components = [
        {"id": f"{name}#p", "document": name, "position": 0, "modality": "text", "section": "", "links": [],
         "text": f"The river {name} is {n} km long."}
        for n, name in enumerate(names)
    ]  # fmt: skip
    questions = [
        {"id": name, "question": f"How long is the river {name}?", "answers": [f"{n} km"], "gold": [[f"{name}#p"]],
         "hops": 1, "tags": {"answer_in": "long" if n else "short"}}
        for n, name in enumerate(names)
    ]  # fmt: skip
    for name, entries in (("documents", documents), ("components", components), ("questions", questions)):
        (bundle / f"{name}.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    monkeypatch.setenv("BACKTRAIL_DATA", str(tmp_path))
    ingest([bundle], "ottqa")
    (tmp_path / "own.toml").write_text(TABLE)
    return tmp_path / "own.toml"


def run(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["reproduce", *words])
    assert result.exit_code == status, result.output
    return result.stdout


def refused(*words: str) -> str:
    """What is said where a command is refused, on one line."""
    result = CliRunner().invoke(app, ["reproduce", *words])
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.split())


def test_a_table_is_run_written_and_run_again_from_its_manifest(table: Path) -> None:
    out = table.parent / "out"
    report = json.loads(run(str(table), "--limit", "3", "--sample", "1", "--out", str(out), "--json"))
    assert [line["row"] for line in report["lines"]] == ["Words", "Both <b>"]
    first = report["lines"][0]["figures"]
    assert (first[0]["published"], first[0]["ours"], first[0]["questions"]) == (50.0, 100.0, 3)
    assert first[0]["difference"] == 50.0
    assert first[1]["published"] is None
    assert first[2]["ours"] is None, "a benchmark that nobody has"
    assert first[3]["ours"] is None, "and so no mean over both"
    assert report["lacking"] == [{"benchmark": "elsewhere", "why": "nobody has it", "how": report["lacking"][0]["how"]}]
    why = report["not comparable"][0]["why"]
    assert why == [
        "3 questions, in the paper 4",
        "the paper does not name its corpus",
        "reader rules, in the paper gpt-5",
    ]
    folder = out / "fif-1"
    assert "| Late | paper | 70.0 |" in (folder / "table.md").read_text()
    rows = list(csv.DictReader((folder / "table.csv").read_text().splitlines()))
    assert {row["row"] for row in rows} == {"Words", "Both <b>", "Late"}
    latex = (folder / "table.tex").read_text()
    assert r"Both \textless{}b\textgreater{}" in latex
    assert "% - OTT-QA: not comparable: 3 questions, in the paper 4" in latex
    assert "Both <b>" in "".join(ElementTree.parse(folder / "table.svg").getroot().itertext())
    manifest = json.loads((folder / "manifest.json").read_text())
    assert len(manifest["runs"][0]["questions"]["ids"]) == 3
    assert manifest["prompts"]
    again = json.loads(run("--from", str(folder / "manifest.json"), "--out", str(table.parent / "again"), "--json"))
    assert [line["figures"] for line in again["lines"]] == [line["figures"] for line in report["lines"]]


def test_a_manifest_whose_questions_changed_is_refused_unless_that_is_meant(table: Path) -> None:
    run(str(table), "--out", str(table.parent))
    manifest = str(table.parent / "fif-1" / "manifest.json")
    questions = table.parent / "ottqa" / "questions.jsonl"
    questions.write_text(questions.read_text().replace("How long is", "How very long is"))
    assert "questions of ottqa" in refused("--from", manifest)
    run("--from", manifest, "--though-changed")
    questions.write_text(questions.read_text().replace('"id": "Mirmu"', '"id": "Other"'))
    assert "no longer has the question 'Mirmu'" in refused("--from", manifest)


def test_check_and_pilot_say_what_is_here_and_what_the_rest_will_cost(table: Path) -> None:
    checked = json.loads(run(str(table), "--check", "--json"))
    assert (checked[0]["runs"], checked[0]["questions"]) == (2, 8)
    piloted = json.loads(run(str(table), "--pilot", "1", "--json"))
    assert [(one["pilot_questions"], one["remaining"]) for one in piloted] == [(1, 3), (1, 3)]
    assert [one["label"] for one in piloted] == ["Words (ours)", "Both <b> (ours)"]
    assert "own.toml" not in run(str(table), "--row", "Words", "--pilot", "2")
    run("mmapg", "2", "--check", status=2)


def test_dollars_of_a_model_without_a_price_are_not_told_and_cannot_be_bounded(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    table.write_text(table.read_text().replace('metric = "Hit@1", where', 'metric = "Cost", where'))
    asked = [str(table), "--row", "Words", "--out", str(table.parent), "--set", "expert=openai:nobody-priced"]
    assert "--budget-usd cannot be kept: no price is known for 'nobody-priced'" in refused(*asked, "--budget-usd", "3")
    assert "Dollars are not counted: no price is known for nobody-priced." in run(*asked)
    report = json.loads(run(*asked, "--json"))
    assert [figure["ours"] for figure in report["lines"][0]["figures"]] == [100.0, None, None, None]


def test_rows_that_read_a_knowledge_graph_say_where_there_is_none(table: Path) -> None:
    table.write_text(table.read_text().replace('method = "bm25"', 'method = "bm25"\nknowledge = true'))
    lacking = json.loads(run(str(table), "--check", "--json"))[0]["lacking"]
    assert lacking[0]["why"] == "Words and others do without the knowledge graph"
    assert "has no knowledge graph. Build it with: backtrail ingest" in lacking[0]["how"]


def test_rows_that_read_pictures_in_words_say_where_nothing_describes_them() -> None:
    lacking = json.loads(run("hm_rag", "2", "--small", "--row", "Vector-based", "--check", "--json"))[0]["lacking"]
    (shown,) = [one for one in lacking if one["benchmark"] == "crisismmd1"]
    assert shown["why"] == "Vector-based 7B and others do without T_v"
    assert "pictures of corpus 'sample-crisismmd1' have no descriptions" in shown["how"]


def test_a_table_in_the_distractor_setting_asks_each_question_within_its_contexts(tmp_path: Path) -> None:
    report = json.loads(
        run("mmapg", "1", "--small", "--variant", "ours", "--limit", "2", "--out", str(tmp_path), "--json")
    )
    row = next(line for line in report["lines"] if line["row"] == "MMAPG (ours)")
    assert row["figures"][-1]["ours"] is not None
    (manifest,) = tmp_path.rglob("manifest.json")
    (ran,) = json.loads(manifest.read_text())["runs"]
    assert (ran["task"], ran["corpus"]["name"]) == ("multimodalqa_given", "sample-multimodalqa_given")


def test_a_budget_of_nothing_asks_nothing_and_tells_what_is_there(table: Path) -> None:
    asked = [str(table), "--row", "Words", "--out", str(table.parent)]
    run(*asked, "--pilot", "2")
    text = run(*asked, "--budget-usd", "0", status=1)
    assert "ours, 2 asked, 2 left" in text
    run(str(table), "--limit", "2", "--out", str(table.parent), "--report")  # a page shows what every row answered
    page = (table.parent / "fif-1" / "ottqa.html").read_text()
    assert page.count("<article") == 2
    assert page.index("bm25 [Words]") < page.index("hybrid [Both &lt;b&gt;]")
    assert not (table.parent / "fif-1" / "elsewhere.html").exists()
