"""One hop, stage by stage: admitted or refused, searched by words, vectors and pixels."""

from pathlib import Path
from typing import Any

import pytest
from fixtures.colour_encoder import ColourEncoder, draw
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.hops import documents_of, route, walked
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.nodes.fif.backtrack import LADDER, backtrack
from backtrail.nodes.fif.evaluate import evaluate
from backtrail.nodes.fif.traverse import traverse_components
from backtrail.nodes.graph_traversal.fuse_rankings import fuse_pictures, search_components, search_documents
from backtrail.state.hop import Scored
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.toolbox import Toolbox


def test_a_local_hop_reaches_what_the_anchors_link_to(toolbox: Toolbox, runtime: Any) -> None:
    for year, expected in (("1980", "reich"), ("1909", "urania"), ("1962", "malone")):
        hop = walked(toolbox, runtime(), route(f"who designed the bridge opened in {year}", ["bridges"]))
        assert {scored["id"] for scored in hop["documents"]} == {"reich", "urania", "malone"}
        assert hop["documents"][0]["id"] == expected
        assert hop["parents"][expected]["parent"] == "bridges#t"


def test_no_target_of_a_decision_is_left_out_of_a_local_hop(tmp_path: Path, runtime: Any) -> None:
    """One page leads to four that match the subtask, the other one to a page that shares no word with it."""
    bridges = {f"bridge {number}": ["Sepp Stein designed the bridge."] for number in range(4)}
    texts = {"bridges": ["Who designed each bridge."], "ferries": ["Timetables."], "pontoon": ["A raft."], **bridges}
    links = [("ferries", "pontoon"), *(("bridges", name) for name in bridges)]
    ingest([write_bundle(tmp_path / "bundle", texts, links)], "tiny", embedder="hashed", opened=HashedEmbedder())
    toolbox = Toolbox(open_corpus=lambda name: open_corpus(name, embedder=HashedEmbedder()))
    few = runtime(fif={"documents_per_hop": 3, "components_per_hop": 3})
    asked = route("who designed the bridge", ["bridges", "ferries"], granularity="component")
    for fused in (False, True):
        hop = walked(toolbox, few, asked, fused=fused)
        assert ("pontoon" in {one["id"] for one in hop["documents"]}) is fused
        assert ({"pontoon#0", "ferries#0", "bridges#0"} <= {one["id"] for one in hop["components"]}) is fused


def test_as_published_neighbours_are_ranked_by_vectors_alone(toolbox: Any, corpus: Any, runtime: Any) -> None:
    planned = route("who designed the bridge opened in 1962", ["bridges"])
    found = documents_of(toolbox, runtime(variant="published"), planned)
    query = corpus.embed([planned["subquery"]])[0]
    nearest = corpus.search_documents(query, "document", 9, ["reich", "urania", "malone"])
    assert [one["id"] for one in found["documents"]] == [one["id"] for one in nearest]
    assert found["parents"]["malone"]["row"] == 2
    assert documents_of(toolbox, runtime(), planned)["documents"][0]["id"] == "malone"


def test_a_global_hop_keeps_as_many_documents_and_components_as_set(toolbox: Toolbox, runtime: Any) -> None:
    few = runtime(fif={"documents_per_hop": 2, "components_per_hop": 1})
    hop = walked(toolbox, few, route("bridges of Vienna"))
    assert (len(hop["documents"]), len(hop["components"])) == (2, 1)


def test_a_shortlist_for_reasoning_takes_in_what_only_words_find(toolbox: Toolbox, runtime: Any) -> None:
    short = runtime(fif={"documents_per_hop": 1, "shortlist": 3})
    found = documents_of(toolbox, short, route("Hackhofer", reasoning="both", granularity="component"))
    assert "urania" in [scored["id"] for scored in found["documents"]]


async def test_the_evaluator_writes_the_record_the_evidence_and_the_tentative_answers(toolbox, runtime: Any) -> None:
    question = "Who designed the bridge opened in 1909?"
    hop = walked(toolbox, runtime(), route(question, ["bridges"]))
    subquery = {
        "id": "q0", "text": question, "depends_on": [], "status": "open",
        "answer": "", "answered_by": None, "planned_at": 0,
    }  # fmt: skip
    state: Any = {"question": question, "subqueries": [subquery], "hop": hop, "evidence": {}, "usage": {}}
    writes: Any = await evaluate(toolbox)(state, runtime())
    (record,) = writes["hops"]
    assert (record["step"], record["outcome"]) == (1, "success")
    assert [one["status"] for one in writes["subqueries"]] == ["answered"]
    assert record["resolved"] == ["q0"]
    evidence = writes["evidence"]["urania#p0"]
    assert (evidence["parent"], evidence["parent_row"], evidence["hop"]) == ("bridges#t", 1, 1)
    assert writes["hop"] is None


