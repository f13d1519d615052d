from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest.subcomponents import subcomponent_surrogate, subcomponents, surrogate
from backtrail.state.component import Component, Document, Link, Picture, Table
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.tables.prepared import PreparedComponent, PreparedDocument, PreparedPiece
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.toolbox import Toolbox


def _document(key: str, title: str, *components: Component) -> PreparedDocument:
    held = [
        PreparedComponent(
            component,
            surrogate(title, component),
            [PreparedPiece(piece, subcomponent_surrogate(title, piece)) for piece in subcomponents(component)],
        )
        for component in components
    ]
    summary = f"{title}. {surrogate(title, components[0])[:200]}"
    return PreparedDocument(Document(id=key, title=title, summary=summary), summary, "/nowhere", "1", held, {})


def _text(document: str, number: int, text: str, *links: Link) -> Component:
    return Component(
        id=f"{document}#p{number}", document=document, position=number, modality="text", text=text, links=links
    )


BRIDGES = Component(
    id="bridges#t", document="bridges", position=0, modality="table",
    table=Table(
        caption="Bridges of Vienna", header=("Name", "Opened"),
        rows=(("Reichsbrücke", "1980"), ("Urania bridge", "1909"), ("Malone bridge", "1962")),
    ),
    links=(
        Link(target="reich", anchor="Reichsbrücke", row=0, column=0),
        Link(target="urania", anchor="Urania bridge", row=1, column=0),
        Link(target="malone", anchor="Malone bridge", row=2, column=0),
    ),
)  # fmt: skip
DRAWING = Component(
    id="urania#f", document="urania", position=1, modality="image",
    image=Picture(title="Drawing", caption="The arch of the Urania bridge, drawn by its engineer."),
)  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredCorpus:
    """A table that links to three pages, one with a picture, and a page that stands alone."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    embedder = HashedEmbedder()
    documents = [
        _document("bridges", "Bridges of Vienna", BRIDGES),
        _document(
            "reich", "Reichsbrücke", _text("reich", 0, "It was designed by Sepp Stein. It carries an underground line.")
        ),
        _document(
            "urania", "Urania bridge", _text("urania", 0, "Josef Hackhofer designed it with its lamps."), DRAWING
        ),
        _document(
            "malone", "Malone bridge", _text("malone", 0, "A footbridge.", Link(target="bridges", anchor="list"))
        ),
        _document("lamps", "Street lamps", _text("lamps", 0, "Lamps of many bridges were designed in 1909 in Vienna.")),
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
