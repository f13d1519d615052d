"""The page at both widths, in light and dark, for keyboards and screen readers.

With ``BACKTRAIL_SCREENSHOTS`` set to a folder, what is seen is kept there (``make screenshots``).
"""

import re
from pathlib import Path

import pytest
from fixtures.accessibility import problems_of
from fixtures.page_server import PageServer
from playwright.sync_api import Browser, Page, expect
from reportlab.pdfgen import canvas

BRIDGE = "How many times did the first craft to orbit a comet and put a lander on it pass Earth during its cruise?"
UNKNOWN = "How many kilograms does Rosetta's heat shield weigh?"


def asked(page: Page, question: str, method: str) -> str:
    """Ask on the page; return the address of the run."""
    page.goto("/ui?corpus=examples")
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Method").select_option(method)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_label("Answer", exact=True)).to_be_visible(timeout=30_000)
    return page.url


@pytest.fixture
def addresses(page: Page, tmp_path: Path) -> dict[str, str]:
    """Every screen by name, with runs, an ingest and a PDF to show."""
    drawn = canvas.Canvas(str(tmp_path / "manual.pdf"))
    drawn.drawString(72, 720, "The anchor weighs 340 kg.")
    drawn.save()
    (tmp_path / "kelp.md").write_text("# Kelp\n\nGiant kelp grows 60 centimetres a day.\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    page.goto("/ui/corpora")
    page.get_by_label("Name of the corpus").fill("sea")
    page.locator("form[data-drop] input[type=file]").first.set_input_files([*tmp_path.glob("*.*")])
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_role("region", name="Results by file")).to_be_visible(timeout=60_000)
    found = {"ingested": page.url, "abstained": asked(page, UNKNOWN, "bm25")}
    page.goto("/ui/compare")
    page.get_by_label("Your question").fill(BRIDGE)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".answer")).to_have_count(2, timeout=30_000)
    expect(page.locator(".figures")).to_contain_text("100%")  # the figures come with the end of the runs
    run = page.locator(".figures a").first.get_attribute("href") or ""
    pdf, comets = "/ui/corpora/sea/document?id=manual.pdf", "/ui/corpora/examples/document?id=comets.html"
    return {
        **found, "compared": page.url, "run": run, "fork": f"{run}/fork?at=1", "ask": "/ui", "runs": "/ui/runs",
        "compare": "/ui/compare", "corpora": "/ui/corpora", "corpus": "/ui/corpora/examples", "models": "/ui/settings",
        "delete": "/ui/corpora/examples/delete", "document": f"{comets}&at=comets.html%23p4", "pdf": pdf,
        "pdf page": "/ui/corpora/sea/read?document=manual.pdf", "problem": "/ui/corpora/nowhere",
    }  # fmt: skip


def test_axe_finds_nothing_serious_and_nothing_is_cut_off(
    browser: Browser, server: PageServer, addresses: dict[str, str]
) -> None:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    page, problems = context.new_page(), list[str]()
    for name, address in addresses.items():
        page.goto(address)
        page.wait_for_load_state("networkidle")
        problems += problems_of(page, name)
    context.close()
    assert not problems, "\n".join(problems)


def test_everything_can_be_done_by_keyboard(page: Page) -> None:
    page.goto("/ui")
    page.keyboard.type(BRIDGE)  # the question has the focus
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/ui/runs/"))
    expect(page.get_by_label("Answer")).to_be_visible(timeout=30_000)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    details = page.locator(".station summary").first
    for _ in range(60):
        page.keyboard.press("Tab")
        if details.evaluate("summary => summary === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".station details").first).to_have_attribute("open", "")
