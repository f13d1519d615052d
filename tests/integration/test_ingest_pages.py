"""Page pictures embedded after an ingest: found, kept up to date, forgotten, and searched by a method of their own."""

import importlib.util
import io
import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.coloured_pages import ColourPages, draw_fleet, draw_pdf
from fixtures.command_line import as_json
from fixtures.command_line import run as command
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_page_models import save_colpali
from PIL import Image

from backtrail.graphs.page_images import build
from backtrail.ingest.pages.embed_pages import NOT_DRAWN, embed_pages, remove_pages
from backtrail.ingest.pdf.page_images.page_picture import page_picture
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.state.page_images.settings import PageImagesSettings
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import CorpusLocked, CorpusNotFound, PagesMismatch, PagesMissing
from backtrail.tools.corpus.manage import delete_corpus, delete_documents
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.pages import open as page_models
from backtrail.tools.corpus.pages.open import open_pages
from backtrail.tools.corpus.pages.page_index import pages_folder
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.home import corpus_folder
from backtrail.tools.toolbox import Toolbox

HAS_TORCH = importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")
MODEL, SINGLE = "late-interaction:/models/coloured", "cross-modal:/models/single"


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, ColourPages]:
    """What the names of page models open."""
    made = {MODEL: ColourPages(), SINGLE: ColourPages("single")}
    monkeypatch.setattr(page_models, "_models", made)
    return made


@pytest.fixture
def model(models: dict[str, ColourPages]) -> ColourPages:
    return models[MODEL]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return draw_fleet(tmp_path / "files")


@pytest.fixture
def fleet(files: Path) -> Path:
    run(files)
    return files


@pytest.fixture
def embedded(fleet: Path, model: ColourPages) -> Path:
    embed_pages("fleet", MODEL)
    return fleet


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


def test_each_page_knows_the_components_on_it(embedded: Path, model: ColourPages) -> None:
    corpus, pages = open_corpus("fleet", embedder=HashedEmbedder()), open_pages("fleet", "late-interaction")
    for page, _ in pages.search(pages.model().embed_question("green"), 9, ["ships.pdf"]):
        on_page = corpus.components(page.components)
        assert {component.locator.page for component in on_page.values()} == {page.number}
        positions = [component.position for component in on_page.values()]
        assert positions == sorted(positions)


def test_a_second_ingest_embeds_changed_pages_alone(embedded: Path, model: ColourPages) -> None:
    [again] = run(embedded).pages
    assert (again.pages, again.embedded) == (4, 0)
    draw_pdf(embedded / "ships.pdf", "One ship is red", "Another ship is blue", "The last one is blue and red")
    (embedded / "sea.png").unlink()
    [changed] = run(embedded).pages
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


def test_another_model_is_refused_until_the_pages_are_embedded_again(embedded: Path, model: ColourPages) -> None:
    model.fingerprint = "changed since"
    assert run(embedded).pages[0].embedded == 0, "nothing to embed, nothing to refuse"
    with pytest.raises(PagesMismatch, match=f"backtrail corpus pages fleet {MODEL}"):
        found("red")
    draw_pdf(embedded / "more.pdf", "Something green")
    assert f"backtrail corpus pages fleet {MODEL}" in run(embedded).pages_note
    assert embed_pages("fleet", MODEL).embedded == 5
    assert found("green", 2) == [("more.pdf", 1), ("ships.pdf", 2)]
    assert stored_vectors() == 5


def test_documents_that_are_not_embedded_are_named(embedded: Path, model: ColourPages) -> None:
    model.fingerprint = "changed since"
    draw_pdf(embedded / "more.pdf", "Something green")
    draw_pdf(embedded / "ships.pdf", "All ships are green")
    report = run(embedded)
    assert (report.added, report.changed, report.pages[0].pages) == (1, 1, 0)
    missing = open_pages("fleet", "late-interaction").unembedded
    assert set(missing) == {"notes.html", "more.pdf", "ships.pdf"}
    assert "backtrail corpus pages fleet" in missing["ships.pdf"]


def test_a_file_that_cannot_be_read_keeps_its_pages_or_is_reported(embedded: Path, model: ColourPages) -> None:
    (embedded / "ships.pdf").rename(embedded / "ships.bak")
    assert embed_pages("fleet", MODEL).pages == 4
    remove_pages("fleet")
    report = embed_pages("fleet", MODEL)
    assert report.pages == 1
    assert report.without["ships.pdf"] == NOT_DRAWN
    assert [one for one in report.failed if str(embedded / "ships.pdf") in one]


def test_deleted_documents_take_their_vectors_along(embedded: Path, model: ColourPages) -> None:
    assert delete_documents("fleet", ["ships.pdf"]) == 1
    assert stored_vectors() == 1
    assert found("red") == [("sea.png", 0)]
    assert "ships.pdf" not in (pages_folder("fleet", "late-interaction") / "index.json").read_text()


