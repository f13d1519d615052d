"""Several chunks in one request to a model, over the real client: each is read, kept, mended and failed by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle
from loopback.openai_server import OpenAIServer, Received, Said, error, refusal, reply

from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.knowledge.open import open_knowledge

PAGES = {"moon": ["Luna is grey.", "Tycho is a crater.", "Apollo landed."], "sun": ["Light comes from it."]}

Entry = dict[str, Any]


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    return write_bundle(tmp_path / "pages", PAGES)


def texts(request: Received) -> list[str]:
    """The texts of the chunks that a request shows, in order."""
    user = request.body["messages"][1]["content"]
    return [json.loads(text) for text in re.findall(r"^Text: (.*)$", user, re.M)]


def entry(number: int, text: str) -> Entry:
    """What the model says of a chunk: its first word is in its last."""
    first, last = text.rstrip(".").split()[0], text.rstrip(".").split()[-1]
    return {
        "chunk": number,
        "entities": [[first, "thing"]],
        "statements": [{"text": text, "triplets": [[first, "has to do with", last, 3, "test"]]}],
    }


def entries(request: Received) -> list[Entry]:
    return [entry(number, text) for number, text in enumerate(texts(request), start=1)]


def says(change: Callable[[list[Entry]], Any] = lambda said: said) -> Callable[[Received], Said]:
    """A model that reads every chunk; requests of several chunks are answered with a change."""

    def answer(request: Received) -> Said:
        said = entries(request)
        return reply({"chunks": change(said) if len(said) > 1 else said})

    return answer


def run(path: Path, server: OpenAIServer) -> IngestReport:
    model = open_decider(f"openai-compatible:reader@{server.url}", temperature=0.0)
    return ingest([path], "sky", embedder="hashed", opened=HashedEmbedder(), extractor=model)


def asked(server: OpenAIServer) -> list[list[str]]:
    return sorted((texts(request) for request in server.chats), key=lambda held: (-len(held), held))


def names() -> set[str]:
    graph = open_knowledge("sky")
    found = [scored["id"] for scored in graph.search_entities(HashedEmbedder().embed(["moon"]), 1_000)]
    return {entity.name for entity in graph.entities(found).values()}


def test_a_document_is_read_with_one_request_and_never_again(pages: Path) -> None:
    with OpenAIServer([says()], forever=True) as server:
        report = run(pages, server)
        assert asked(server) == [PAGES["moon"], PAGES["sun"]]
        assert (report.knowledge["chunks"], report.knowledge["calls"], report.knowledge["read"]) == (4, 2, 4)
        assert run(pages, server).anything_new is False
        assert len(server.chats) == 2
    assert {"Luna", "Tycho", "Apollo", "Light"} <= names()
    graph = open_knowledge("sky")
    (tycho,) = graph.entities(graph.named(["Tycho"]).values()).values()
    assert tycho.components == ("moon#1",)
    assert check("sky") == []


def worse(said: list[Entry]) -> list[Any]:
    return [said[0], {**said[1], "entities": [["Tycho"], []]}, said[2]]


def of_a_neighbour(said: list[Entry]) -> list[Any]:
    return [said[0], {**said[0], "chunk": 2}, said[2]]


@pytest.mark.parametrize(
    "change",
    [
        lambda said: [said[0], said[2]],
        lambda said: [said[0], said[1], said[1], said[2]],
        worse,
        of_a_neighbour,
    ],
    ids=["missing", "twice", "malformed", "of a neighbour"],
)
def test_a_chunk_that_a_reply_does_not_settle_is_asked_for_alone(change: Any, pages: Path) -> None:
    with OpenAIServer([says(change)], forever=True) as server:
        report = run(pages, server)
        assert asked(server) == [PAGES["moon"], PAGES["sun"], ["Tycho is a crater."]]
    assert (report.knowledge["read"], report.knowledge["failed"], report.failed) == (4, 0, [])
    assert {"Luna", "Tycho", "Apollo", "Light"} <= names()


@pytest.mark.parametrize(
    "bad",
    [refusal("I will not read about craters."), reply("no JSON"), error(400, "this text is not allowed")],
    ids=["refused", "malformed", "rejected"],
)
def test_one_bad_chunk_does_not_fail_its_neighbours(bad: Said, pages: Path) -> None:
    def answer(request: Received) -> Said:
        return bad if "Tycho is a crater." in texts(request) else says()(request)

    with OpenAIServer([answer], forever=True) as server:
        report = run(pages, server)
        assert (report.knowledge["read"], report.knowledge["failed"]) == (3, 1)
        assert [problem.source for problem in report.failed] == ["moon#1 (part 1)"]
        assert {"Luna", "Apollo", "Light"} <= names()
        before = len(server.chats)
        run(pages, server)
        assert {text for request in server.chats[before:] for text in texts(request)} == {"Tycho is a crater."}
    assert check("sky") == []


def test_of_a_reply_that_was_cut_off_the_last_chunk_is_asked_for_again(pages: Path) -> None:
    def answer(request: Received) -> Said:
        said = entries(request)
        if len(said) == 1:
            return reply({"chunks": said})
        whole = json.dumps({"chunks": said[:2]})
        return reply(whole[: whole.rindex("[")], finish="length")

    with OpenAIServer([answer], forever=True) as server:
        report = run(pages, server)
        alone = [texts(request) for request in server.chats if len(texts(request)) == 1]
    assert sorted(alone) == [["Apollo landed."], ["Light comes from it."], ["Tycho is a crater."]]
    assert (report.knowledge["read"], report.failed) == (4, [])


def test_a_table_is_read_row_by_row_and_worded_by_code(pages: Path) -> None:
    folder = write_bundle(pages.parent / "mixed", {"a": ["Luna is grey."]})
    table = {"caption": "Craters", "header": ["Crater", "Width"], "rows": [["Tycho", "85 km"], ["Plato", "101 km"]]}
    line = {"id": "a#1", "document": "a", "position": 1, "modality": "table"}
    with (folder / "components.jsonl").open("a") as lines:
        lines.write(json.dumps({**line, "table": table}) + "\n")
    rows = [
        {"row": 0, "triplets": [["Tycho", "Width", "85 km"]]},
        {"row": 1, "text": "Plato is 101 km wide.", "triplets": [["Plato", "Width", "101 km", 2, "size"]]},
    ]
    said = [entry(1, "Luna is grey."), {"chunk": 2, "entities": [["Tycho", "crater"]], "statements": rows}]
    with OpenAIServer([reply({"chunks": said})]) as server:
        run(folder, server)
    held = open_knowledge("sky").triplets(["a#1"])["a#1"]
    assert [one.text for one in held] == ["About a: Craters: Crater Tycho: Width is 85 km", "Plato is 101 km wide."]
