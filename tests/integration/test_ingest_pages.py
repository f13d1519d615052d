"""Page pictures embedded after an ingest: found, kept up to date, forgotten."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path

import pytest
from fixtures.coloured_pages import ColourPages, draw_fleet, draw_pdf
from fixtures.command_line import as_json
from fixtures.command_line import run as command
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_page_models import save_colpali
from PIL import Image

from backtrail.ingest.pages.embed_pages import NOT_DRAWN, embed_pages, remove_pages
from backtrail.ingest.pdf.page_images.page_picture import page_picture
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.errors import CorpusLocked, CorpusNotFound, PagesMismatch, PagesMissing
from backtrail.tools.corpus.manage import delete_corpus, delete_documents
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.pages import open as page_models
from backtrail.tools.corpus.pages.open import open_pages
from backtrail.tools.corpus.pages.page_index import pages_folder
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.home import corpus_folder

HAS_TORCH = importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")
MODEL = "late-interaction:/models/coloured"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ColourPages:
    """What the recorded name opens."""
    made = ColourPages()
    monkeypatch.setattr(page_models, "_models", {MODEL: made})
    return made


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return draw_fleet(tmp_path / "files")


def run(files: Path) -> IngestReport:
    report = ingest([files], "fleet", embedder="hashed", opened=HashedEmbedder())
    assert not report.failed
    return report


def found(question: str, limit: int = 9, documents: list[str] | None = None) -> list[tuple[str, int]]:
    pages = open_pages("fleet", "late-interaction")
    ids = open_corpus("fleet", embedder=HashedEmbedder()).document_ids() if documents is None else documents
    ranked = pages.search(pages.model().embed_question(question), limit, ids)
    return [(page.documents[0], page.number) for page, _ in ranked]


def stored_vectors() -> int:
    return len(list(pages_folder("fleet", "late-interaction").glob("vectors-*/??/*")))


def test_pages_are_found_by_what_they_show(files: Path, model: ColourPages) -> None:
    run(files)
    report = embed_pages("fleet", MODEL)
    assert (report.pages, report.embedded, model.seen) == (4, 4, 4)
    assert list(report.without) == ["notes.html"]
    assert found("a red one", 2) == [("ships.pdf", 1), ("ships.pdf", 3)]
    assert found("red blue", 1) == [("ships.pdf", 3)], "each word is matched by its own part of the page"
    assert found("green", 1) == [("ships.pdf", 2)]
    assert found("blue", documents=["sea.png"]) == [("sea.png", 0)]
    assert found("blue", documents=[]) == []


def test_each_page_knows_the_components_on_it(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    corpus, pages = open_corpus("fleet", embedder=HashedEmbedder()), open_pages("fleet", "late-interaction")
    for page, _ in pages.search(pages.model().embed_question("green"), 9, ["ships.pdf"]):
        on_page = corpus.components(page.components)
        assert {component.locator.page for component in on_page.values()} == {page.number}
        positions = [component.position for component in on_page.values()]
        assert positions == sorted(positions)


def test_a_second_ingest_embeds_changed_pages_alone(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    [again] = run(files).pages
    assert (again.pages, again.embedded) == (4, 0)
    draw_pdf(files / "ships.pdf", "One ship is red", "Another ship is blue", "The last one is blue and red")
    (files / "sea.png").unlink()
    [changed] = run(files).pages
    assert (changed.pages, changed.embedded, model.seen) == (3, 1, 5)
    assert found("green blue", 1) == [("ships.pdf", 2)]
    assert stored_vectors() == 3, "vectors of what is gone are removed"


def test_an_interrupted_run_continues_where_it_was(files: Path) -> None:
    run(files)
    with pytest.raises(KeyboardInterrupt):
        embed_pages("fleet", MODEL, opened=ColourPages(limit=3))
    with pytest.raises(PagesMissing, match=r"backtrail corpus pages fleet late-interaction:FOLDER"):
        open_pages("fleet", "late-interaction")
    assert (embed_pages("fleet", MODEL, opened=(rest := ColourPages())).pages, rest.seen) == (4, 2)


def test_another_model_is_refused_until_the_pages_are_embedded_again(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    model.fingerprint = "changed since"
    assert run(files).pages[0].embedded == 0, "nothing to embed, nothing to refuse"
    with pytest.raises(PagesMismatch, match=f"backtrail corpus pages fleet {MODEL}"):
        found("red")
    draw_pdf(files / "more.pdf", "Something green")
    assert f"backtrail corpus pages fleet {MODEL}" in run(files).pages_note
    assert embed_pages("fleet", MODEL).embedded == 5
    assert found("green", 2) == [("more.pdf", 1), ("ships.pdf", 2)]
    assert stored_vectors() == 5


def test_documents_that_are_not_embedded_are_named(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    model.fingerprint = "changed since"
    draw_pdf(files / "more.pdf", "Something green")
    draw_pdf(files / "ships.pdf", "All ships are green")
    report = run(files)
    assert (report.added, report.changed, report.pages[0].pages) == (1, 1, 0)
    missing = open_pages("fleet", "late-interaction").unembedded
    assert set(missing) == {"notes.html", "more.pdf", "ships.pdf"}
    assert "backtrail corpus pages fleet" in missing["ships.pdf"]


def test_a_file_that_cannot_be_read_keeps_its_pages_or_is_reported(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    (files / "ships.pdf").rename(files / "ships.bak")
    assert embed_pages("fleet", MODEL).pages == 4
    remove_pages("fleet")
    report = embed_pages("fleet", MODEL)
    assert report.pages == 1
    assert report.without["ships.pdf"] == NOT_DRAWN
    assert [one for one in report.failed if str(files / "ships.pdf") in one]


def test_deleted_documents_take_their_vectors_along(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    assert delete_documents("fleet", ["ships.pdf"]) == 1
    assert stored_vectors() == 1
    assert found("red") == [("sea.png", 0)]
    assert "ships.pdf" not in (pages_folder("fleet", "late-interaction") / "index.json").read_text()


def test_a_deletion_keeps_vectors_of_an_interrupted_run(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    other = ColourPages("another", limit=4)
    with pytest.raises(KeyboardInterrupt):
        embed_pages("fleet", MODEL, opened=other)
    delete_documents("fleet", ["notes.html"])
    assert embed_pages("fleet", MODEL, opened=(rest := ColourPages("another"))).pages == 4
    assert (other.seen, rest.seen, stored_vectors()) == (3, 1, 4)


def test_a_corpus_whose_pages_are_being_embedded_is_not_deleted(files: Path, model: ColourPages) -> None:
    class Deleting(ColourPages):
        def embed_page(self, path: Path) -> Vectors:
            with pytest.raises(CorpusLocked):
                delete_corpus("fleet")
            return super().embed_page(path)

    run(files)
    assert embed_pages("fleet", MODEL, opened=Deleting()).embedded == 4
    delete_corpus("fleet")
    assert not corpus_folder("fleet").exists()
    with pytest.raises(CorpusNotFound):
        embed_pages("fleet", MODEL)
    assert not corpus_folder("fleet").exists()


def test_a_damaged_index_is_named_and_made_again_by_the_same_model(files: Path, model: ColourPages) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    (pages_folder("fleet", "late-interaction") / "index.json").write_text("{")
    with pytest.raises(PagesMissing, match=r"index\.json is damaged.*backtrail corpus pages fleet$"):
        open_pages("fleet", "late-interaction")
    [report] = run(files).pages
    assert (report.model, report.pages, report.embedded) == (MODEL, 4, 0)


def test_a_model_that_fails_does_not_stop_the_other(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late, cross = ColourPages(), ColourPages("cross")
    other = "cross-modal:/models/coloured"
    monkeypatch.setattr(page_models, "_models", {MODEL: late, other: cross})
    run(files)
    for name in (MODEL, other):
        embed_pages("fleet", name)
    draw_pdf(files / "more.pdf", "Something green")
    late.fingerprint = "changed since"
    first, second = run(files).pages
    assert f"backtrail corpus pages fleet {MODEL}" in first.problem
    assert (second.pages, second.embedded, second.problem) == (5, 1, "")
    shown = command("corpus", "pages", "fleet")
    assert shown.exit_code == 1
    assert f"New pages are not embedded ({MODEL})" in shown.stdout
    assert f"5 page pictures, 0 embedded now ({other})" in shown.stdout


def test_a_corpus_without_any_page_picture_cannot_be_searched(files: Path, model: ColourPages) -> None:
    (files / "ships.pdf").unlink()
    (files / "sea.png").unlink()
    run(files)
    assert embed_pages("fleet", MODEL).pages == 0
    with pytest.raises(PagesMissing, match="none of its documents is a PDF file or a picture"):
        open_pages("fleet", "late-interaction")


def test_one_process_embeds_the_pages_of_a_corpus(files: Path, model: ColourPages) -> None:
    run(files)
    with writer_lock("fleet", pages_folder("fleet", "late-interaction")), pytest.raises(CorpusLocked):
        embed_pages("fleet", MODEL)
    embed_pages("fleet", MODEL)
    with writer_lock("fleet", pages_folder("fleet", "late-interaction")):
        assert "being written" in run(files).pages_note, "the corpus itself is published"


@pytest.mark.parametrize("damage", [b"", b"abc"])
def test_lost_vectors_are_an_error_and_made_again(files: Path, model: ColourPages, damage: bytes) -> None:
    run(files)
    embed_pages("fleet", MODEL)
    for file in pages_folder("fleet", "late-interaction").glob("vectors-*/??/*"):
        file.write_bytes(damage)
    with pytest.raises(PagesMissing, match=r"are lost.*backtrail corpus pages fleet$"):
        found("red")
    assert run(files).pages[0].embedded == 4
    assert found("red", 1) == [("ships.pdf", 1)]


def test_the_command_embeds_shows_and_removes(files: Path, model: ColourPages) -> None:
    run(files)
    assert "no page vectors" in command("corpus", "pages", "fleet").stdout
    assert command("corpus", "pages", "fleets").exit_code
    shown = command("corpus", "pages", "fleet", MODEL).stdout
    assert "4 page pictures, 4 embedded now" in shown
    assert "documents without: 1, the first is notes.html: only PDF files and pictures" in shown
    [report] = as_json("corpus", "pages", "fleet")["pages"]
    assert (report["pages"], report["embedded"]) == (4, 0)
    assert as_json("corpus", "pages", "fleet", "none")["pages"] == []
    with pytest.raises(PagesMissing):
        open_pages("fleet", "late-interaction")


@pytest.mark.skipif(not HAS_TORCH, reason="torch and transformers are not installed (pip install 'backtrail[local]')")
def test_a_colpali_checkpoint_end_to_end(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_colpali(tmp_path / "colpali")
    run(files)
    report = embed_pages("fleet", "late-interaction:colpali")
    assert (report.model, report.pages) == (f"late-interaction:{tmp_path / 'colpali'}", 4)
    pages, stored = open_pages("fleet", "late-interaction"), open_corpus("fleet", embedder=HashedEmbedder())
    ranked = pages.search(pages.model().embed_question("Which ship is red?"), 9, stored.document_ids())
    assert len(ranked) == 4
    drawn = Image.open(io.BytesIO(page_picture(files / "ships.pdf", 2)))
    drawn.save(tmp_path / "again.png")
    encoder = page_models.shared_model(report.model)
    products = encoder.embed_question("Which ship is red?") @ encoder.embed_page(tmp_path / "again.png").T
    [second] = [score for page, score in ranked if (page.documents[0], page.number) == ("ships.pdf", 2)]
    assert second == pytest.approx(float(products.max(axis=1).sum()), rel=1e-2), "stored in half precision"
