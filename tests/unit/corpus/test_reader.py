from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from fixtures.both_stores import both_stores
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared

from backtrail.state.component import Link
from backtrail.tools.corpus.errors import (
    CorpusDamaged,
    CorpusEmpty,
    CorpusNotFound,
    CorpusTooNew,
    CorpusTooOld,
    EmbedderMismatch,
)
from backtrail.tools.corpus.generation import generation_folder
from backtrail.tools.corpus.manage import check, delete_corpus, list_corpora
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.tables import records

ANIMALS = [
    prepared(
        "cats",
        [("cats purr softly", ["cats purr", "softly they sleep"]), ("a single picture of a tail", [])],
        links=[Link(target="dogs", anchor="rivals"), Link(target="birds"), Link(target="https://example.org/fish")],
    ),
    prepared("dogs", [("dogs bark loudly", ["dogs bark", "loudly at night"])]),
    prepared("fish", []),
]


@both_stores
def test_contents_by_id(store) -> None:
    corpus: CorpusReader = store(ANIMALS)
    assert list(corpus.documents(["dogs", "nobody", "cats"])) == ["dogs", "cats"]
    assert corpus.children(["cats", "fish", "nobody"]) == {"cats": ["cats#0", "cats#1"], "fish": []}
    component = corpus.components(["cats#0"])["cats#0"]
    assert (component.document, component.text) == ("cats", "cats purr softly")
    assert [piece.id for piece in corpus.subcomponents(["cats#0", "cats#1"])["cats#0"]] == ["cats#0/s0", "cats#0/s1"]
    assert corpus.subcomponents(["cats#1"]) == {"cats#1": []}
    assert check("tiny") == []


@both_stores
def test_links_are_resolved_over_the_corpus(store) -> None:
    corpus = store(ANIMALS)
    kinds = {link.target: link.kind for link in corpus.components(["cats#0"])["cats#0"].links}
    # the last was written as a URL that is another document's own
    assert kinds == {"dogs": "internal", "birds": "dead", "fish": "internal"}
    assert [link.target for link in corpus.links(["cats#0"])["cats#0"]] == ["dogs", "fish"]
    corpus = store([prepared("birds", [("birds sing", [])])])
    assert [link.target for link in corpus.links(["cats#0"])["cats#0"]] == ["dogs", "birds", "fish"]


@both_stores
def test_links_are_read_once_and_those_that_were_given_may_be_changed(store, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, read = store(ANIMALS), list[str]()
    plain = records.read_link
    monkeypatch.setattr(records, "read_link", lambda *values: read.append("") or plain(*values))
    first = corpus.links(["cats#0"])["cats#0"]
    assert read
    read.clear()
    first.clear()
    assert [link.target for link in corpus.links(["cats#0"])["cats#0"]] == ["dogs", "fish"]
    assert read == []


@both_stores
def test_fragments_become_components_and_a_page_does_not_lead_to_itself(store) -> None:
    to_itself = [Link(target="page", component="here", anchor="contents"), Link(target="other"), Link(target="page")]
    page = prepared("page", [("first", []), ("second", [])], fragments={"here": "page#1"}, links=to_itself)
    written = [Link(target="page", component=fragment) for fragment in ("here", "page#0", "gone", "HERE")]
    external = Link(target="https://example.org/page#here", kind="external")
    namesake = prepared("namesake", [("third", [])], fragments={"here": "namesake#0"})
    links = [*written, external, Link(target="namesake", component="here")]
    corpus = store([page, namesake, prepared("other", [("text", [])], links=links)])
    found = [link.component for link in corpus.links(["other#0"])["other#0"]]
    assert found == ["page#1", "page#0", None, "page#1", "page#1", "namesake#0"]
    assert [link.target for link in corpus.links(["page#0"])["page#0"]] == ["other"]
    assert [link.target for link in corpus.components(["page#0"])["page#0"].links] == ["page", "other", "page"]


@both_stores
def test_searches_at_each_layer(store, embedder: HashedEmbedder) -> None:
    corpus = store(ANIMALS)
    found = corpus.vectors(["dogs#0", "cats#0", "dogs#0"], "component")
    assert found == pytest.approx(embedder.embed(["dogs bark loudly", "cats purr softly", "dogs bark loudly"]))
    assert corpus.vectors([], "document").shape == (0, 32)
    with pytest.raises(KeyError):
        corpus.vectors(["nobody"], "component")
    assert [hit["id"] for hit in corpus.search_lexical("barking dog", "component", 10)] == ["dogs#0"]
    assert [hit["id"] for hit in corpus.search_lexical("sleeping", "subcomponent", 10)] == ["cats#0/s1"]
    assert corpus.search_lexical("dogs", "component", 10, ["cats"]) == []
    assert [corpus.search_lexical(nothing, "document", 10) for nothing in ("", "the", "zzz unknown")] == [[], [], []]
    query = corpus.embed(["softly they sleep"])
    for granularity in ("component", "subcomponent"):
        assert corpus.search_documents(query, granularity, 1)[0]["id"] == "cats"
        assert corpus.search_components(query[0], granularity, 5, ["dogs"])[0]["id"] == "dogs#0"
    assert corpus.search_documents(query, "subcomponent", 1)[0]["score"] == pytest.approx(1, abs=1e-5)
    assert corpus.search_components(query, "component", 9, []) == []
    assert corpus.search_documents(query, "document", 9, ["nobody"]) == []
    assert corpus.best_subcomponents(query, ["cats#0", "cats#1", "x"])["cats#0"][0] == "cats#0/s1"
    assert set(corpus.best_subcomponents(query, ["cats#0", "cats#1", "x"])) == {"cats#0"}


@both_stores
def test_terms(store) -> None:
    corpus = store(ANIMALS)
    assert corpus.component_terms(["cats#0", "x"]) == {"cats#0": frozenset({"cat", "purr", "soft", "sleep"})}
    assert corpus.document_terms(["fish"]) == {"fish": frozenset({"titl", "fish"})}
    assert {"titl", "cat", "tail", "sleep"} <= corpus.document_terms(["cats"])["cats"]
    rarity = corpus.rarity(["cat", "unknown"])
    assert rarity["cat"] == pytest.approx(np.log(1 + 3 / 2))
    assert rarity["unknown"] == pytest.approx(np.log(1 + 3))


def test_queries_are_embedded_once_and_asked_one_at_a_time(store, embedder: HashedEmbedder) -> None:
    corpus = store(ANIMALS)
    embedder.embedded.clear()
    first = corpus.embed(["a", "b", "a"])
    assert np.array_equal(corpus.embed(["b", "a"]), first[[1, 0]])
    assert (embedder.embedded, corpus.embed([]).shape) == (["a", "b"], (0, 32))
    with pytest.raises(ValueError, match="One query vector"):
        corpus.search_documents(np.ones((2, 32), np.float32), "document", 3)
    for name in ("0" * 64, "../../corpus.sqlite", "x"):
        with pytest.raises(KeyError):
            corpus.picture(name)


def test_many_threads_search_at_once(store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    corpus = store(ANIMALS)

    def work(number: int) -> None:
        query = corpus.embed([f"cats {number % 8} {number // 8}"])
        assert corpus.search_documents(query, "subcomponent", 2)
        assert corpus.search_lexical("dogs", "component", 2)
        assert corpus.components(["cats#0"])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(80)))


