"""A corpus that was changed bit by bit answers like one that was made at once."""

import hashlib
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backtrail.state.component import Link
from backtrail.state.hop import Scored
from backtrail.tools.corpus.generation import generation_folder
from backtrail.tools.corpus.manage import check, delete_documents, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.search import terms
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.writing.progress import Silent

WORDS = ["river", "bridges", "bridge", "Crater Lake", "1984", "X-15", "running", "Ärger", "東京タワー", "the", "Halden"]
LANGUAGES = ["The house is old and it was built by the king.", "La maison est vieille et le roi l'a fait construire."]
QUERIES = ["bridge over the river", "Crater Lake 1984", "東京", "maison du roi", "Halden X-15 running"]
DENSE = "by vectors"
IN_READING_ORDER = ("links", "edges")
"""Edges that no author wrote: of equally good ones those first in reading order, which is that of the ingests."""


sentences = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
documents = st.fixed_dictionaries(
    {
        "texts": st.lists(st.tuples(sentences, st.lists(sentences, max_size=3)), max_size=4),
        "language": st.sampled_from(LANGUAGES),
        "target": st.none() | st.integers(0, 7),
    }
)
changes = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 7), documents, max_size=3), st.sets(st.integers(0, 7), max_size=2)),
    min_size=2,
    max_size=4,
)


def document(number: int, held: dict[str, Any], version: int) -> PreparedDocument:
    texts = [(f"{held['language']} {text} Title d{number - 1}", pieces) for text, pieces in held["texts"]]
    links = [] if held["target"] is None else [Link(target=f"d{held['target']}", anchor="see", kind="external")]
    return prepared(f"d{number}", texts, links=links, version=str(version))


def scored(hits: list[Scored]) -> dict[str, float]:
    return {hit["id"]: hit["score"] for hit in hits}


def answers(corpus: StoredCorpus) -> dict[str, Any]:
    """Everything that a reader gives, by ids."""
    found: dict[str, Any] = {"language": [corpus.language(text) for text in LANGUAGES]}
    ids = [hit["id"] for hit in corpus.search_documents(corpus.embed(["x"]), "document", 99)]
    components = sorted(one for held in corpus.children(ids).values() for one in held)
    found["children"] = corpus.children(sorted(ids))
    found["terms"] = corpus.component_terms(components), corpus.document_terms(sorted(ids))
    found["rarity"] = corpus.rarity(["river", "bridg", "nothing", "1984"])
    found["links"] = corpus.links(components), corpus.pointers(components), corpus.hierarchy(sorted(ids))
    found["edges"] = corpus.edge_kinds()
    found["vectors"] = corpus.vectors(components, "component").tolist()
    for query in QUERIES:
        vector = corpus.embed([query])
        for layer in ("document", "component", "subcomponent"):
            found[f"{query} {layer} words"] = corpus.search_lexical(query, layer, 50)
            found[f"{query} {layer} {DENSE}"] = scored(corpus.search_documents(vector, layer, 50))
        found[f"{query} in context"] = corpus.search_in_context(query, 50)
        found[f"{query} contexts {DENSE}"] = corpus.contexts(query, components)
        found[f"{query} pieces {DENSE}"] = scored(corpus.search_components(vector, "subcomponent", 50))
    return found


def assert_same(found: dict[str, Any], wanted: dict[str, Any], besides: tuple[str, ...] = ()) -> None:
    for name in wanted.keys() - set(besides):
        if name.endswith(DENSE):  # products of equal vectors differ in the last digit with their place in the array
            assert found[name] == pytest.approx(wanted[name], abs=3e-6), name
        else:
            assert found[name] == wanted[name], name