async def test_a_hop_that_found_nothing_is_a_recorded_failure(toolbox: Toolbox, runtime: Any) -> None:
    hop = walked(toolbox, runtime(), route("anything", ["lamps"]))
    state: Any = {"question": "anything", "subqueries": [], "hop": hop, "evidence": {}, "usage": {}}
    writes: Any = await evaluate(toolbox)(state, runtime())
    (record,) = writes["hops"]
    assert (record["outcome"], record["reason"]) == ("failure", "The hop found nothing.")


@pytest.fixture
def blurred(corpus: StoredCorpus) -> Any:
    """The corpus, with an embedder that finds the Malone bridge nearest to whatever is asked."""
    return Blurred(corpus)


class Blurred:
    """Every text is embedded as the name of one page."""

    def __init__(self, corpus: StoredCorpus) -> None:
        self._corpus = corpus

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)

    def embed(self, texts: list[str]) -> Any:
        return self._corpus.embed(["Malone bridge"] * len(texts))


@pytest.mark.parametrize("granularity", ["document", "component", "subcomponent"])
def test_a_name_that_vectors_miss_is_found_by_its_words(blurred: Any, granularity: Any) -> None:
    asked = "Josef Hackhofer"
    alone = search_components(blurred, asked, granularity, 1, words=False)
    both = search_components(blurred, asked, granularity, 3, words=True)
    holder = blurred.search_lexical(asked, "component", 1)[0]["id"]
    assert holder not in {scored["id"] for scored in alone}
    assert holder in {scored["id"] for scored in both}
    document = blurred.components([holder])[holder].document
    assert document in {scored["id"] for scored in search_documents(blurred, asked, granularity, 3, words=True)}


def test_scores_are_similarities_and_compare_with_those_of_vectors_alone(corpus: StoredCorpus) -> None:
    near = {s["id"]: s["score"] for s in search_components(corpus, "bridges of Vienna", "component", 50, words=False)}
    both = search_components(corpus, "bridges of Vienna", "component", 5, words=True)
    assert {scored["id"]: scored["score"] for scored in both} == pytest.approx(
        {scored["id"]: near[scored["id"]] for scored in both}, abs=1e-6
    )


def test_a_search_among_documents_stays_there(corpus: StoredCorpus) -> None:
    found = search_components(corpus, "the bridge that opened in 1909", "subcomponent", 10, ["urania"], words=True)
    assert {scored["id"].partition("#")[0] for scored in found} == {"urania"}
    assert search_components(corpus, "bridge", "component", 10, [], words=True) == []


def scored(**scores: float) -> list[Scored]:
    return [{"id": id_, "score": score} for id_, score in scores.items()]


def test_a_picture_found_by_both_goes_first_and_keeps_its_similarity() -> None:
    fused = fuse_pictures(scored(a=0.9, b=0.8, c=0.7), scored(c=0.3), 3)
    assert fused == scored(c=0.7, a=0.9, b=0.8)


def test_a_picture_only_pixels_found_takes_the_score_at_its_place() -> None:
    fused = fuse_pictures(scored(a=0.9, b=0.8), scored(x=0.3, y=0.2, z=0.1), 4)
    assert fused == scored(a=0.9, x=0.9, b=0.8, y=0.8)
    assert fuse_pictures([], scored(x=0.3), 4) == scored(x=0.0)


@pytest.mark.parametrize("sees", [False, True])
def test_a_picture_without_telling_words_is_kept_when_pixels_are_seen(sees: bool, tmp_path: Path, runtime: Any) -> None:
    words = "".join(f"<p>The flag is red, says witness {n}.</p>" for n in range(6))
    pages = [tmp_path / "flag.html", tmp_path / "annex.html"]
    pages[0].write_text(f"<title>Flag</title>{words}")
    pages[1].write_text("<title>Annex</title><p>Supplied later.</p><img src='x1.png'><img src='x2.png'>")
    draw(tmp_path / "x1.png", "blue")
    draw(tmp_path / "x2.png", "red")
    encoder = ColourEncoder() if sees else None
    name = "colours" if sees else None
    ingest(pages, "tiny", embedder="hashed", opened=HashedEmbedder(), pixels=name, opened_pixels=encoder)
    corpus = open_corpus("tiny", embedder=HashedEmbedder(), pixels=encoder)
    strategy = {"scope": "global", "granularity": "component", "reasoning": "none"}
    route = {"step": 1, "subquery": "The flag is red", "anchors": [], "strategy": strategy}
    documents = scored(**{"flag.html": 1.0, "annex.html": 0.5})
    begun = {"route": route, "documents": documents, "components": [], "parents": {}}
    state: Any = {"question": route["subquery"], "hop": begun}
    node = traverse_components(Toolbox(open_corpus=lambda name: corpus))
    hop = node(state, runtime(fif={"components_per_hop": 2}))["hop"]
    held = corpus.components([one["id"] for one in hop["components"]])
    assert len(held) == 2
    assert [component.modality for component in held.values()].count("image") == (1 if sees else 0)
    if sees:
        shown = next(component.image for component in held.values() if component.image)
        red = corpus.search_pictures("red", 1)[0]["id"]
        assert held[red].image == shown
        assert all(-1 <= one["score"] <= 1 for one in hop["components"])


