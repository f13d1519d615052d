"""Documents are read: those with the same title are told apart, and the pages of a PDF are turned."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from reportlab.pdfgen import canvas

from backtrail.ingest.pipeline import ingest


@pytest.fixture(scope="module", autouse=True)
def fleet(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A corpus of two documents with one title, and a PDF of three pages."""
    folder = tmp_path_factory.mktemp("fleet")
    for name, vessel in (("north", "Auk"), ("south", "Heron")):
        (folder / name).mkdir()
        (folder / name / "list.md").write_text(f"# Vessels\n\nThe {vessel} is moored in the {name} harbour.\n")
    drawn = canvas.Canvas(str(folder / "manual.pdf"))
    for number, line in enumerate(("Welcome aboard the fleet.", "The anchor weighs 340 kg.", "Signed by nobody."), 1):
        drawn.drawString(72, 720, f"Page {number}. {line}")
        drawn.showPage()
    drawn.save()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(home))
        ingest([folder], "fleet")


def test_documents_with_one_title_are_told_apart_by_their_files(page: Page) -> None:
    page.goto("/ui/corpora/fleet")
    listed = page.locator(".documents").first
    expect(listed.get_by_role("listitem").filter(has_text="north/list.md")).to_contain_text("Vessels")
    expect(listed.get_by_role("listitem").filter(has_text="south/list.md")).to_contain_text("Vessels")
    page.goto("/ui?corpus=fleet")
    page.get_by_label("Your question").fill("Where is the Heron moored?")
    page.get_by_label("Method").select_option("bm25")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("complementary")).to_contain_text("south/list.md", timeout=30_000)


def test_the_pages_of_a_pdf_are_turned_from_the_cited_one(page: Page) -> None:
    page.goto("/ui/corpora/fleet/document?id=manual.pdf")
    page.get_by_role("link", name=re.compile("page 2")).first.click()
    expect(page.get_by_text("Page 2 of 3").first).to_be_visible()
    shown = page.get_by_role("img", name="Page 2 of")
    assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    page.get_by_role("link", name="Next page").first.click()
    expect(page.get_by_text("Page 3 of 3").first).to_be_visible()
    expect(page.get_by_role("link", name="Next page")).to_have_count(0)
    page.get_by_role("link", name="Previous page").first.click()
    page.get_by_role("link", name="Previous page").first.click()
    expect(page.get_by_text("Page 1 of 3").first).to_be_visible()
