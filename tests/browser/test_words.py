"""The words of an answer stand on the page while a model still writes them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fixtures.page_server import PageServer
from fixtures.screenshots import keep
from loopback.openai_server import OpenAIServer, reply
from playwright.sync_api import Page, expect

from backtrail.tools.deciders.capabilities import reset_learnt_capabilities

FIRST = "Rosetta was launched on 2 March 2004 from Kourou"
LAST, LAST_SHOWN = "the rocket was an *Ariane 5G+* <b>of</b> Europe.", "the rocket was an Ariane 5G+ <b>of</b> Europe."
BETWEEN = (
    "a year later than planned, as another rocket of its kind had failed in December 2002. Its comet had become another"
    " one by then, which it took ten years to reach, with help from Earth three times and from Mars once;"
)
READING: dict[str, Any] = {
    "short": "2 March 2004", "text": f"{FIRST}, {BETWEEN} {LAST}",
    "citations": [{"component": "rosetta.html#table-1", "row": None, "sentence": None}],
    "grounds": "evidence", "supported": True, "confidence": 0.9,
}  # fmt: skip


@pytest.fixture
def model(server: PageServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A model that stops in the middle of an answer until its gate is opened."""
    reset_learnt_capabilities()
    with OpenAIServer([reply(READING)], forever=True, pause=0.05, holds_at=30) as slow:
        monkeypatch.setenv("BACKTRAIL_READER", f"openai-compatible:loopback@{slow.url}")
        yield slow
    reset_learnt_capabilities()


def test_an_answer_is_read_while_it_is_written_also_after_a_reload(page: Page, model: OpenAIServer) -> None:
    page.goto("/ui")
    page.get_by_label("Your question").fill("When was Rosetta launched?")
    page.get_by_label("Method").select_option("bm25")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(re.compile("/ui/runs/"))
    written = page.get_by_label("The answer, as it is written")
    expect(written).to_contain_text(FIRST, timeout=20_000)
    expect(written).not_to_contain_text(LAST_SHOWN)
    keep(page, "words-desktop")
    page.reload()
    expect(written).to_contain_text(FIRST, timeout=20_000)
    model.gate.set()
    answer = page.get_by_label("Answer", exact=True)
    expect(answer).to_contain_text(LAST_SHOWN, timeout=20_000)
    expect(answer.locator("em")).to_have_text("Ariane 5G+")
    expect(written).to_have_count(0)
    answer.get_by_role("link", name="Source 1").click()
    expect(page.locator("li:target")).to_contain_text("Rosetta")