def test_a_deletion_keeps_vectors_of_an_interrupted_run(embedded: Path, model: ColourPages) -> None:
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


def test_a_damaged_index_is_named_and_made_again_by_the_same_model(embedded: Path, model: ColourPages) -> None:
    (pages_folder("fleet", "late-interaction") / "index.json").write_text("{")
    with pytest.raises(PagesMissing, match=r"index\.json is damaged.*backtrail corpus pages fleet$"):
        open_pages("fleet", "late-interaction")
    [report] = run(embedded).pages
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
def test_lost_vectors_are_an_error_and_made_again(embedded: Path, model: ColourPages, damage: bytes) -> None:
    for file in pages_folder("fleet", "late-interaction").glob("vectors-*/??/*"):
        file.write_bytes(damage)
    with pytest.raises(PagesMissing, match=r"are lost.*backtrail corpus pages fleet$"):
        found("red")
    assert run(embedded).pages[0].embedded == 4
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


# --- the method over page pictures -------------------------------------------------------------------
def read_first(inputs: Any) -> dict[str, Any]:
    first = inputs.evidence[0]
    cited = [{"component": first.id, "sentence": 0}] if first.sentences else []
    return {"answer": (first.sentences or ["A sea."])[0], "citations": cited, "supported": True, "confidence": 0.5}


async def ask(question: str, **settings: Any) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: open_corpus(name, embedder=HashedEmbedder()))
    toolbox.rules = ScriptedDecider({"answer": read_first})
    context = Settings(corpus="fleet", **settings)
    return await build(toolbox).compile().ainvoke({"question": question}, context=context)


def pages_of(found: dict[str, Any]) -> list[int | None]:
    """The page of each component, in ranked order."""
    return [found["evidence"][scored["id"]]["locator"].get("page") for scored in found["ranking"]]


async def test_components_follow_the_order_of_their_pages_and_name_them(embedded: Path) -> None:
    found = await ask("Which one is blue and red ?")
    assert pages_of(found)[0] == 3
    scores = [scored["score"] for scored in found["ranking"]]
    assert scores == sorted(scores, reverse=True)
    assert max(scores) <= 1
    assert found["stop_reason"] == "single-shot"
    found = await ask("Which ship is green ?")
    [citation] = found["answer"]["citations"]
    assert "Another ship is green" in found["answer"]["text"]
    assert (citation["document"], citation["locator"]["page"]) == ("ships.pdf", 2)


async def test_all_components_of_a_page_come_before_those_of_the_next(tmp_path: Path) -> None:
    rows = ["Hull", "Mast", "Sail"]
    files = tmp_path / "files"
    draw_pdf(files / "parts.pdf", "A blue sheet", "A red sheet", lines={2: rows})
    ingest([files], "fleet", embedder="hashed", opened=HashedEmbedder())
    embed_pages("fleet", MODEL)
    found = await ask("red", k=10)
    pages = pages_of(found)
    assert pages == sorted(pages, key=lambda page: -(page or 0))
    ids = [scored["id"] for scored in found["ranking"]]
    children = open_corpus("fleet", embedder=HashedEmbedder()).children(["parts.pdf"])["parts.pdf"]
    assert [id_ for id_ in children if id_ in ids[: pages.count(2)]] == ids[: pages.count(2)]
    assert len((await ask("red", k=1))["ranking"]) == 1


async def test_documents_without_a_page_picture_are_a_recorded_failure(embedded: Path) -> None:
    [failure] = (await ask("green"))["failures"]
    assert (failure["id"], failure["error"]) == ("retrieve@0", "PagesNotEmbedded")
    assert "no page is embedded: notes.html (only PDF files and pictures" in failure["message"]
    assert (await ask("green", documents=("ships.pdf",)))["failures"] == []


async def test_without_page_vectors_the_run_says_what_to_do(fleet: Path) -> None:
    with pytest.raises(PagesMissing, match=r"backtrail corpus pages fleet late-interaction:FOLDER"):
        await ask("green")
    embed_pages("fleet", MODEL)
    with pytest.raises(PagesMissing, match=r"backtrail corpus pages fleet cross-modal:FOLDER"):
        await ask("green", page_images=PageImagesSettings(model="cross-modal"))


async def test_a_corpus_may_have_both_kinds_of_vectors(embedded: Path, models: dict[str, ColourPages]) -> None:
    embed_pages("fleet", SINGLE)
    assert models[SINGLE].seen == 4
    assert (await ask("green", page_images=PageImagesSettings(model="cross-modal")))["ranking"]
    assert (await ask("green"))["ranking"]


async def test_the_state_holds_ids_and_numbers_and_both_times_are_charged(embedded: Path) -> None:
    found = await ask("green")
    json.dumps({key: value for key, value in found.items() if key != "messages"})
    spent = found["usage"]["retrieve@0"]
    assert set(spent["seconds"]) == {"embedding", "vectors"}
    assert spent["calls"] == 0
