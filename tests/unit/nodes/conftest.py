from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.planning_corpus import BRIDGES, prepared, text

from backtrail.state.component import Component, Link, Picture
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.toolbox import Toolbox

DRAWING = Component(
    id="urania#f", document="urania", position=1, modality="image",
    image=Picture(title="Drawing", caption="The arch of the Urania bridge, drawn by its engineer."),
)  # fmt: skip


@pytest.fixture
def corpus() -> StoredCorpus:
    """A table that links to three pages, one with a picture, and a page that stands alone."""
    embedder = HashedEmbedder()
    documents = [
        prepared("bridges", "Bridges of Vienna", BRIDGES),
        prepared(
            "reich", "Reichsbrücke", text("reich", "It was designed by Sepp Stein. It carries an underground line.")
        ),
        prepared("urania", "Urania bridge", text("urania", "Josef Hackhofer designed it with its lamps."), DRAWING),
        prepared("malone", "Malone bridge", text("malone", "A footbridge.", Link(target="bridges", anchor="list"))),
        prepared("lamps", "Street lamps", text("lamps", "Lamps of many bridges were designed in 1909 in Vienna.")),
    ]
    with open_writer("tiny", "hashed", embedder) as writer:
        assert not writer.put(documents)
        writer.publish(Silent())
    return open_corpus("tiny", embedder=embedder)


@pytest.fixture
def toolbox(corpus: StoredCorpus) -> Toolbox:
    return Toolbox(open_corpus=lambda name: corpus)


@dataclass
class FakeRuntime:
    """What a node reads of LangGraph's runtime."""

    context: Any = None


@pytest.fixture
def runtime() -> Callable[..., Any]:
    return lambda **settings: FakeRuntime(Settings(corpus="tiny", **settings))
