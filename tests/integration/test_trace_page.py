"""The page that the server shows of a run: what trace shows, with nothing that a run retrieved taken for markup."""

import re
import uuid
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from fixtures import scripted_cogplanner, scripted_hm_rag, scripted_mmapg, scripted_vqa
from fixtures.scripted_searches import ScriptedSearches, stored_picture
from starlette.testclient import TestClient

from backtrail.cli.commands.run_graph import Progress, Run, compiled, drive
from backtrail.server.ui.local_app import app
from backtrail.state.settings import Settings
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.toolbox import Toolbox

pytestmark = pytest.mark.usefixtures("in_few_home")

HOSTILE = '</title></svg><script>alert(1)</script><img src=x onerror="alert(2)"> & "quoted"'
TAGS = {
    "html", "head", "meta", "title", "link", "script", "body", "a", "header", "nav", "main", "article", "section",
    "aside", "details", "summary", "h1", "h2", "h3", "div", "span", "b", "i", "p", "ol", "ul", "li", "dl", "dt", "dd",
    "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "blockquote", "mark", "figure", "figcaption",
    "img", "code", "form", "label", "input", "button", "textarea", "svg", "g", "rect", "path", "circle", "text",
}  # fmt: skip
"""Every tag of the page and of the drawing."""


class Tags(HTMLParser):
    """Collects tags, attributes and text of a page as a browser would read it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words += f" {data}"

    @property
    def text(self) -> str:
        return " ".join(self.words.split())


async def page_of(method: str, toolbox: Toolbox, settings: Settings, asked: dict[str, Any]) -> str:
    """The page of a new run, by a request to the app."""
    run = Run(str(uuid.uuid4()), method, settings)
    async with open_checkpoints() as saver:
        await drive(compiled(run, toolbox, saver), run, asked, Progress(shown=False, toolbox=toolbox))
    with TestClient(app(), "http://localhost", client=("127.0.0.1", 1)) as client:
        assert client.get("/ui/runs/none").status_code == 404
        answer = client.get(f"/ui/runs/{run.thread}")
    assert answer.status_code == 200
    assert "script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
    assert Tags(answer.text).tags <= TAGS
    assert re.findall(r"<script[^>]*>[^<]*", answer.text) == ['<script src="/ui/static/ui.js" type="module">']
    return answer.text


async def test_a_planning_graph_is_drawn_and_written_out() -> None:
    toolbox, _ = scripted_mmapg.scripted_toolbox()
    page = await page_of("mmapg", toolbox, scripted_mmapg.SETTINGS, {"question": scripted_mmapg.QUESTION})
    [drawing] = re.findall(r"<svg xmlns.*^</svg>", page, re.DOTALL | re.MULTILINE)
    assert len(ElementTree.fromstring(drawing).findall(".//{*}g/{*}rect")) == len(scripted_mmapg.STATUSES)
    text = Tags(page).text
    assert "n1 ✗ retrieval Zzyzx qwertz turn 1, from n0" in text
    assert "n5 ✓ retrieval Urania bridge designed turn 5, from n3 how along the links of its sources" in text
    assert "9 nodes, 2 dead ends, 2 of them recovered from" in text
    assert "turns 1 to 8" in text


async def test_what_is_written_into_a_planning_graph_is_no_markup() -> None:
    planned = [[scripted_mmapg.retrieval(HOSTILE, "n0")], [scripted_mmapg.answer(HOSTILE, "n0")], [scripted_mmapg.STOP]]
    script: dict[str, Callable[[Any], Any]] = {
        "mmapg_plan": scripted_mmapg.planned(planned),
        "answer": lambda inputs: {"answer": HOSTILE, "citations": [], "supported": False, "confidence": 0.0},
    }
    toolbox, _ = scripted_mmapg.scripted_toolbox(script=script)
    page = await page_of("mmapg", toolbox, scripted_mmapg.SETTINGS, {"question": HOSTILE})
    assert not {name for name in Tags(page).attributes if name.startswith("on")}
    assert "alert(1)" in Tags(page).text  # shown as the words they are


async def test_sources_and_their_vote_are_shown() -> None:
    toolbox, _ = scripted_hm_rag.scripted_toolbox()
    page = await page_of("hm_rag", toolbox, scripted_hm_rag.SETTINGS, {"question": scripted_hm_rag.QUESTION})
    text = Tags(page).text
    assert "● web Otto Wagner; 1947 confidence 0.80" in text
    assert "in short Josef Hackhofer; 1931" in text
    assert "vector – graph agree 1.00 1.00 1.00" in text
    assert "Vote agreed vector and graph agree" in text


async def test_rounds_are_shown_with_their_searches() -> None:
    pages = {**scripted_cogplanner.PAGES, scripted_cogplanner.ARCHITECT: [HOSTILE]}
    toolbox, _, _ = scripted_cogplanner.scripted_toolbox(searches=ScriptedSearches(pages, scripted_cogplanner.PICTURES))
    asked = {"question": scripted_cogplanner.QUESTION, "image": stored_picture(7)}
    text = Tags(await page_of("cogplanner", toolbox, scripted_cogplanner.settings_for(), asked)).text
    assert "2 text search Orvane Bridge architect; Orvane Bridge opening year why after 1 scripted ✓ text Orv" in text
    assert "Searches" not in text  # each stands in its round


async def test_the_path_and_searches_without_rounds_are_shown() -> None:
    toolbox, _, _ = scripted_vqa.scripted_toolbox()
    asked = {"question": scripted_vqa.QUESTION, "image": stored_picture(7)}
    text = Tags(await page_of("vqa_planner", toolbox, scripted_vqa.SETTINGS, asked)).text
    assert "Path D picture, then text search (c4)" in text
    assert f"✓ text {scripted_vqa.GOLD}" in text
    text = Tags(await page_of("omnisearch", toolbox, scripted_vqa.SETTINGS, asked)).text
    assert "Turns 1 search by picture Which bridge is this? thought Which bridge? ✓ images by the picture" in text
