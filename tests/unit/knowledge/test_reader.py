"""The reader over a small stored graph: what it finds, exactly and through the index."""

from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.knowledge.open import open_knowledge
from backtrail.tools.knowledge.reader import StoredKnowledge
from backtrail.tools.toolbox import Toolbox

EMBEDDER = HashedEmbedder(512)


@pytest.fixture
def graph(tmp_path: Path) -> StoredKnowledge:
    pages = {f"d{n}": [f"Ondra{n} is a town in Velm County. It lies on Lake{n}."] for n in range(30)}
    pages["plain"] = ["nothing here"]
    bundle = write_bundle(tmp_path / "pages", pages)
    ingest([bundle], "towns", embedder="hashed", opened=EMBEDDER, extractor=OfflineDecider())
    return open_knowledge("towns")


def test_the_toolbox_names_the_command_that_builds_it(tmp_path):
    ingest([write_bundle(tmp_path / "b", {"a": ["x"]})], "bare", embedder="hashed", opened=EMBEDDER)
    with pytest.raises(KnowledgeMissing, match="--knowledge-graph"):
        Toolbox().knowledge(Settings(corpus="bare"))


def test_the_nearest_come_first_and_unlikely_ones_not_at_all(graph):
    query = EMBEDDER.embed(["Lake7"])
    found = graph.search_entities(query, 5)
    assert graph.entities([found[0]["id"]])[found[0]["id"]].name == "Lake7"
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    assert [one["id"] for one in graph.search_entities(query, 5, at_least=0.99)] == [found[0]["id"]]
    assert graph.search_entities(query, 0) == graph.search_entities(EMBEDDER.embed([]).reshape(0, 512), 3) == []
    several = graph.search_entities(EMBEDDER.embed(["Lake3", "Lake9"]), 2)
    assert {entity.name for entity in graph.entities([one["id"] for one in several]).values()} == {"Lake3", "Lake9"}


def test_neighbours(graph):
    assert Toolbox().knowledge(Settings(corpus="towns")) is graph, "a reader of an unchanged graph is shared"
    ids = graph.named(["Velm County", "ondra3", "Nowhere"])
    assert set(ids) == {"Velm County", "ondra3"}
    touching = graph.relations_of([*ids.values(), "unknown"])
    assert set(touching) == set(ids.values())
    assert len(touching[ids["Velm County"]]) == 30
    weights = [relation.weight for relation in touching[ids["ondra3"]]]
    assert weights == sorted(weights, reverse=True)
    (found,) = [relation for relation in touching[ids["ondra3"]] if relation.tail == ids["Velm County"]]
    assert (found.relation, found.components) == ("town in", ("d3#0",))


def test_unknown_ids_are_left_out_and_order_is_kept(graph):
    ids = [one["id"] for one in graph.search_entities(EMBEDDER.embed(["Lake1"]), 4)]
    assert list(graph.entities([ids[2], "unknown", ids[0]])) == [ids[2], ids[0]]
    assert graph.relations(["unknown"]) == {}
    assert graph.triplets(["unknown", "plain#0"]) == {}
    assert [triplet.head for triplet in graph.triplets(["d5#0"])["d5#0"]]


def test_everything_within_a_radius_and_whether_there_was_more(graph):
    query = EMBEDDER.embed(["About d4"])
    everything, capped = graph.search_statements(query, 2.0, 10_000)
    assert not capped
    assert len(everything) == graph.counts()["statements"]
    (first,) = graph.statements([everything[0]["id"]]).values()
    assert (first.component, first.text, first.kind) == ("d4#0", "About d4", "title")
    near, capped = graph.search_statements(query, 0.3, 10_000)
    assert near == [one for one in everything if one["score"] >= 0.7]
    assert 0 < len(near) < len(everything)
    some, capped = graph.search_statements(query, 2.0, 3)
    assert (some, capped) == (everything[:3], True)
    assert graph.search_statements(query, 2.0, len(everything))[1] is False
    assert graph.search_statements(EMBEDDER.embed([]).reshape(0, 512), 2.0, 3) == ([], False)
    places = {id_: one.component for id_, one in graph.statements([one["id"] for one in everything]).items()}
    within, capped = graph.search_statements(query, 2.0, 10_000, ["d5#0", "d4#0", "unknown"])
    assert (within, capped) == ([one for one in everything if places[one["id"]] in ("d4#0", "d5#0")], False)
    assert graph.search_statements(query, 2.0, 3, []) == ([], False)