PROPOSAL = {
    "action": "search", "subquery_id": "q0", "subtask": "who designed it", "document_mode": "neighbors",
    "component_mode": "vector search", "anchor": 0, "anchor_documents": [], "granularity": "document", "why": "because",
}  # fmt: skip


def _hop(step: int, documents: list[str], **route: Any) -> dict[str, Any]:
    return {
        "step": step, "kind": "traverse", "subquery_id": "q0", "subquery": "bridges",
        "anchor_step": None, "anchors": [],
        "strategy": {"scope": "global", "granularity": "document", "reasoning": "none"},
        "documents": [{"id": key, "score": 0.5} for key in documents], "components": [], "outcome": "success",
        "reason": "", "why": "", "resolved": [], **route,
    }  # fmt: skip


def _admit(runtime: Any, hops: list[dict[str, Any]], settings: dict[str, Any] | None = None, **proposal: Any) -> Any:
    return backtrack()({"proposal": {**PROPOSAL, **proposal}, "hops": hops}, runtime(**(settings or {})))  # type: ignore[typeddict-item]


def test_the_documents_of_the_named_step_become_the_anchors(runtime: Any) -> None:
    writes = _admit(runtime, [_hop(0, ["a", "b"]), _hop(1, ["c"])])
    route = writes["hop"]["route"]
    assert (route["step"], route["anchor_step"], route["anchors"]) == (2, 0, ["a", "b"])
    assert route["strategy"] == {"scope": "local", "granularity": "document", "reasoning": "none"}
    assert "hops" not in writes
    assert _admit(runtime, [_hop(0, ["a", "b"])], anchor_documents=["b"])["hop"]["route"]["anchors"] == ["b"]


def test_a_failed_route_is_refused_and_recorded_and_a_finer_look_is_admitted(runtime: Any) -> None:
    hops = [_hop(0, ["a"]), _local(1, "document", "none")]
    writes = _admit(runtime, hops, subtask="Who designed it?")
    assert writes["hop"] is None
    assert [(hop["step"], hop["outcome"], hop["anchors"]) for hop in writes["hops"]] == [(2, "refused", ["a"])]
    assert _admit(runtime, hops, granularity="component")["hop"]["route"]


def test_switches_hold_the_strategy_at_its_plain_value(runtime: Any) -> None:
    off = {"fif": {"granularity": False, "reasoning": False, "global_hop": False}}
    writes = _admit(runtime, [_hop(0, ["a"])], off, document_mode="llm reasoning", granularity="subcomponent")
    assert writes["hop"]["route"]["strategy"] == {"scope": "local", "granularity": "document", "reasoning": "none"}


def _local(step: int, granularity: str, reasoning: str) -> dict[str, Any]:
    strategy = {"scope": "local", "granularity": granularity, "reasoning": reasoning}
    return _hop(
        step, ["x"], subquery="who designed it", anchors=["a"], anchor_step=0, outcome="failure", strategy=strategy
    )


def test_a_fused_run_climbs_from_the_same_anchors_before_it_searches_everywhere(runtime: Any) -> None:
    hops = [_hop(0, ["a"]), *(_local(1 + n, *rung) for n, rung in enumerate(LADDER[:-1]))]
    state: Any = {"proposal": {**PROPOSAL, "granularity": "component"}, "hops": hops, "fused": True}
    writes: Any = backtrack()(state, runtime())
    route = writes["hop"]["route"]
    assert (route["strategy"]["scope"], route["anchors"], route["anchor_step"]) == ("local", ["a"], 0)
    hops.append(_local(len(hops), *LADDER[-1]))
    writes = backtrack()(state, runtime())
    route = writes["hop"]["route"]
    assert (route["strategy"]["scope"], route["anchors"], route["anchor_step"]) == ("global", [], None)
    assert [hop["outcome"] for hop in writes["hops"]] == ["refused"]
    assert route["step"] == writes["hops"][0]["step"] + 1
