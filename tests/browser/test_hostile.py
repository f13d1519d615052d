"""Documents that want to be script: whatever they hold is shown as the words it is, in a real browser."""

import json
from pathlib import Path

import pytest
from fixtures.page_server import PageServer
from PIL import Image, PngImagePlugin
from playwright.sync_api import Browser, Page, expect
from reportlab.pdfgen import canvas

from backtrail.ingest.pipeline import ingest

MARKUP = "</title></svg></textarea><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"
ESCAPED = MARKUP.replace("<", "&lt;").replace(">", "&gt;")
LINK = "javascript:window.hacked=3"


@pytest.fixture(scope="module")
def hostile(home: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A corpus of hostile pages, pictures, a PDF and a bundle."""
    folder = tmp_path_factory.mktemp("hostile")
    files = folder / "files"
    files.mkdir()
    facts = PngImagePlugin.PngInfo()
    facts.add_text("Title", MARKUP)
    Image.new("RGB", (40, 30), "red").save(files / "red.png", pnginfo=facts)
    (files / "drawn.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="window.hacked=4">'
        f'<script>window.hacked=5</script><text y="20">{ESCAPED}</text></svg>'
    )
    (files / "page.html").write_text(
        f"<title>Zorblatt {ESCAPED}</title><h1>{ESCAPED}</h1><script>window.hacked=6</script>"
        f'<p>The zorblatt weighs 12 kg {ESCAPED}. <a href="{LINK}">Read on</a> <a href="other.html">Other</a></p>'
        f'<p onclick="window.hacked=7">The zorblatt is blue.</p><table><tr><th>{ESCAPED}</th><th>Weight</th></tr>'
        f'<tr><td>zorblatt</td><td>{ESCAPED}</td></tr></table><figure><img src="red.png" alt="{ESCAPED}">'
        f'<figcaption>A red zorblatt {ESCAPED}</figcaption></figure><img src="drawn.svg">'
    )
    (files / "other.html").write_text(f'<title>{ESCAPED}</title><p>Nothing <a href="page.html">here</a>.</p>')
    drawn = canvas.Canvas(str(files / "paper.pdf"))
    drawn.setTitle(MARKUP)
    drawn.drawString(72, 720, f"The snorkwin of the zorblatt is 99 metres long {MARKUP[:60]}.")
    drawn.linkURL(LINK, (72, 700, 300, 740))
    drawn.save()
    bundle = folder / "bundle"
    bundle.mkdir()
    (bundle / "documents.jsonl").write_text(json.dumps({"id": MARKUP[8:40], "title": MARKUP, "url": LINK}) + "\n")
    component = {"id": "c#1", "document": MARKUP[8:40], "position": 0, "modality": "text", "section": MARKUP,
                 "text": f"The quibbleflux of Mavor is seven. {MARKUP}", "links": []}  # fmt: skip
    (bundle / "components.jsonl").write_text(json.dumps(component) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(home))
        ingest([files, bundle], "hostile")
    return "hostile"


def nothing_ran(page: Page) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.locator("script:not([src]), [onerror], [onclick], [onload], a[href^='javascript' i]").count() == 0


@pytest.mark.parametrize(
    "question",
    ["How heavy is the zorblatt?", "How long is the snorkwin of the zorblatt?", "What is the quibbleflux of Mavor?"],
)
def test_nothing_of_an_answer_or_its_sources_runs(page: Page, hostile: str, question: str) -> None:
    page.goto(f"/ui?corpus={hostile}")
    page.get_by_label("Your question").fill(f"{question} {MARKUP}"[:300])
    page.get_by_label("Method").select_option("bm25")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_label("Answer")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("complementary").get_by_text("<script>").first).to_be_visible()
    nothing_ran(page)
    for drawn in page.locator(".source .page img").all():
        drawn.scroll_into_view_if_needed()
        expect(drawn).to_have_js_property("complete", True)
        assert drawn.evaluate("image => image.naturalWidth") > 500, "the page of the PDF is drawn"
    page.goto("/ui/runs")
    nothing_ran(page)


def test_nothing_of_a_corpus_runs(page: Page, hostile: str) -> None:
    page.goto(f"/ui/corpora/{hostile}")
    expect(page.get_by_role("link", name="Zorblatt").first).to_be_visible()
    nothing_ran(page)
    addresses = page.locator(".documents a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert len(addresses) >= 4
    for address in addresses:
        page.goto(address)
        expect(page.locator(".document")).to_be_visible()
        nothing_ran(page)


def test_other_sites_and_other_names_are_turned_away(browser: Browser, server: PageServer) -> None:
    context = browser.new_context()
    page = context.new_page()
    assert context.request.get(f"{server.url}/ui", headers={"Host": "rebound.example"}).status == 403
    page.goto(f"{server.url}/ui")
    form: dict[str, str | float | bool] = {"question": "Which?", "token": "x" * 43}
    assert context.request.post(f"{server.url}/ui/ask", form=form).status == 403, "a form without the token"
    token = page.locator("input[name=token]").first.input_value()
    foreign = {"Origin": "http://localhost:9", "Sec-Fetch-Site": "cross-site"}
    sent = context.request.post(f"{server.url}/ui/ask", form={**form, "token": token}, headers=foreign)
    assert (sent.status, "another site" in sent.text()) == (403, True)
    context.close()
