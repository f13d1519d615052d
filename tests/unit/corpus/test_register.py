"""A page that links to all there is holds no hop up: the work of a hop is bounded to the nearest neighbours."""

import pytest
from fixtures.tiny_corpora import prepared

from backtrail.nodes.graph_traversal import paths
from backtrail.nodes.graph_traversal.paths import local_paths, path_scores
from backtrail.state.component import Link
from backtrail.tools.corpus import record_cache
from backtrail.tools.corpus.tables import records


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


def test_its_links_are_read_from_the_tables_once(corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = records.read_link
    monkeypatch.setattr(records, "read_link", lambda *values: read.append("") or plain(*values))
    first = corpus.links(["register#0", "d7#0"]), corpus.components(["register#0", "d7#0"])
    assert len(first[0]["register#0"]) == len(first[1]["register#0"].links) == 4_000
    read.clear()
    first[0]["register#0"].clear()  # whoever was given them may do with them as they like
    again = corpus.links(["d7#0", "register#0"]), corpus.components(["register#0"])
    assert read == []
    assert list(again[0]) == ["d7#0", "register#0"]
    assert again[1]["register#0"] == first[1]["register#0"]
    assert tuple(link for link in again[0]["register#0"] if link.kind == "internal") == first[1]["register#0"].links
    assert corpus.links(["d7#0"]) == {"d7#0": again[0]["d7#0"]}


def test_kept_records_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "KEPT", 7)
    kept: record_cache.RecordCache[tuple[Link, ...]] = record_cache.RecordCache(record_cache.weight_of_links)
    some = (Link(target="a"), Link(target="b"))
    kept.keep({"first": some, "second": some, "none": (), "too many": some * 4})
    assert kept.of(["first", "none"]) == {"first": some, "none": ()}
    kept.keep({"third": some})
    assert set(kept.of(["first", "second", "third", "none", "too many"])) == {"first", "none", "third"}
