"""A real browser, and the page on loopback over the demo's corpus."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.page_server import PageServer, served
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from backtrail.ingest.enrich import Enricher
from backtrail.ingest.pipeline import ingest

EXAMPLES = Path(__file__).parents[2] / "examples" / "corpus"
PAGES = ("comets", "rosetta", "giotto", "stardust", "venera", "venus", "mariner", "lavochkin")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with some pages of the demo as the corpus ``examples``."""
    folder = tmp_path_factory.mktemp("page") / "home"
    pages = folder.parent / "pages"
    (pages / "pictures").mkdir(parents=True)
    for name in PAGES:
        page = (EXAMPLES / f"{name}.html").read_text()
        (pages / f"{name}.html").write_text(page)
        for picture in EXAMPLES.glob("pictures/*.png"):
            if picture.name in page:
                shutil.copy(picture, pages / "pictures")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder))
        ingest([pages], "examples", enricher=Enricher())  # without OCR, as the demo
    return folder


@pytest.fixture
def shared_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of the page; it is the environment's while a test runs."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
    return home


@pytest.fixture
def server(shared_home: Path) -> Iterator[PageServer]:
    """The page, as ``backtrail ui`` serves it."""
    with served() as page_server:
        yield page_server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a sandbox of its own: tests run as root in containers."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; `make install` brings it.")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


def is_problem(line: ConsoleMessage) -> bool:
    """An error in the console, but for that of a page which says what was wrong with a form."""
    return line.type == "error" and "status of 422" not in line.text


@pytest.fixture
def page(browser: Browser, server: PageServer) -> Iterator[Page]:
    """A page of desktop width, in which nothing may go wrong and nothing may be asked of another server."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=server.url)
    opened, problems = context.new_page(), list[str]()
    opened.on("pageerror", lambda error: problems.append(f"script: {error}"))
    opened.on("console", lambda line: problems.append(line.text) if is_problem(line) else None)
    opened.on("dialog", lambda box: (problems.append(f"dialog: {box.message}"), box.dismiss()))
    opened.on(
        "request",
        lambda sent: problems.append(f"asked {sent.url}") if not sent.url.startswith(server.url) else None,
    )
    yield opened
    context.close()
    assert not problems