@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # making an example smaller takes minutes here
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=changes)
def test_any_sequence_of_changes_answers_like_a_fresh_ingest(steps, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setattr("backtrail.tools.corpus.difference._WORTH_WHILE", 0.0)
    embedder = HashedEmbedder()
    held: dict[int, PreparedDocument] = {99: prepared("d99", [("always there", ["always", "there"])])}
    for version, (added, removed) in enumerate(steps):
        put = {number: document(number, one, version) for number, one in added.items()}
        gone = removed - put.keys()
        with open_writer("grown", "hashed", embedder) as writer:
            assert not writer.put([*put.values(), *([held[99]] if not version else [])])
            writer.delete([f"d{number}" for number in gone])
            writer.publish(Silent())
        held = {number: one for number, one in (held | put).items() if number not in gone}
    with open_writer("fresh", "hashed", embedder) as writer:
        assert not writer.put(list(held.values()))
        writer.publish(Silent())
    grown, fresh = (answers(open_corpus(name, embedder=embedder)) for name in ("grown", "fresh"))
    assert_same(grown, fresh, besides=IN_READING_ORDER)
    assert check("grown") == []
    reindex("grown", opened=embedder)
    assert_same(answers(open_corpus("grown", embedder=embedder)), grown)


def test_only_what_is_new_is_read(store, embedder, monkeypatch):
    store([prepared(f"d{n}", [(f"text number {n}", [f"piece {n}"])]) for n in range(10)])
    read: list[str] = []
    whole = terms.content_terms
    monkeypatch.setattr(terms, "content_terms", lambda text, *more: read.append(text) or whole(text, *more))
    embedder.embedded.clear()
    corpus = store([prepared("d3", [("rewritten", ["entirely"])], version="2")], delete=["d4"])
    assert set(read) == {"Title d3", "rewritten", "entirely"}
    assert {"rewritten", "entirely"} <= set(embedder.embedded)
    assert all("text number" not in text for text in embedder.embedded)
    assert next(hit["id"] for hit in corpus.search_lexical("rewritten text", "component", 20)) == "d3#0"
    assert corpus.search_lexical("piece 4", "subcomponent", 1)[0]["id"] != "d4#0/s0"


def test_what_was_deleted_leaves_no_word_and_no_vector_behind(store, embedder, home):
    store([prepared(f"d{n}", [(f"text number {n}", [])]) for n in range(9)])
    store([prepared("x", [("zanzibar", [])])])
    vector = embedder.embed(["zanzibar"])[0].tobytes()
    files = [file for file in (home / "corpora" / "tiny").rglob("*") if file.is_file()]
    assert any(vector in file.read_bytes() for file in files)
    delete_documents("tiny", ["x"], opened=embedder)
    index = home / "corpora" / "tiny" / "index"
    assert [folder.name for folder in index.iterdir()] == ["g000003"]
    assert not [file for file in index.rglob("*") if file.is_file() and b"zanzibar" in file.read_bytes()]
    files = [file for file in (home / "corpora" / "tiny").rglob("*") if file.is_file()]
    assert not [file for file in files if vector in file.read_bytes()]


def test_what_was_read_in_pictures_goes_with_them(store, embedder, home):
    shown, other, page = (hashlib.sha256(name).hexdigest() for name in (b"shown", b"other", b"page"))
    store([prepared("a", [("text", [])]), prepared("b", [("text", [])])])
    for sha256, corpus in ((shown, "tiny"), (other, "another")):
        file = home / "corpora" / corpus / "blobs" / sha256[:2] / sha256
        file.parent.mkdir(parents=True)
        file.touch()
    read = [home / "cache" / "ocr" / "tesseract" / one[:2] / f"{one}.json" for one in (shown, other, page)]
    for file in read:
        file.parent.mkdir(parents=True)
        file.write_text("[]")
    delete_documents("tiny", ["a"], opened=embedder)
    assert [file.exists() for file in read] == [False, True, False]  # no document of either shows the first or last


def test_a_damaged_generation_is_indexed_anew(store, home, caplog):
    store([prepared(f"d{n}", [(f"text number {n}", [])]) for n in range(9)])
    folder = generation_folder(home / "corpora" / "tiny", 1)
    next((folder / "words" / "components").glob("s*/counts.npy")).unlink()
    (folder / "edges" / "linked.npy").unlink()
    corpus = store([prepared("new", [("another text", [])])])
    assert len(corpus.search_lexical("text", "component", 20)) == 10
    assert [message.split(":")[0] for message in caplog.messages] == ["The index of corpus 'tiny' is damaged"]
    (generation_folder(home / "corpora" / "tiny", 2) / "languages.detected.json").unlink()
    corpus = store([prepared("newer", [("one more text", [])])])
    assert len(corpus.search_lexical("text", "component", 20)) == 11
    assert len(caplog.messages) == 1
    assert check("tiny") == []


def test_german_is_indexed_anew_as_its_compounds_ask(store):
    sentence = "Die Stadt liegt am Fluss und wurde nicht von dem König gebaut."
    store([prepared("d0", [(f"{sentence} Die Reichsbrücke ist alt.", [])])])
    corpus = store([prepared("d1", [(f"{sentence} Das Reich und die Brücke.", [])])])
    found = {hit["id"] for hit in corpus.search_lexical("Brücke", "component", 5)}
    assert found == {"d0#0", "d1#0"}