def test_opening_again_gives_the_same_reader_until_it_changes(store, monkeypatch: pytest.MonkeyPatch, embedder) -> None:
    monkeypatch.setattr("backtrail.tools.corpus.open.shared_embedder", lambda name: embedder)
    store(ANIMALS)
    first = open_corpus("tiny")
    assert open_corpus("tiny") is first
    store([prepared("new", [("new text", [])])])
    second = open_corpus("tiny")
    assert second is not first
    assert second.version != first.version
    # the first goes on with what it had
    assert first.search_documents(first.embed(["new text"]), "component", 9)
    assert "new" not in first.children(["new"])


def test_errors_say_what_to_do(store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(ANIMALS)
    with pytest.raises(CorpusNotFound, match=r"No corpus 'other'. Existing: tiny"):
        open_corpus("other")
    with pytest.raises(EmbedderMismatch, match="backtrail corpus reindex tiny --embedder hashed"):
        open_corpus("tiny", embedder=HashedEmbedder(16))
    with pytest.raises(EmbedderMismatch), open_writer("tiny", "other", HashedEmbedder(16)):
        pass
    with monkeypatch.context() as patch:
        patch.setattr("backtrail.tools.corpus.tables.schema.LAYOUT", 0)
        with pytest.raises(CorpusTooNew, match="layout 3"):
            open_corpus("tiny", embedder=HashedEmbedder())
    with pytest.raises(CorpusEmpty, match="backtrail ingest PATH --corpus tiny"):
        store([], delete=["cats", "dogs", "fish"])
    store(ANIMALS)
    (generation_folder(home / "corpora" / "tiny", 3) / "components.npy").unlink()
    with pytest.raises(CorpusDamaged, match="backtrail corpus reindex tiny"):
        open_corpus("tiny", embedder=HashedEmbedder())


def test_an_earlier_layout_is_refused_and_can_be_deleted(store, monkeypatch: pytest.MonkeyPatch) -> None:
    store(ANIMALS)
    with monkeypatch.context() as patch:
        patch.setattr("backtrail.tools.corpus.tables.schema.LAYOUT", 4)
        with pytest.raises(CorpusTooOld, match="ingest again: backtrail corpus delete tiny"):
            open_corpus("tiny", embedder=HashedEmbedder())
        with pytest.raises(CorpusTooOld), open_writer("tiny", "hashed", HashedEmbedder()):
            pass
        assert list_corpora() == ["tiny"]
        delete_corpus("tiny")
    assert list_corpora() == []
