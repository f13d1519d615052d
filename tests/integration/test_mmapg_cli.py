"""MMAPG from the command line, offline: ask, trace as a tree, Mermaid and SVG, compare, calibrate."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fixtures.command_line import run
from fixtures.scripted_fif import DOCUMENTS
from fixtures.tiny_corpora import write_bundle

QUESTION = "When was Voyager 2 launched?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    more = {f"d{n}": [f"Stone {n} lies at mile {n}. It was set up by mason {n}."] for n in range(40)}
    write_bundle(folder / "bundle", {**DOCUMENTS, **more}, links=[("triton", "voyager")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        patch.setenv("BACKTRAIL_CORPUS", "tiny")
        assert run("ingest", str(folder / "bundle")).exit_code == 0
    return folder / "home"


@pytest.fixture(autouse=True)
def own_checkpoints(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
    monkeypatch.setenv("BACKTRAIL_CORPUS", "tiny")
    monkeypatch.setenv("BACKTRAIL_CHECKPOINTS_URL", str(tmp_path / "checkpoints.sqlite"))


def asked() -> str:
    result = run("ask", QUESTION, "--method", "mmapg", "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["thread_id"]


def test_ask_shows_the_nodes_as_they_grow() -> None:
    result = run("ask", QUESTION, "--method", "mmapg", "--trail")
    assert result.exit_code == 0, result.stderr
    assert "1977" in result.stdout
    assert "n0 ? question" in result.stderr
    assert "n1 ✓ retrieval" in result.stderr


def test_trace_prints_the_tree_and_the_drawings(tmp_path: Path) -> None:
    thread = asked()
    shown = run("trace", thread).stdout
    assert "└── " in shown
    assert "dead ends" in shown
    assert run("trace", thread, "--mermaid").stdout.startswith("flowchart TD\n    n0([")
    drawing = tmp_path / "graph.svg"
    assert "nodes drawn" in run("trace", thread, "--svg", str(drawing)).stdout
    assert ElementTree.parse(drawing).getroot().tag.endswith("svg")
    read = json.loads(run("trace", thread, "--json").stdout)
    assert read["planning_graph"][0]["kind"] == "question"
    other = json.loads(run("ask", QUESTION, "--method", "fif", "--json").stdout)["thread_id"]
    refused = run("trace", other, "--mermaid")
    assert (refused.exit_code, "no planning graph" in refused.stderr) == (2, True)


def test_compare_asks_each_method_on_a_thread_of_its_own() -> None:
    compared = json.loads(run("compare", QUESTION, "-m", "mmapg", "-m", "dense", "--json").stdout)
    assert [one["method"] for one in compared["methods"]] == ["mmapg", "dense"]
    assert len({one["thread_id"] for one in compared["methods"]}) == 2
    assert "1977" in compared["methods"][0]["answer"]
    assert 0 <= compared["evidence_overlap"]["mmapg"]["dense"] <= 1
    assert run("trace", compared["methods"][1]["thread_id"]).exit_code == 0
    shown = run("compare", QUESTION, "-m", "mmapg", "-m", "bm25").stdout
    assert [said for said in ("mmapg", "bm25", "1977", "same evidence", "USD", "100%") if said not in shown] == []


def test_calibrate_prints_quantiles_and_keeps_the_radii(home: Path) -> None:
    file = home / "corpora" / "tiny" / "radii.json"
    dry = json.loads(run("corpus", "calibrate", "tiny", "--dry-run", "--json").stdout)
    assert (dry["in_use"]["origin"], dry["stored"], file.exists()) == ("default", None, False)
    shown = run("corpus", "calibrate", "tiny")
    assert shown.exit_code == 0
    assert "text, near" in shown.stdout
    assert "text, random" in shown.stdout
    kept = json.loads(run("corpus", "calibrate", "tiny", "--json").stdout)
    assert kept["in_use"] == {"text": kept["text_radius"], "image": kept["image_radius"], "origin": "calibrated"}
    assert kept["text_radius"] == dry["text_radius"]
    search = json.loads(run("trace", asked(), "--json").stdout)["planning_graph"][1]["search"]
    assert search["text_radius"] == kept["text_radius"]
