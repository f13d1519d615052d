"""A corpus moves into a store and back, with all it has, whatever interrupts it."""

import json
from collections.abc import Callable
from functools import partialmethod
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle
from PIL import Image
from typer.testing import CliRunner

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.cli.app import app
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.manage import check, delete_documents, describe, list_corpora
from backtrail.tools.corpus.move import move_home, share
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.storage import NOTE, Kept, noted
from backtrail.tools.corpus.store.lance_table import LanceTable
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import read_address
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.errors import SettingsError
from backtrail.tools.knowledge.open import open_knowledge

SKY = {"moon": ["The moon orbits the earth.", "Its craters are old."], "earth": ["The earth is blue."], "sun": ["Hot."]}
At = Callable[[str], None]


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> At:
    monkeypatch.setenv("BACKTRAIL_STORE_POLL", "3600")
    return lambda machine: monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / machine))


@pytest.fixture
def sky(at: At, tmp_path: Path) -> Path:
    """A corpus with links, a picture and a knowledge graph, on machine a."""
    at("a")
    folder = write_bundle(tmp_path / "sky", SKY, [("moon", "earth"), ("earth", "https://example.org/sun")])
    (tmp_path / "pages").mkdir()
    Image.new("RGB", (64, 64), "navy").save(tmp_path / "pages" / "night.png")
    (tmp_path / "pages" / "night.md").write_text("# Night\n\nIt is dark.\n\n![The night](night.png)\n")
    ingest([folder, tmp_path / "pages"], "sky", embedder="hashed", opened=HashedEmbedder(), extractor=OfflineDecider())
    return folder


def answers() -> dict[str, Any]:
    corpus, graph = open_corpus("sky", embedder=HashedEmbedder()), open_knowledge("sky")
    query = corpus.embed(["old craters of the moon"])
    ids = [hit["id"] for hit in corpus.search_components(query, "component", 20)]
    shown = [held.image.blob for held in corpus.components(ids).values() if held.image]
    return {
        "version": corpus.version,
        "components": corpus.components(ids),
        "links": corpus.links(ids),
        "words": corpus.search_lexical("craters earth", "component", 9),
        "vectors": [corpus.search_components(query, layer, 9) for layer in ("document", "component", "subcomponent")],
        "pictures": [corpus.picture(blob) for blob in shown if blob],
        "graph": graph.counts(),
    }


def test_there_and_back(sky: Path, at: At, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answers()
    assert before["pictures"]
    assert before["graph"]["entities"]
    address = f"lance:{tmp_path / 'store'}"
    run = CliRunner().invoke(app, ["corpus", "move", "sky", "--store", address, "--json"])
    assert json.loads(run.stdout) == {"corpus": "sky", "store": address, "publication": 1}
    assert answers() == before
    assert f"{address} (publication 1)" in CliRunner().invoke(app, ["corpus", "show", "sky"]).stdout
    at("b")
    with pytest.raises(CorpusNotFound):
        open_corpus("sky")
    monkeypatch.setenv("BACKTRAIL_STORE", address)
    assert answers() == before
    assert check("sky") == []
    delete_documents("sky", ["sun"], opened=HashedEmbedder())
    after = answers()
    monkeypatch.delenv("BACKTRAIL_STORE")
    at("a")
    move_home("sky")
    assert answers() == after
    assert check("sky") == []
    assert describe("sky").store == ""
    assert not list((tmp_path / "store").rglob("*.lance/*"))
    at("b")
    monkeypatch.setenv("BACKTRAIL_STORE", address)
    with pytest.raises(CorpusNotFound):
        move_home("sky")
    assert list_corpora() == []


def test_a_killed_move_goes_on_where_it_was(sky: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answers()
    address = read_address(f"lance:{tmp_path / 'store'}")
    sent: list[str] = []
    whole = LanceTable.append

    def append(self: LanceTable, batches: Any, most: int) -> None:
        for batch in batches:
            if len(sent) == most:
                raise KeyboardInterrupt
            whole(self, [batch])
            sent.append(self.place)

    append_three = partialmethod(append, most=3)
    with patch.object(LanceTable, "append", append_three), pytest.raises(KeyboardInterrupt):
        share("sky", address)
    assert noted("sky") is None
    assert answers() == before
    monkeypatch.setattr(LanceTable, "append", partialmethod(append, most=99))
    with patch.object(Kept, "note", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        share("sky", address)  # killed again, between publishing and recording it
    assert len(sent) > 3
    assert share("sky", address).number == 1
    assert len(sent) == len(set(sent))  # small tables are one batch each: none was sent twice
    assert answers() == before


def test_a_move_home_that_was_killed_ends_with_the_next_look(sky: Path, tmp_path: Path, monkeypatch) -> None:
    before = answers()
    share("sky", read_address(f"lance:{tmp_path / 'store'}"))
    remove = Path.unlink

    def unlink(file: Path, missing_ok: bool = False) -> None:
        if file.name == NOTE:
            raise KeyboardInterrupt
        remove(file, missing_ok)

    with patch.object(Path, "unlink", unlink), pytest.raises(KeyboardInterrupt):
        move_home("sky")
    sync_mirror("sky")
    assert answers() == before
    assert describe("sky").store == ""


def test_what_cannot_be_moved(sky: Path, at: At, tmp_path: Path) -> None:
    address = read_address(f"lance:{tmp_path / 'store'}")
    with pytest.raises(CorpusNotFound):
        share("nobody", address)
    with pytest.raises(SettingsError, match="not in a store"):
        move_home("sky")
    share("sky", address)
    with pytest.raises(SettingsError, match="Move it home first"):
        share("sky", read_address(f"lance:{tmp_path / 'other'}"))
    at("b")
    ingest([sky], "sky", embedder="hashed", opened=HashedEmbedder())
    with pytest.raises(SettingsError, match="has a corpus 'sky' already"):
        share("sky", address)
