"""What models and OCR add: descriptions, objects, summaries and words of pictures; asked once, and never in the way."""

from pathlib import Path

import pytest
from fixtures.ocr import WrittenOcr

from backtrail.ingest.enrich import Enricher
from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.images import parse_image
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.prepare_document import prepare
from backtrail.ingest.subcomponents import subcomponents, surrogate
from backtrail.state.component import Picture
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.recording.cache import CachingDecider
from backtrail.tools.deciders.scripted import ScriptedDecider

SEEN = {"description": "A bar chart of rovers", "objects": ["tallest bar: 2004", "red bar: 2003"]}
WORDS = "Spirit 185 kg"


@pytest.fixture
def chart(tmp_path: Path, picture) -> bytes:
    content = picture()
    (tmp_path / "chart.png").write_bytes(content)
    return content


def page(folder: Path, name: str = "rovers.html", shown: str = "<img src='chart.png'>") -> ParsedDocument:
    path = folder / name
    path.write_text(f"<title>Rovers</title><p>Rovers drive.</p>{shown}")
    return parse_html(path, name, folder)


def picture_of(document: ParsedDocument) -> Picture:
    return next(component.image for component in document.components if component.image)


def described(*replies: object) -> ScriptedDecider:
    return ScriptedDecider({"describe_picture": list(replies)})


def test_pictures_are_found_by_what_is_in_them_and_written_in_them(tmp_path: Path, chart: bytes) -> None:
    ocr = WrittenOcr({chart: WORDS})
    (plain,) = Enricher(ocr=ocr).enrich([page(tmp_path)])
    assert picture_of(plain).recognized == f"Written in the picture: {WORDS}"
    assert WORDS in surrogate("Rovers", plain.components[1])
    (both,) = Enricher(described(SEEN), ocr=ocr).enrich([page(tmp_path)])
    assert picture_of(both).recognized == f"A bar chart of rovers. Written in the picture: {WORDS}"
    assert [(piece.kind, piece.text) for piece in subcomponents(both.components[1])] == [
        ("object", "tallest bar: 2004"), ("object", "red bar: 2003"),
    ]  # fmt: skip


def test_a_failing_model_leaves_the_page_as_parsed_and_is_reported(tmp_path: Path, chart: bytes) -> None:
    failed = DecisionFailed("describe_picture", "scripted", "no JSON came", charge(calls=3))
    enricher = Enricher(describe=described(failed))
    parsed = page(tmp_path)
    (enriched,) = enricher.enrich([parsed])
    assert enriched.components == parsed.components
    assert "was not described" in enriched.skipped[-1].reason
    assert enricher.spent["calls"] == 3


def test_nothing_is_asked_twice(tmp_path: Path, chart: bytes) -> None:
    asked = described(SEEN)
    for _ in range(2):
        (document,) = Enricher(describe=CachingDecider(asked, tmp_path / "records")).enrich([page(tmp_path)])
        assert picture_of(document).recognized == SEEN["description"]
    assert len(asked.history) == 1
    ocr = WrittenOcr({chart: WORDS})
    documents = Enricher(ocr=ocr).enrich([page(tmp_path, "one.html"), page(tmp_path, "two.html")])
    assert all(picture_of(document).recognized for document in documents)
    assert len(ocr.read_pictures) == 1


def test_summaries_are_those_of_a_model_or_the_words_of_a_picture(tmp_path: Path, chart: bytes) -> None:
    model = ScriptedDecider({"summarize_document": [{"summary": "Rovers: they drive."}] * 2})
    parsed, ocr = parse_image(tmp_path / "chart.png", "chart.png"), WrittenOcr({chart: WORDS})
    (words,) = Enricher(ocr=ocr).enrich([parsed])
    assert prepare(words, "root").search_text == f"Chart. {WORDS}"
    summed = [*Enricher(summarize=model).enrich([page(tmp_path)]), *Enricher(summarize=model, ocr=ocr).enrich([parsed])]
    assert [one.document.summary for one in summed] == ["Rovers: they drive."] * 2
