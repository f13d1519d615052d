"""Models add descriptions, objects and summaries; asked once, and never in the way."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from backtrail.ingest.enrich import Enricher
from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.subcomponents import subcomponents, surrogate
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.recording.remembered import RememberingDecider
from backtrail.tools.deciders.scripted import ScriptedDecider

SEEN = {"description": "Bar chart of passengers.", "objects": ["tallest bar: 2004", "red bar: 2003"]}


def _page(folder: Path) -> ParsedDocument:
    Image.new("RGB", (64, 48), "white").save(folder / "chart.png")
    page = folder / "ferry.html"
    page.write_text("<title>Ferries</title><p>Ferries run daily.</p><img src='chart.png' alt='A chart'>")
    return parse_html(page, "ferry.html", folder)


def test_a_described_picture_can_be_found_by_what_is_in_it(tmp_path: Path) -> None:
    (page,) = Enricher(describe=ScriptedDecider({"describe_picture": [SEEN]})).enrich([_page(tmp_path)])
    picture = page.components[1]
    assert "Bar chart of passengers." in surrogate("Ferries", picture)
    assert [piece.text for piece in subcomponents(picture)] == ["tallest bar: 2004", "red bar: 2003"]
    assert [piece.kind for piece in subcomponents(picture)] == ["object", "object"]


def test_a_model_sums_up_the_document(tmp_path: Path) -> None:
    summary = {"summary": "Ferries: daily service, chart of passengers."}
    (page,) = Enricher(summarize=ScriptedDecider({"summarize_document": [summary]})).enrich([_page(tmp_path)])
    assert page.document.summary == summary["summary"]


def test_a_failing_model_leaves_the_page_as_parsed_and_is_reported(tmp_path: Path) -> None:
    failed = DecisionFailed("describe_picture", "scripted", "no JSON came", charge(calls=3))
    enricher = Enricher(describe=ScriptedDecider({"describe_picture": [failed]}))
    page = _page(tmp_path)
    (enriched,) = enricher.enrich([page])
    assert enriched.components == page.components
    assert "was not described" in enriched.skipped[-1].reason
    assert enricher.spent["calls"] == 3


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    asked = ScriptedDecider({"describe_picture": [SEEN]})
    for _ in range(2):
        decider = RememberingDecider(asked, tmp_path / "records")
        (page,) = Enricher(describe=decider).enrich([_page(tmp_path)])
        assert page.components[1].image.recognized == "Bar chart of passengers."  # type: ignore[union-attr]
    assert len(asked.history) == 1


def test_without_models_nothing_changes(tmp_path: Path) -> None:
    page = _page(tmp_path)
    assert Enricher().enrich([page]) == [page]
    assert Enricher().name == ""
