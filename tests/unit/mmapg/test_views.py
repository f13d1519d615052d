"""What the planner is shown of the graph, and what readers are shown of sources."""

from typing import Any

from fixtures.planning_corpus import MANY

from backtrail.language.shorten import LEFT_OUT
from backtrail.nodes.graph_traversal.source_scores import source_scores
from backtrail.nodes.mmapg.planning_views import GRAPH_CHARACTERS, node_views
from backtrail.nodes.reading.reader_sources import readable_sources
from backtrail.state.answer_decisions import CitedPiece
from backtrail.state.mmapg.planning_graph import PlanningNode, root_node
from backtrail.tools.corpus.reader import StoredCorpus


def found(key: str, content: str, *sources: str) -> PlanningNode:
    return {
        "id": key, "kind": "retrieval", "step": int(key[1:]), "parents": ["n0"], "instruction": "x",
        "within": "corpus", "content": content, "sources": list(sources), "status": "found", "why": "",
    }  # fmt: skip


def evidence(*components: str) -> Any:
    return {
        key: {"document": key.partition("#")[0], "title": key.title(), "coverage": 0.5, "modality": "text"}
        for key in components
    }


def test_contents_stay_whole_while_the_graph_is_small(corpus: StoredCorpus) -> None:
    nodes = [root_node("Why?"), found("n1", "It is so. " * 90, "tower#p0")]
    assert [view.content for view in node_views(nodes, evidence("tower#p0"), corpus, "Why?")] == [
        node["content"] for node in nodes
    ]


def test_a_large_graph_is_shortened_with_marks_and_stays_within_its_bound(corpus: StoredCorpus) -> None:
    long = "The tower was completed in 1931. " + "Sheep graze there in summer. " * 33
    nodes = [root_node("When was the tower completed?"), *(found(f"n{n}", long, "tower#p0") for n in range(1, 30))]
    views = node_views(nodes, evidence("tower#p0"), corpus, "When was the tower completed?")
    assert sum(len(view.content) for view in views) <= GRAPH_CHARACTERS
    assert views[0].content == nodes[0]["content"]  # short ones stay
    for view in views[1:]:
        assert "completed in 1931" in view.content
        assert LEFT_OUT in view.content
        assert f"{len(long)} characters in all" in view.content


def test_a_view_tells_what_is_new_and_where_links_lead(corpus: StoredCorpus) -> None:
    nodes = [root_node("Why?"), found("n1", "a", "bridges#t"), found("n2", "b", "bridges#t", "tower#p0")]
    views = node_views(nodes, evidence("bridges#t", "tower#p0"), corpus, "Why?")
    assert [(view.added, view.links) for view in views] == [(0, 0), (1, 3), (1, 3)]
    assert views[2].sources == ["Bridges#T", "Tower#P0"]


def test_linked_titles_that_the_question_speaks_of_come_first(corpus: StoredCorpus) -> None:
    nodes = [root_node("Why?"), found("n1", "a", "bridges#t")]
    views = node_views(nodes, evidence("bridges#t"), corpus, "Who designed the Malone bridge?")
    assert [view.linked for view in views] == [[], ["Malone bridge", "Urania bridge", "Reichsbrücke"]]


def test_of_thousands_of_rows_the_fitting_ones_are_read_under_their_own_numbers(corpus: StoredCorpus) -> None:
    [source] = readable_sources(corpus, "architect of Halt 4719", [("stations#t", 1.0)], {}, links=True).values()
    assert len(source.text.rows) < MANY / 50
    place = next(at for at, row in enumerate(source.text.rows) if row[0] == "Halt 4719")
    citation = source.citation(CitedPiece(component="stations#t", row=place))
    assert citation["locator"]["row"] == 2719
    assert "Builder4719" in citation["quote"]


def test_a_linked_row_is_numbered_as_its_parent_shows_it(corpus: StoredCorpus) -> None:
    led: Any = {"urania#p0": {"parent": "bridges#t", "parent_row": 1}}
    ranked = [("bridges#t", 1.0), ("urania#p0", 0.5), ("gone#1", 0.1)]
    read = readable_sources(corpus, "Urania", ranked, led, links=True)
    assert list(read) == ["bridges#t", "urania#p0"]
    assert (read["urania#p0"].text.parent, read["urania#p0"].text.parent_row) == ("bridges#t", 1)


def test_a_source_found_by_itself_is_read_with_the_row_of_another_that_links_to_it(corpus: StoredCorpus) -> None:
    asked, ranked = "designed bridge of Vienna opened 1909", [("bridges#t", 1.0), ("urania#p0", 0.5), ("tower#p0", 0.4)]
    read = readable_sources(corpus, asked, ranked, {}, links=True)
    assert (read["urania#p0"].text.parent, read["urania#p0"].text.parent_row) == ("bridges#t", 1)
    assert read["bridges#t"].text.parent is read["tower#p0"].text.parent is None
    assert readable_sources(corpus, asked, ranked, {}, links=False)["urania#p0"].text.parent is None
    # Where the row adds nothing to what the source says, it leads nowhere.
    assert readable_sources(corpus, "Hackhofer", ranked, {}, links=True)["urania#p0"].text.parent is None


def test_sources_that_a_link_joins_lift_each_other(corpus: StoredCorpus) -> None:
    question = "Who designed the bridge of Vienna opened in 1909?"
    joined = source_scores(corpus, question, ["bridges#t", "urania#p0", "lamps#p0"], {}, words=False)
    apart = source_scores(corpus, question, ["urania#p0", "lamps#p0"], {}, words=False)
    scores, alone = ({one["id"]: one["score"] for one in ranked} for ranked in (joined, apart))
    assert scores["bridges#t"] > scores["urania#p0"] > alone["urania#p0"]
    assert scores["lamps#p0"] == alone["lamps#p0"]
    assert source_scores(corpus, question, ["gone#1"], {}, words=True) == []
