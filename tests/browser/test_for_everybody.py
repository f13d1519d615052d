"""The page at both widths, in light and dark, for keyboards and screen readers.

With ``BACKTRAIL_SCREENSHOTS`` set to a folder, what is seen is kept there (``make screenshots``).
"""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from fixtures.page_server import PageServer
from fixtures.screenshots import keep
from playwright.sync_api import Browser, Page, expect

BRIDGE = "How many times did the first craft to orbit a comet and put a lander on it pass Earth during its cruise?"
ON_A_PHONE = ("ask", "corpora", "corpus", "document", "compared", "run", "models")
"""Pages that are laid out otherwise on a phone."""
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def addresses() -> dict[str, str]:
    """Pages by name; the run is added by the first test that needs it."""
    return {
        "ask": "/ui", "runs": "/ui/runs", "compare": "/ui/compare", "corpora": "/ui/corpora",
        "corpus": "/ui/corpora/examples", "models": "/ui/settings", "delete": "/ui/corpora/examples/delete",
        "document": "/ui/corpora/examples/document?id=comets.html&at=comets.html%23p4",
    }  # fmt: skip


def with_run(page: Page, addresses: dict[str, str]) -> dict[str, str]:
    if "run" not in addresses:
        page.goto("/ui/compare")
        page.get_by_label("Your question").fill(BRIDGE)
        page.get_by_role("button", name="Compare").click()
        expect(page.locator(".answer")).to_have_count(2, timeout=30_000)
        expect(page.locator(".figures")).to_contain_text("100%")  # the figures come with the end of the runs
        addresses["compared"] = page.url[page.url.index("/ui") :]
        addresses["run"] = page.locator(".figures a").first.get_attribute("href") or ""
        addresses["fork"] = f"{addresses['run']}/fork?at=1"
    return addresses


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop in light", "phone in the dark"]
)
def test_axe_finds_nothing_serious_and_nothing_is_cut_off(
    browser: Browser, server: PageServer, addresses: dict[str, str], size: dict[str, int], scheme: str
) -> None:
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if scheme == "dark" else "light", base_url=server.url, reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    problems: list[str] = []
    for name, address in with_run(page, addresses).items():
        if size is PHONE and name not in ON_A_PHONE:
            continue
        page.goto(address)
        page.wait_for_load_state("networkidle")
        found = Axe().run(page).response["violations"]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        problems += [f"{name}: {one['id']}: {one['nodes'][0]['html'][:200]}" for one in serious]
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > size["width"]:
            problems.append(f"{name} is {wide} pixels wide")
        keep(page, f"{name}-{'phone-dark' if size is PHONE else 'desktop'}")
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
