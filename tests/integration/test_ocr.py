"""Words that stand only in pixels: read by Tesseract at ingestion, found, cited, taken into the knowledge graph."""

import asyncio
import signal
from pathlib import Path

import pytest
from fixtures.command_line import as_json, run
from fixtures.killed_ingest import run_victim
from fixtures.ocr import draw_words, install_program, needs_tesseract, without_programs
from reportlab.pdfgen.canvas import Canvas

from backtrail.ingest import choose_ocr
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.state.component import Component
from backtrail.tools.corpus.manage import check, describe
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.home import home
from backtrail.tools.ocr.tesseract import Tesseract

pytestmark = needs_tesseract


@pytest.fixture(autouse=True)
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page whose plan says what no text says, and a picture without words."""
    monkeypatch.setenv("BACKTRAIL_CORPUS", "harbour")
    folder = tmp_path / "pages"
    draw_words(folder / "plan.png", "Quillberg lighthouse", "opened in 1931")
    draw_words(folder / "sea.png", paper="navy")
    (folder / "harbour.html").write_text(
        "<title>Harbour</title><p>The harbour lies in the south. It has three piers.</p>"
        "<img src='plan.png'><img src='sea.png' alt='The sea'>"
    )
    (folder / "history.html").write_text("<title>History</title><p>The town was founded by fishermen.</p>")
    return folder


def stored(document: str, corpus: str = "harbour") -> list[Component]:
    opened = open_corpus(corpus)
    return list(opened.components(opened.children([document])[document]).values())


def recognized(document: str = "harbour.html", corpus: str = "harbour") -> list[str]:
    return [component.image.recognized for component in stored(document, corpus) if component.image]


def test_words_in_pixels_are_found_and_cited(harbour: Path) -> None:
    found = {check["name"]: check for check in as_json("doctor")["checks"]}["ocr"]
    assert (found["state"], "eng" in found["detail"]) == ("ok", True)
    report = as_json("ingest", harbour)
    assert report["ocr"].items() >= {"pictures": 2, "with_words": 1, "failed": 0, "left": 0}.items()
    assert report["ocr"]["seconds"] > 0
    assert recognized() == ["Written in the picture: Quillberg lighthouse; opened in 1931", ""]
    answer = as_json("ask", "When was the Quillberg lighthouse opened?")
    assert "1931" in answer["answer"]
    assert answer["citations"][0]["component"].startswith("harbour.html#image")
    assert run("corpus", "show", "harbour").stdout.count("tesseract:eng") == 1
    assert check("harbour") == []
    assert "words read in 1 of 2 pictures (tesseract-" in run("ingest", harbour, "--corpus", "other").stdout


def test_a_call_from_python_makes_the_same_corpus_as_the_command(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_json("ingest", harbour, "--corpus", "command")

    async def in_a_notebook() -> IngestReport:
        return ingest([harbour], "notebook")

    reports = [ingest([harbour], "python"), asyncio.run(in_a_notebook())]
    for corpus, report in zip(("python", "notebook"), reports, strict=True):
        assert (report.ocr["with_words"], describe(corpus).ocr) == (1, "tesseract:eng")
        assert stored("harbour.html", corpus) == stored("harbour.html", "command")
    assert ingest([harbour], "plain", enricher=Enricher()).ocr == {}
    assert ingest([harbour], "plain").ocr == {}, "it keeps to what it was made with"
    without_programs(tmp_path / "bin", monkeypatch)
    assert "Tesseract is not installed" in ingest([harbour], "without").ocr_note


def test_pictures_for_which_there_was_no_time_are_read_by_the_next_ingest(
    harbour: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose_ocr, "MOST_SECONDS", 0.0)
    first = as_json("ingest", harbour)
    assert (first["ocr"]["left"], first["ocr"]["pictures"], recognized()) == (2, 0, ["", ""])
    assert "2 pictures are left for the next ingest" in " ".join(run("ingest", harbour).stdout.split())
    read = as_json("ingest", harbour, "--ocr")
    assert (read["changed"], read["unchanged"], read["ocr"]["left"]) == (1, 1, 0)
    assert "1931" in recognized()[0]
    kept = as_json("ingest", harbour)
    assert (kept["unchanged"], kept["version"]) == (2, read["version"])
    remembered = as_json("ingest", harbour, "--corpus", "other")
    assert (remembered["ocr"]["left"], remembered["ocr"]["with_words"]) == (0, 1), "what was read takes no time"


def test_a_corpus_keeps_to_what_it_was_made_with(harbour: Path) -> None:
    first = as_json("ingest", harbour, "--no-ocr")
    again = as_json("ingest", harbour, "--knowledge-graph")
    assert (again["ocr"], again["unchanged"], recognized()) == ({}, 2, ["", ""])
    read = as_json("ingest", harbour, "--ocr")
    assert (read["changed"], read["unchanged"]) == (1, 1), "a page without pictures stays"
    kept = as_json("ingest", harbour)
    assert (kept["unchanged"], kept["ocr"]["pictures"], kept["version"]) == (2, 0, read["version"])
    assert "1931" in recognized()[0]
    dropped = as_json("ingest", harbour, "--no-ocr")
    assert (dropped["changed"], recognized(), describe("harbour").ocr) == (1, ["", ""], "")
    assert first["added"] == 2


def test_nothing_is_read_twice_nor_after_a_kill(harbour: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_victim(harbour, "embed", home(), "harbour") == -signal.SIGKILL
    monkeypatch.setattr(Tesseract, "read", lambda *_: pytest.fail("a picture was read again"))
    assert as_json("ingest", harbour, "--corpus", "other")["ocr"]["with_words"] == 1
    assert as_json("ingest", harbour, "--corpus", "other")["ocr"]["pictures"] == 0
    assert "1931" in recognized(corpus="other")[0]


def test_a_scanned_page_of_a_pdf_is_read(tmp_path: Path) -> None:
    scan = draw_words(tmp_path / "scan.png", "Ferries to Bregenz", "leave at seven")
    (tmp_path / "scans").mkdir()
    drawn = Canvas(str(tmp_path / "scans" / "timetable.pdf"))
    drawn.drawImage(str(scan), 50, 400, 480, 240)
    drawn.save()
    as_json("ingest", tmp_path / "scans", "--ocr")
    assert recognized("timetable.pdf") == ["Written in the picture: Ferries to Bregenz; leave at seven"]


def test_without_the_program(harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_json("ingest", harbour, "--ocr")
    without_programs(tmp_path / "empty", monkeypatch)
    kept = run("ingest", harbour)
    assert kept.exit_code == 2
    assert "apt-get install tesseract-ocr" in kept.stderr
    assert "'harbour' was made with it; --no-ocr" in kept.stderr
    assert run("ingest", harbour, "--ocr", "--corpus", "other").exit_code == 2
    other = as_json("ingest", harbour, "--corpus", "other")
    assert (other["ocr"], other["failed"]) == ({}, []), "used if installed"
    assert "Tesseract is not installed" in other["ocr_note"]
    assert as_json("ingest", harbour, "--corpus", "other")["ocr_note"] == "", "said once"
    found = {check["name"]: check for check in as_json("doctor")["checks"]}["ocr"]
    assert (found["state"], "tesseract-ocr" in found["detail"]) == ("note", True)
    assert as_json("ingest", harbour, "--no-ocr")["changed"] == 1


def test_a_broken_program_is_never_passed_over(harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_program(tmp_path / "broken", monkeypatch, "raise SystemExit('no libtesseract')")
    result = run("ingest", harbour)
    assert result.exit_code == 2
    assert "no libtesseract" in result.stderr
    assert "--no-ocr" in result.stderr


def test_languages_are_checked_and_kept(harbour: Path) -> None:
    unknown = run("ingest", harbour, "--ocr", "--ocr-language", "tlh")
    assert unknown.exit_code == 2
    assert "no language 'tlh'; installed are: " in unknown.stderr
    alone = run("ingest", harbour, "--no-ocr", "--ocr-language", "eng")
    assert (alone.exit_code, "give --ocr as well" in alone.stderr) == (2, True)
    as_json("ingest", harbour, "--ocr", "--ocr-language", "eng+eng")
    as_json("ingest", harbour)
    assert describe("harbour").ocr == "tesseract:eng+eng"
