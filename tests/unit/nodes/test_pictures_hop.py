"""The component stage over a corpus that sees pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.colour_encoder import ColourEncoder, draw
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest.pipeline import ingest
from backtrail.nodes.fif.traverse import traverse_components
from backtrail.nodes.graph_traversal.fuse_rankings import fuse_pictures
from backtrail.state.hop import Scored
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox


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
