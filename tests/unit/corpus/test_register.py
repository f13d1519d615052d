"""A page that links to all there is holds no hop up: the work of a hop is bounded to the nearest neighbours."""

import pytest
from fixtures.tiny_corpora import prepared

from backtrail.nodes.graph_traversal import paths
from backtrail.nodes.graph_traversal.paths import local_paths, path_scores
from backtrail.state.component import Link
from backtrail.tools.corpus import record_cache


@pytest.fixture
def corpus(store, monkeypatch: pytest.MonkeyPatch):
    links = [Link(target=f"d{number % 40}", anchor=f"see {number}", kind="internal") for number in range(4_000)]
    pages = [prepared(f"d{number}", [(f"Bridges of town number {number}", [])]) for number in range(40)]
    return store([prepared("register", [("All towns", [])], links=links), *pages])


def test_a_register_holds_no_hop_up(corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = local_paths(corpus, ["register"])
    assert (len(whole), sum(map(len, whole.values()))) == (40, 4_000)
    every = path_scores(corpus, "bridges of town number 7", "document", whole)
    assert len(every) == 40
    monkeypatch.setattr(paths, "MOST_WEIGHED", 10)
    monkeypatch.setattr(paths, "MOST_LEADING", 3)
    weighed: list[str] = []
    cover = paths._LinkingPieces.cover
    monkeypatch.setattr(
        paths._LinkingPieces, "cover", lambda self, path, own: weighed.append("") or cover(self, path, own)
    )
    found = path_scores(corpus, "bridges of town number 7", "document", whole)
    assert (len(found), len(weighed)) == (10, 30)
    query = corpus.embed(["bridges of town number 7"])
    assert found.keys() == {hit["id"] for hit in corpus.search_documents(query, "document", 10, list(whole))}
    assert {one: found[one].score for one in found} == {one: every[one].score for one in found}


def test_kept_records_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "KEPT", 7)
    kept: record_cache.RecordCache[tuple[Link, ...]] = record_cache.RecordCache(record_cache.weight_of_links)
    some = (Link(target="a"), Link(target="b"))
    kept.keep({"first": some, "second": some, "none": (), "too many": some * 4})
    assert kept.of(["first", "none"]) == {"first": some, "none": ()}
    kept.keep({"third": some})
    assert set(kept.of(["first", "second", "third", "none", "too many"])) == {"first", "none", "third"}
