"""Pictures beside pages: figures where a page shows them, else documents of their own or named."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from PIL import Image

from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.open import open_corpus


def run(path: Path) -> IngestReport:
    return ingest([path], "sea", embedder="hashed", opened=HashedEmbedder())


def documents() -> list[str]:
    names = ["readme.md", *(f"{name}.png" for name in ("pier", "photos/boat", "photos/icon", "photos/copy"))]
    return sorted(open_corpus("sea", embedder=HashedEmbedder()).documents(names))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page that shows one of four pictures: another lies below it, one is its copy, one is small."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    top = tmp_path / "in"
    (top / "photos").mkdir(parents=True)
    (top / "readme.md").write_text("# Sea\n\nIt is blue.\n\n![Pier](pier.png)\n")
    for name, side, colour in (("pier", 120, "brown"), ("photos/boat", 120, "white"), ("photos/icon", 32, "red")):
        Image.new("RGB", (side, side), colour).save(top / f"{name}.png")
    (top / "photos" / "copy.png").write_bytes((top / "pier.png").read_bytes())
    return top


def test_a_picture_that_no_page_shows_is_a_document(folder: Path) -> None:
    report = run(folder)
    assert documents() == ["photos/boat.png", "readme.md"]
    assert (report.added, report.pictures, report.unreferenced_pictures) == (2, 2, 1)
    assert report.refused == {"shown by no page and small": 1}
    assert [Path(part.source).name for part in report.skipped] == ["icon.png"]
    assert check("sea") == []
    again = run(folder)
    assert (again.unchanged, again.anything_new, again.version) == (2, False, report.version)


def test_once_a_page_shows_it_it_is_a_figure_again(folder: Path) -> None:
    run(folder)
    (folder / "readme.md").write_text("# Sea\n\nIt is blue.\n\n![Pier](pier.png)\n\n![Boat](photos/boat.png)\n")
    report = run(folder)
    assert (report.changed, report.deleted, report.unreferenced_pictures) == (1, 1, 0)
    assert documents() == ["readme.md"]


def test_a_damaged_one_is_named(folder: Path) -> None:
    (folder / "photos" / "boat.png").write_bytes(b"no picture")
    report = run(folder)
    assert documents() == ["readme.md"]
    assert any("boat.png" in part.source for part in report.skipped)
