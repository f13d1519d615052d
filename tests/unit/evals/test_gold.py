"""Gold found from what documents say, in a corpus made of real files."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from PIL import Image

from backtrail.evals.gold import find_components, with_gold
from backtrail.evals.questions import Evidence, Question
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.home import cache_folder

PUMPS = """# Pumps

The **old** pump failed in [2019](failures.md).

| Pump | Litres | Since |
|---|---|---|
| North | 30 | 2020 |
| South | | 2021 |

![A drawing of the north pump](drawings/north.png)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    held = tmp_path / "handbook"
    (held / "drawings").mkdir(parents=True)
    (held / "pumps.md").write_text(PUMPS)
    (held / "failures.md").write_text("# Failures\n\nThe old pump failed in 2019, a wet year.\n")
    Image.new("RGB", (60, 60), "red").save(held / "drawings" / "north.png")
    Image.new("RGB", (60, 60), "blue").save(held / "drawings" / "south.png")
    return held


def opened(folder: Path) -> Any:
    ingest([folder], "handbook", embedder="offline", opened=HashedEmbedder())
    return open_corpus("handbook", embedder=HashedEmbedder())


def asking(*pieces: Evidence, id_: str = "q") -> Question:
    return Question(id=id_, question="Which?", answers=("North",), evidence=pieces)


def test_quotes_rows_and_pictures_are_found_in_their_own_document(folder: Path) -> None:
    corpus = opened(folder)
    pieces = [
        Evidence(document="pumps.md", quote="The old pump failed in 2019"),
        Evidence(document="pumps.md", quote="South | 2021"),
        Evidence(document="pumps.md", picture="drawings/north.png"),
        Evidence(document="failures.md", quote="The old pump failed in 2019"),
        Evidence(document="pumps.md", quote="a wet year"),
        Evidence(document="pumps.md", picture="drawings/south.png"),
        Evidence(document="missing.pdf", quote="anything"),
        Evidence(document="pumps.md", picture="../../../etc/hostname"),
    ]
    found = find_components(corpus, pieces)
    kinds = [[component.modality for component in corpus.components(ids).values()] for ids in found]
    assert kinds == [["text"], ["table"], ["image"], ["text"], [], [], [], []]
    assert {component.document for component in corpus.components(found[3]).values()} == {"failures.md"}
    corpus = opened(folder / "drawings")
    [ids] = find_components(corpus, [Evidence(document="south.png", picture="south.png")])
    assert ids == tuple(corpus.children(["south.png"])["south.png"]) != (), "a document that is a picture"


def test_gold_is_found_once_for_a_version_and_anew_after_a_change(folder: Path) -> None:
    question = asking(Evidence(document="failures.md", quote="a wet year"))
    first, again = opened(folder), opened(folder)
    for corpus in (first, again):
        corpus.components = Mock(wraps=corpus.components)
    assert with_gold([question], first) == with_gold([question], again)
    assert (first.components.call_count, again.components.call_count) == (1, 0)
    [kept] = (cache_folder() / "gold").iterdir()
    kept.write_text("{torn")
    assert with_gold([question], opened(folder)) == with_gold([question], again)  # type: ignore[arg-type]
    (folder / "failures.md").write_text("# Failures\n\nIt was a dry year.\n")
    assert with_gold([question], opened(folder))[0].gold == ((),)
