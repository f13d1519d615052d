"""The page on a server with keys: a person signs in, brings files, asks them, and decides what the run asks."""

import re
from collections.abc import Iterator

import pytest
from fixtures.accessibility import problems_of
from fixtures.closed_server import Closed, governed
from playwright.sync_api import Browser, BrowserContext, Page, expect

POLICY = """
[keys.anna]
ingest = true
[keys.bert]
methods = ["bm25"]
"""
BOATS = b"# Boats\n\nThe ferry Amalie crosses the Palve in eleven minutes. She was built by Dorn & Sons in 1931.\n"
SCRIPT = b"<!doctype html><title>Trap</title><p>Amalie <script>alert(1)</script><img src=x onerror=alert(2)></p>"


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    with governed(tmp_path_factory.mktemp("hosted"), POLICY) as server:
        yield server


@pytest.fixture
def visited(browser: Browser, hosted: Closed) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=hosted.url)
    yield context
    context.close()


def signed_in(context: BrowserContext, key: str, path: str = "/ui") -> Page:
    page = context.new_page()
    page.on("dialog", lambda box: pytest.fail(f"a script ran: {box.message}"))
    page.goto(path)
    page.get_by_label("Your key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile(re.escape(path) + "$"))
    return page


def test_a_wrong_key_is_said_and_a_right_one_leads_to_where_one_wanted(hosted: Closed, visited: BrowserContext) -> None:
    page = visited.new_page()
    page.goto("/ui/corpora")
    page.get_by_label("Your key").fill("none of this server")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Unknown key")
    assert not problems_of(page, "sign-in")
    page.get_by_label("Your key").fill(hosted.keys["anna"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Corpora")
    cookie = next(one for one in visited.cookies() if one.get("value") == hosted.keys["anna"])
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/ui")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_files_are_brought_watched_and_asked_and_nobody_else_sees_them(hosted: Closed, visited: BrowserContext) -> None:
    page = signed_in(visited, hosted.keys["anna"], "/ui/corpora")
    page.get_by_label("Name of the corpus").fill("boats")
    page.get_by_label("Files", exact=True).set_input_files(
        [
            {"name": "boats.md", "mimeType": "text/markdown", "buffer": BOATS},
            {"name": "trap.html", "mimeType": "text/html", "buffer": SCRIPT},
        ]
    )
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_text("2 documents added")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Ask it").click()
    page.get_by_label("Your question").fill("When was she built?")
    page.get_by_text("Picture, model and budget").click()
    page.locator("select[name=human_question]").select_option("true")
    page.get_by_role("button", name="Ask", exact=True).click()
    asks = page.get_by_label("The run asks")
    expect(asks).to_contain_text('What does "she" stand for', timeout=30_000)
    asks.get_by_label("What you mean").fill("the ferry Amalie")
    asks.get_by_role("button", name="Ask it so").click()
    expect(page.get_by_label("Answer")).to_contain_text("1931", timeout=60_000)
    address = page.url
    page.get_by_role("button", name="Sign out").click()

    other = signed_in(visited, hosted.keys["bert"], "/ui/corpora")
    expect(other.get_by_text("boats", exact=True)).to_have_count(0)
    expect(other.get_by_label("Files", exact=True)).to_have_count(0)
    owned = (address, f"{hosted.url}/ui/corpora/boats")
    for path in (*owned, *(f"{place}/delete" for place in owned), f"{address}/answer.md"):
        answer = other.goto(path)
        assert answer
        assert answer.status == 404
    other.get_by_role("button", name="Sign out").click()

    page = signed_in(visited, hosted.keys["anna"], "/ui/corpora")
    for place in owned:
        page.goto(f"{place}/delete")
        page.get_by_role("button", name="Delete").click()
        gone = page.goto(place)
        assert gone
        assert gone.status == 404
