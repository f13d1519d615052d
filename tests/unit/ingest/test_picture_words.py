"""Words that OCR read become words of the picture; what cannot be read is reported; each picture is read once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fixtures.ocr import WrittenOcr

from backtrail.ingest.enrich import Enricher
from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.images import parse_image
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.prepare import prepare
from backtrail.ingest.subcomponents import surrogate
from backtrail.state.component import Picture
from backtrail.tools.deciders.scripted import ScriptedDecider

MakePicture = Callable[..., bytes]
SEEN = {"description": "A bar chart of rovers", "objects": []}


def page(
    folder: Path, name: str = "rovers.html", body: str = "<p>Rovers drive.</p><img src='chart.png'>"
) -> ParsedDocument:
    path = folder / name
    path.write_text(f"<title>Rovers</title>{body}")
    return parse_html(path, name, folder)


def picture_of(document: ParsedDocument) -> Picture:
    return next(component.image for component in document.components if component.image)


def test_words_are_embedded_behind_a_description(tmp_path: Path, picture: MakePicture) -> None:
    (tmp_path / "chart.png").write_bytes(chart := picture())
    ocr = WrittenOcr({chart: "Spirit 185 kg"})
    (plain,) = Enricher(ocr=ocr).enrich([page(tmp_path)])
    assert picture_of(plain).recognized == "Written in the picture: Spirit 185 kg"
    assert "Spirit 185 kg" in surrogate("Rovers", plain.components[1])
    (both,) = Enricher(ScriptedDecider({"describe_picture": [SEEN]}), ocr=ocr).enrich([page(tmp_path)])
    assert picture_of(both).recognized == "A bar chart of rovers. Written in the picture: Spirit 185 kg"


def test_a_picture_without_words_stays_as_it_was_parsed(tmp_path: Path, picture: MakePicture) -> None:
    (tmp_path / "chart.png").write_bytes(picture())
    parsed = page(tmp_path)
    enricher = Enricher(ocr=WrittenOcr({}))
    assert enricher.enrich([parsed]) == [parsed]
    counts = {"reader": "written:1", "pictures": 1, "with_words": 0, "failed": 0, "left": 0}
    assert enricher.ocr_counts().items() >= counts.items()


def test_what_cannot_be_read_is_reported_and_stays(tmp_path: Path, picture: MakePicture) -> None:
    (tmp_path / "chart.png").write_bytes(chart := picture())
    enricher = Enricher(ocr=WrittenOcr({chart: None}))
    (document,) = enricher.enrich([page(tmp_path)])
    assert picture_of(document).recognized == ""
    assert "more than 60 seconds" in document.skipped[-1].reason
    assert enricher.ocr_counts()["failed"] == 1


def test_a_file_that_went_meanwhile_is_reported(tmp_path: Path, picture: MakePicture) -> None:
    (tmp_path / "chart.png").write_bytes(picture())
    parsed = page(tmp_path)
    (tmp_path / "chart.png").unlink()
    (document,) = Enricher(ocr=WrittenOcr({})).enrich([parsed])
    assert "cannot be opened" in document.skipped[-1].reason


def test_a_picture_that_many_pages_show_is_read_once(tmp_path: Path, picture: MakePicture) -> None:
    (tmp_path / "chart.png").write_bytes(chart := picture())
    ocr = WrittenOcr({chart: "Spirit 185 kg"})
    enricher = Enricher(ocr=ocr)
    documents = enricher.enrich([page(tmp_path, "one.html"), page(tmp_path, "two.html")])
    assert all(picture_of(document).recognized for document in documents)
    assert len(ocr.read_pictures) == enricher.ocr_counts()["pictures"] == 1


def test_other_ocr_makes_documents_anew_but_only_those_with_pictures(tmp_path: Path, picture: MakePicture) -> None:
    (tmp_path / "chart.png").write_bytes(picture())
    shown, plain = page(tmp_path), page(tmp_path, "plain.html", "<p>Rovers drive.</p>")
    first, second = Enricher(ocr=WrittenOcr({})), Enricher(ocr=WrittenOcr({}, "written:2"))
    assert first.made_by(shown) != second.made_by(shown)
    assert first.made_by(plain) == second.made_by(plain) == Enricher().made_by(shown) == ""


def test_a_picture_as_document_is_found_by_its_words_but_a_summary_that_was_given_stays(
    tmp_path: Path, picture: MakePicture
) -> None:
    (tmp_path / "scan.png").write_bytes(scan := picture())
    parsed = parse_image(tmp_path / "scan.png", "scan.png")
    (document,) = Enricher(ocr=WrittenOcr({scan: "Ferry timetable of Lindau"})).enrich([parsed])
    assert prepare(document, "root").search_text == "Scan. Ferry timetable of Lindau"
    model = ScriptedDecider({"summarize_document": [{"summary": "A timetable."}]})
    (document,) = Enricher(summarize=model, ocr=WrittenOcr({scan: "Ferry timetable of Lindau"})).enrich([parsed])
    assert document.document.summary == "A timetable."
