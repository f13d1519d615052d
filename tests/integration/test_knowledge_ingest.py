"""Read real corpora into their knowledge graphs: once, again, changed, deleted, killed, refused."""

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_ingest import run_victim
from fixtures.scripted_extractor import calls, says, scripted_extractor
from fixtures.tiny_corpora import write_bundle
from loopback.openai_server import OpenAIServer, Received, Said, error, refusal, reply

from backtrail.ingest.knowledge import GIVE_UP_AFTER
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.state.usage import charge
from backtrail.tools.corpus.manage import check, delete_documents, reindex
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decider, DecisionFailed
from backtrail.tools.errors import ModelRejected, ModelUnavailable
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.knowledge.open import open_knowledge

PAGES = {
    "moon": ["Luna is grey. It is far.", "Tycho is a crater."],
    "earth": ["Ocean covers it.", "Luna circles it."],
    "sun": ["Light comes from it."],
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_bundle(tmp_path / "pages", PAGES, [("moon", "earth"), ("earth", "moon")])


def run(path: Path, extractor: Decider | None = None, corpus: str = "sky") -> IngestReport:
    return ingest([path], corpus, embedder="hashed", opened=HashedEmbedder(), extractor=extractor)


def snapshot(corpus: str = "sky") -> dict[str, Any]:
    """Everything that a reader can see of a graph."""
    graph = open_knowledge(corpus)
    query = HashedEmbedder().embed(["moon"])
    found = [scored["id"] for scored in graph.search_entities(query, 1_000)]
    touching = graph.relations_of(found)
    statements, _ = graph.search_statements(query, 2.0, 1_000)
    return {
        "entities": sorted(map(str, graph.entities(found).values())),
        "relations": sorted({str(relation) for held in touching.values() for relation in held}),
        "statements": sorted(map(str, graph.statements([scored["id"] for scored in statements]).values())),
        "vectors": sorted(round(scored["score"], 4) for scored in statements),
    }


def names(corpus: str = "sky") -> set[str]:
    graph = open_knowledge(corpus)
    found = [scored["id"] for scored in graph.search_entities(HashedEmbedder().embed(["moon"]), 1_000)]
    return {entity.name for entity in graph.entities(found).values()}


def test_a_corpus_without_a_graph_says_how_to_build_it_and_each_extractor_reads_anew(pages: Path, log: Path) -> None:
    plain = run(pages)
    assert plain.knowledge == {}
    with pytest.raises(KnowledgeMissing, match=f"backtrail ingest {pages} --corpus sky --knowledge-graph"):
        open_knowledge("sky")
    built = run(pages, OfflineDecider())
    assert (built.unchanged, built.knowledge["read"], built.version != plain.version) == (3, 5, True)
    again = run(pages, scripted_extractor(log))
    assert (again.knowledge["extractor"], again.knowledge["chunks"]) == ("scripted", 5)
    assert "Tycho" in names()
    assert check("sky") == []


def test_first_time_and_again(pages: Path, log: Path) -> None:
    first = run(pages, scripted_extractor(log))
    assert first.knowledge["read"] == first.knowledge["chunks"] == 5
    assert (first.knowledge["calls"], first.knowledge["input_tokens"]) == (3, 30)  # one for each document
    assert names() == {"About moon", "About earth", "About sun", "Luna", "Tycho", "Ocean", "Light"}
    assert check("sky") == []
    before = snapshot()
    again = run(pages, scripted_extractor(log))
    assert (again.anything_new, again.knowledge["chunks"], again.version) == (False, 0, first.version)
    assert calls(log) == {"extract_knowledge": 3}
    assert snapshot() == before


def test_a_changed_component_changes_only_what_came_from_it_and_is_never_asked_for_again(
    pages: Path, log: Path
) -> None:
    run(pages, scripted_extractor(log))
    before, whole = names(), snapshot()
    links = [("moon", "earth"), ("earth", "moon")]
    write_bundle(pages, {**PAGES, "moon": ["Luna is grey. It is far.", "Copernicus is a crater."]}, links)
    report = run(pages, scripted_extractor(log))
    assert (report.changed, report.knowledge["chunks"]) == (1, 1)
    assert calls(log) == {"extract_knowledge": 4}
    assert names() == before - {"Tycho"} | {"Copernicus"}
    assert check("sky") == []
    write_bundle(pages, PAGES, links)
    run(pages, scripted_extractor(log))
    assert calls(log) == {"extract_knowledge": 4}
    assert snapshot() == whole


def test_without_the_flag_the_graph_of_what_is_unchanged_stays(pages: Path, log: Path) -> None:
    run(pages, scripted_extractor(log))
    write_bundle(pages, {**PAGES, "moon": ["Luna is grey. It is far.", "Copernicus is a crater."], "mars": ["Dust."]})
    report = run(pages)
    assert report.knowledge == {"extractor": "scripted", "read": 4, "failed": 0, "pending": 2}
    assert names() == {"About moon", "About earth", "About sun", "Luna", "Ocean", "Light"}
    assert check("sky") == []
    assert run(pages, scripted_extractor(log)).knowledge["chunks"] == 2
    assert calls(log) == {"extract_knowledge": 5}


def test_deletion_removes_what_nobody_else_supports(pages: Path, log: Path, home: Path) -> None:
    run(pages, scripted_extractor(log))
    assert delete_documents("sky", ["moon"], opened=HashedEmbedder()) == 1
    assert names() == {"About earth", "About sun", "Luna", "Ocean", "Light"}
    graph = open_knowledge("sky")
    (luna,) = graph.entities(graph.named(["Luna"]).values()).values()
    assert luna.components == ("earth#1",)
    assert check("sky") == []
    assert not any(b"Tycho" in file.read_bytes() for file in home.rglob("*") if file.is_file())
    run(pages, scripted_extractor(log))
    assert calls(log) == {"extract_knowledge": 4}, "what was forgotten is read anew"


def failing(*bad: str) -> Any:
    def extract(inputs: Any) -> Any:
        if any(word in inputs.text for word in bad):
            return DecisionFailed("extract_knowledge", "scripted", "no JSON", charge(calls=2))
        return says(inputs)

    return extract


def test_a_failed_chunk_is_reported_and_asked_for_again(pages: Path, log: Path) -> None:
    report = run(pages, scripted_extractor(log, failing("Tycho")))
    # the request for both chunks failed, then each was asked for alone
    assert (report.knowledge["read"], report.knowledge["failed"], report.knowledge["calls"]) == (4, 1, 7)
    assert [problem.source for problem in report.failed] == ["moon#1 (part 1)"]
    assert "Tycho" not in names()
    unlucky = run(pages, scripted_extractor(log, failing("Tycho")))
    assert (unlucky.knowledge["chunks"], unlucky.knowledge["failed"], unlucky.version) == (1, 1, report.version)
    lucky = run(pages, scripted_extractor(log))
    assert (lucky.knowledge["chunks"], lucky.knowledge["failed"], lucky.failed) == (1, 0, [])
    assert calls(log) == {"extract_knowledge": 7}
    assert "Tycho" in names()


@pytest.mark.parametrize("error", [ModelUnavailable("no route to the model"), ModelRejected("bad key")])
def test_a_model_that_is_away_is_given_up_and_the_rest_stays_pending(
    error: Exception, tmp_path: Path, log: Path
) -> None:
    many = write_bundle(tmp_path / "many", {f"d{n}": [f"Word{n} is here."] for n in range(40)})
    report = run(many, scripted_extractor(log, lambda _: error))
    assert (report.added, report.knowledge["read"]) == (40, 0)
    assert report.knowledge["failed"] + report.knowledge["pending"] == 40
    assert GIVE_UP_AFTER <= calls(log)["extract_knowledge"] < 40
    assert str(error) in report.failed[-1].reason
    assert open_knowledge("sky").counts()["entities"] == 0
    assert open_knowledge("sky").search_entities(HashedEmbedder().embed(["x"]), 5) == []
    assert run(many, scripted_extractor(log)).knowledge["read"] == 40
    assert check("sky") == []


def describing(chunk: Any) -> dict[str, Any]:
    """Each chunk describes the document in some 1,800 characters."""
    return {"entities": [{"name": chunk.title, "description": f"{chunk.text} {'and so on ' * 180}"}]}


def description(id_: str) -> str:
    graph = open_knowledge("sky")
    (entity,) = graph.entities(graph.named([f"About {id_}"]).values()).values()
    return entity.description


def test_a_summary_goes_with_what_it_was_made_of(tmp_path: Path, log: Path, home: Path) -> None:
    def secret(inputs: Any) -> dict[str, Any]:
        return {"summary": " ".join(text.partition(" ")[0] for text in inputs.descriptions)}

    def about_a(chunk: Any) -> dict[str, Any]:
        more = 50 if chunk.text in ("Worda.", "Wordb.") else 150
        return {"entities": [{"name": "Word", "description": f"{chunk.text} {'and so on ' * more}"}]}

    pages = write_bundle(tmp_path / "long", {id_: [f"Word{id_}."] for id_ in "abcde"})
    run(pages, scripted_extractor(log, about_a, secret))
    summary = b"Worda. Wordb. Wordc. Wordd. Worde."
    assert any(summary in file.read_bytes() for file in home.rglob("*") if file.is_file())
    delete_documents("sky", ["b"], opened=HashedEmbedder())
    # without the extractor the rules sum up what is left, until it is there again
    assert not any(b"Wordb" in file.read_bytes() for file in home.rglob("*") if file.is_file())
    graph = open_knowledge("sky")
    (key,) = graph.named(["Word"]).values()
    assert graph.entities([key])[key].description.startswith("Worda.")
    write_bundle(pages, {id_: [f"Word{id_}."] for id_ in "acde"})
    run(pages, scripted_extractor(log, about_a, secret))
    assert open_knowledge("sky").entities([key])[key].description == "Worda. Wordc. Wordd. Worde."
    assert calls(log)["summarize_descriptions"] == 2
    assert check("sky") == []


def test_a_summary_that_fails_is_asked_for_again(tmp_path: Path, log: Path) -> None:
    pages = write_bundle(tmp_path / "long", {"a": ["One.", "Two.", "Three."]})
    fails = scripted_extractor(log, describing, lambda _: DecisionFailed("x", "y", "z", charge()))
    report = run(pages, fails)
    assert "were not summarised" in report.failed[0].reason
    assert description("a").startswith("One.")
    run(pages, scripted_extractor(log, describing))
    assert description("a") == "In short."
    assert calls(log) == {"extract_knowledge": 1, "summarize_descriptions": 2}


KILLS = [("3", 3), ("11", 1), ("merge", 3), ("publish", 1), ("done", 3)]
"""How many chunks a request holds matters while they are read, not afterwards."""
MORE_KILLS = [pytest.param(*kill, marks=pytest.mark.long) for kill in (("3", 1), ("11", 3), ("embed", 1), ("index", 3))]


@pytest.mark.parametrize(("kill_at", "chunks"), [*KILLS, *MORE_KILLS])
def test_killed_anywhere_nothing_is_paid_for_twice(
    kill_at: str, chunks: int, tmp_path: Path, log: Path, home: Path
) -> None:
    pages = {f"d{n}": [f"Word{n}x{chunk} is here." for chunk in range(chunks)] for n in range(20)}
    source = write_bundle(tmp_path / "source", pages)
    assert run_victim(source, kill_at, home, log=log) == -signal.SIGKILL
    before = calls(log)["extract_knowledge"]
    report = ingest([source], "victim", embedder="hashed", opened=HashedEmbedder(), extractor=scripted_extractor(log))
    assert report.knowledge["read"] == 20 * chunks
    # A request holds the chunks of one document, and those of a reply that had arrived are all kept. Replies that the
    # process had not got when it died are asked for again: no more than were under way.
    under_way = 8 if kill_at.isdigit() else 0
    assert calls(log)["extract_knowledge"] <= 20 + under_way
    assert before + report.knowledge["chunks"] / chunks == calls(log)["extract_knowledge"]
    if kill_at == "done":
        assert report.anything_new is False
    assert len(names("victim")) == 20 + 20 * chunks
    assert check("victim") == []


def test_reindex_rebuilds_the_vectors_of_the_graph(pages: Path) -> None:
    run(pages, OfflineDecider())
    other = HashedEmbedder(48, "other")
    reindex("sky", "other", opened=other)
    query = other.embed(["About moon"])
    assert open_knowledge("sky").search_entities(query, 3)
    assert open_knowledge("sky").search_statements(query, 2.0, 2)[0]
    assert check("sky") == []


# --- several chunks in one request to a model --------------------------------------------------------
SEVERAL = {"moon": ["Luna is grey.", "Tycho is a crater.", "Apollo landed."], "sun": ["Light comes from it."]}

Entry = dict[str, Any]


@pytest.fixture
def several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    return write_bundle(tmp_path / "pages", SEVERAL)


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


def model_says(change: Callable[[list[Entry]], Any] = lambda said: said) -> Callable[[Received], Said]:
    """A model that reads every chunk; requests of several chunks are answered with a change."""

    def answer(request: Received) -> Said:
        said = entries(request)
        return reply({"chunks": change(said) if len(said) > 1 else said})

    return answer


def run_model(path: Path, server: OpenAIServer) -> IngestReport:
    model = open_decider(f"openai-compatible:reader@{server.url}", temperature=0.0)
    return ingest([path], "sky", embedder="hashed", opened=HashedEmbedder(), extractor=model)


def asked(server: OpenAIServer) -> list[list[str]]:
    return sorted((texts(request) for request in server.chats), key=lambda held: (-len(held), held))


def test_a_document_is_read_with_one_request_and_never_again(several: Path) -> None:
    with OpenAIServer([model_says()], forever=True) as server:
        report = run_model(several, server)
        assert asked(server) == [SEVERAL["moon"], SEVERAL["sun"]]
        assert (report.knowledge["chunks"], report.knowledge["calls"], report.knowledge["read"]) == (4, 2, 4)
        assert run_model(several, server).anything_new is False
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
def test_a_chunk_that_a_reply_does_not_settle_is_asked_for_alone(change: Any, several: Path) -> None:
    with OpenAIServer([model_says(change)], forever=True) as server:
        report = run_model(several, server)
        assert asked(server) == [SEVERAL["moon"], SEVERAL["sun"], ["Tycho is a crater."]]
    assert (report.knowledge["read"], report.knowledge["failed"], report.failed) == (4, 0, [])
    assert {"Luna", "Tycho", "Apollo", "Light"} <= names()


@pytest.mark.parametrize(
    "bad",
    [refusal("I will not read about craters."), reply("no JSON"), error(400, "this text is not allowed")],
    ids=["refused", "malformed", "rejected"],
)
def test_one_bad_chunk_does_not_fail_its_neighbours(bad: Said, several: Path) -> None:
    def answer(request: Received) -> Said:
        return bad if "Tycho is a crater." in texts(request) else model_says()(request)

    with OpenAIServer([answer], forever=True) as server:
        report = run_model(several, server)
        assert (report.knowledge["read"], report.knowledge["failed"]) == (3, 1)
        assert [problem.source for problem in report.failed] == ["moon#1 (part 1)"]
        assert {"Luna", "Apollo", "Light"} <= names()
        before = len(server.chats)
        run_model(several, server)
        assert {text for request in server.chats[before:] for text in texts(request)} == {"Tycho is a crater."}
    assert check("sky") == []


def test_of_a_reply_that_was_cut_off_the_last_chunk_is_asked_for_again(several: Path) -> None:
    def answer(request: Received) -> Said:
        said = entries(request)
        if len(said) == 1:
            return reply({"chunks": said})
        whole = json.dumps({"chunks": said[:2]})
        return reply(whole[: whole.rindex("[")], finish="length")

    with OpenAIServer([answer], forever=True) as server:
        report = run_model(several, server)
        alone = [texts(request) for request in server.chats if len(texts(request)) == 1]
    assert sorted(alone) == [["Apollo landed."], ["Light comes from it."], ["Tycho is a crater."]]
    assert (report.knowledge["read"], report.failed) == (4, [])


def test_a_table_is_read_row_by_row_and_worded_by_code(several: Path) -> None:
    folder = write_bundle(several.parent / "mixed", {"a": ["Luna is grey."]})
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
        run_model(folder, server)
    held = open_knowledge("sky").triplets(["a#1"])["a#1"]
    assert [one.text for one in held] == ["About a: Craters: Crater Tycho: Width is 85 km", "Plato is 101 km wide."]
