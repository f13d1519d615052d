"""The knowledge graph on the command line: built by an ingest, shown, exported, refused with a reason."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from fixtures.command_line import as_json, run
from fixtures.tiny_corpora import write_bundle
from loopback.openai_server import OpenAIServer, reply

PAGES = {
    "voyager": ["Voyager 2 is a space probe. It was launched in 1977. It visited Triton & Neptune."],
    "triton": ["Triton is a moon in the Neptune System."],
}
NAMESPACE = {"g": "http://graphml.graphdrawing.org/xmlns"}


@pytest.fixture(autouse=True)
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_CORPUS", "tiny")
    return write_bundle(tmp_path / "pages", PAGES)


def test_build_show_and_export(pages: Path, tmp_path: Path) -> None:
    report = as_json("ingest", str(pages), "--knowledge-graph")
    assert (report["knowledge"]["extractor"], report["knowledge"]["read"]) == ("offline", 2)
    counts = as_json("corpus", "graph", "tiny")
    assert counts["entities"] > 3
    assert f"{counts['relations']} relations" in run("corpus", "graph", "tiny").stdout

    shown = run("corpus", "graph", "tiny", "--entity", "about VOYAGER").stdout
    assert "Voyager 2 is a space probe." in shown
    assert "was launched in→ 1977" in shown
    found = as_json("corpus", "graph", "tiny", "--entity", "Neptune System")
    assert {relation["relation"] for relation in found["relations"]} == {"moon in"}

    file = tmp_path / "graph.graphml"
    assert as_json("corpus", "graph", "tiny", "--export", str(file))["nodes"] == counts["entities"]
    tree = ElementTree.parse(file)
    assert len(tree.findall(".//g:node", NAMESPACE)) == counts["entities"]
    edges = tree.findall(".//g:edge", NAMESPACE)
    ids = {node.get("id") for node in tree.findall(".//g:node", NAMESPACE)}
    assert len(edges) == counts["relations"]
    assert all({edge.get("source"), edge.get("target")} <= ids for edge in edges)
    assert "Triton & Neptune" in "".join(tree.getroot().itertext())


def test_no_graph_a_stale_one_and_no_such_entity_are_told(pages: Path) -> None:
    alone = run("ingest", str(pages), "--extractor", "offline")
    assert (alone.exit_code, "--knowledge-graph" in alone.stderr) == (2, True)
    assert run("ingest", str(pages)).exit_code == 0
    missing = run("corpus", "graph", "tiny")
    assert missing.exit_code == 2
    assert f"backtrail ingest {pages} --corpus tiny --knowledge-graph" in missing.stderr.replace("\n", " ")
    assert run("ingest", str(pages), "--knowledge-graph").exit_code == 0
    unknown = run("corpus", "graph", "tiny", "--entity", "Pluto")
    assert (unknown.exit_code, "'Pluto'" in unknown.stderr) == (2, True)
    write_bundle(pages, {**PAGES, "neptune": ["Neptune is a planet."]})
    result = run("ingest", str(pages))
    assert "knowledge graph is stale: 1 components" in result.stdout
    assert "--knowledge-graph" in result.stdout
    assert "stale" not in run("ingest", str(pages), "--knowledge-graph").stdout


def test_a_model_reads_the_corpus_and_is_remembered(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    near = {"text": "Triton is near Neptune.", "triplets": [["Triton", "near", "Neptune"]]}
    extracted = {"chunks": [{"chunk": 1, "entities": [["Triton", "moon"]], "statements": [near]}]}
    with OpenAIServer([reply(extracted)], forever=True) as server:
        model = f"openai-compatible:reader@{server.url}"
        report = as_json("ingest", str(pages), "--knowledge-graph", "--extractor", model)
        knowledge = report["knowledge"]
        assert (knowledge["extractor"], knowledge["chunks"]) == (model, 2)
        assert knowledge["read"] == 2
        assert knowledge["calls"] >= 2
        before = len(server.chats)
        again = as_json("ingest", str(pages), "--knowledge-graph")
        assert (again["knowledge"]["extractor"], again["knowledge"]["chunks"]) == (model, 0)
        assert len(server.chats) == before
