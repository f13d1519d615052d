"""The text of an answer as HTML: Markdown of models, text of rules, markers of sources; nothing else of a document."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessageChunk

from backtrail.nodes.reading.citation_locations import place
from backtrail.nodes.reading.citations import citation
from backtrail.nodes.streaming.answer_tokens import AnswerTokens
from backtrail.nodes.streaming.escape_markdown import prose, unescaped
from backtrail.server.ui.answer_markers import cited_quotes
from backtrail.server.ui.engine.protocol import Moment
from backtrail.server.ui.engine.run_progress import RunProgress
from backtrail.server.ui.markdown import answer_html, structure_html
from backtrail.server.ui.sources import Marked, _contents, mark, web_address
from backtrail.state.answer_decisions import CitedPiece, EvidenceText
from backtrail.state.chat.answer_payload import PAYLOAD_KEY
from backtrail.state.component import Component
from backtrail.state.settings import Settings

TAG = re.compile(r"<(/?)([a-z0-9]+)((?:\s[^<>]*)?)>")
TAGS = re.compile("p|br|em|strong|s|code|pre|ul|ol|li|blockquote|h[3-6]|hr|a|div|table|thead|tbody|tr|th|td")
ATTRIBUTES = re.compile(r'(?:\s(?:href|rel|target|class|aria-label|title|start|style|tabindex|role)="[^"]*")*')
MARKUP = st.lists(st.sampled_from([*"*_`[]()<>!#|\"'&\n\\ -1.a\ue000\ue001", "http://e.org", "javascript:x"]))


def html(text: str, *quotes: str, markdown: bool = True) -> str:
    return answer_html(text, dict(enumerate(quotes, 1)), markdown=markdown, anchor="s-")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Cause** of `E4`", "<strong>Cause</strong> of <code>E4</code>"),
        ("- one\n- two", "<li>one</li>\n<li>two</li>"),
        ("a\nb", "a<br>\nb"),
        ("# Title", "<h3>Title</h3>"),
        ("<b onclick='x()'>", "&lt;b onclick='x()'&gt;"),
        ("![a map](http://e.org/map.png)", "<p>a map</p>"),
        ("[on](javascript:x)", "[on](javascript:x)"),
        ("[on](/ui/sign-out)", "[on](/ui/sign-out)"),
        ("[on](http://e.org)", '<a href="http://e.org" rel="noreferrer noopener external nofollow" target="_blank">on'),
    ],
)
def test_markdown_of_a_model_is_shown_and_nothing_of_it_acts(text: str, shown: str) -> None:
    assert shown in html(text)


def test_text_of_a_document_is_no_markup() -> None:
    assert "4*5*6 = 120<br>\n# EUR &lt;b&gt;" in html("4*5*6 = 120\n# EUR <b>", markdown=False)


@pytest.mark.parametrize(
    ("text", "quotes", "marked"),
    [
        ("It is blue.", ["the sky is blue", "blue is a colour"], "It is blue. [1][2]"),
        ("Pumps fail. Valves leak.", ["a valve may leak", "pumps fail often"], "Pumps fail. [2] Valves leak. [1]"),
        ("Yes.", ["not one word is the same"], "Yes. [1]"),
        ("# Pumps\nThey fail.", ["pumps"], "Pumps\nThey fail. [1]"),
        ("A \ue0009\ue001 mark of its own.", [], "A 9 mark of its own."),
    ],
)
def test_a_marker_is_behind_the_sentence_that_shares_most_words(text: str, quotes: list[str], marked: str) -> None:
    found = html(text, *quotes)
    assert re.sub(r"<[^>]*>", "", found).strip() == marked
    assert [f'href="#s-{number}"' in found for number in range(1, len(quotes) + 1)] == [True] * len(quotes)


def cell(text: str, *citations: int) -> dict[str, Any]:
    return {"text": text, "citations": list(citations)}


@pytest.mark.parametrize(
    ("structure", "shown"),
    [
        ({"items": [cell("a *b* [1]", 2), cell("c")]}, "<li>a <em>b</em> [1] @2</li>\n<li>c</li>"),
        ({"table": {"columns": ["x"], "rows": [[cell("1 | 2", 1)]]}}, "<td>1 | 2 @1</td>"),
        ({"sections": [{"heading": "H", **cell("*t*", 1, 2)}]}, "<h3>H</h3>\n<p><em>t</em> @1 @2</p>"),
        ({"items": [cell("a *b* [1] <i>", 2)], "grounds": "quotes"}, "<li>a *b* [1] &lt;i&gt; @2</li>"),
        ({}, ""),
    ],
)
def test_items_tables_and_sections_lead_to_their_sources(structure: Any, shown: str) -> None:
    answer: Any = {"text": "T", "abstained": False, "citations": [], **structure}
    found = structure_html(answer, "s-")
    marked = re.sub(r'<a class="mark" href="#s-(\d+)" aria-label="Source \1">\[\1\]</a>', r"@\1", found)
    assert shown in marked
    assert bool(found) == bool(structure)


def test_the_text_is_marked_with_what_its_structure_does_not_cite() -> None:
    citations = [{"quote": "one"}, {"quote": "two"}]
    answer: Any = {"text": "T", "abstained": False, "citations": citations, "items": [cell("a [1]", 2)]}
    assert cited_quotes(answer) == {1: "one"}


@given(MARKUP, st.booleans())
def test_whatever_is_written_only_known_tags_and_attributes_come_of_it(pieces: list[str], markdown: bool) -> None:
    found = html("".join(pieces), "a quote", markdown=markdown)
    for _, tag, attributes in TAG.findall(found):
        assert TAGS.fullmatch(tag)
        assert ATTRIBUTES.fullmatch(attributes.removesuffix(" /")), attributes
        assert all(one.startswith(("#s-", "http")) for one in re.findall(r'href="([^"]*)"', attributes))
    assert "<" not in TAG.sub("", found)


@pytest.mark.parametrize(
    ("url", "leads_to"),
    [
        ("https://example.org/a?b#c", "https://example.org/a?b#c"), ("http://example.org", "http://example.org"),
        ("javascript:alert(1)", ""), ("javascript://example.org/%0aalert(1)", ""), ("data:text/html,x", ""),
        ("http:///etc/passwd", ""), ("notes/a.md", ""), ("http://[", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_link_leads_to_addresses_of_the_web_alone(url: str, leads_to: str) -> None:
    assert web_address(url) == leads_to


def test_the_cited_sentence_is_marked_however_its_lines_break() -> None:
    text = "It is old. It opened in 1902. It is long."
    marked = [Marked("It is old. "), Marked("It opened in 1902.", cited=True), Marked(" It is long.")]
    assert mark(text, "It opened in 1902.") == mark(text, "It opened\n in 1902.") == marked
    assert mark(text, "") == mark(text, "It closed.") == [Marked(text)]


@pytest.mark.parametrize("first_row", [None, 2, 40])
def test_a_row_has_one_number(first_row: int | None) -> None:
    cells = [[f"moon {number}", str(number)] for number in range(20)]
    held: dict[str, Any] = {
        "id": "moons#0", "document": "moons", "modality": "table", "position": 0,
        "table": {"header": ["name", "size"], "rows": cells}, "locator": {"first_row": first_row},
    }  # fmt: skip
    component = Component.model_validate(held)
    text = EvidenceText(id="moons#0", modality="table", title="Moons", header=["name", "size"], rows=cells, score=1.0)
    cited = citation(CitedPiece(component="moons#0", row=12), component, None, text)
    shown = _contents(component, cited, None, None, "tiny")  # type: ignore[arg-type]
    [row] = [row for row in shown["rows"] if row.cited]
    assert list(row.cells) == cells[12]
    assert place("table", cited["locator"]) == f"table, row {row.number}"


def test_all_rows_of_a_computation_are_marked_and_no_others() -> None:
    rows = tuple((f"moon {number}",) for number in range(300))
    table = {"header": ("name",), "rows": rows}
    held: dict[str, Any] = {"id": "m#0", "document": "m", "modality": "table", "position": 0, "table": table}
    cited: Any = {"component": "m#0", "document": "m", "locator": {"rows": [[3, 4], [200, 200]]}, "quote": ""}
    shown = _contents(Component.model_validate(held), cited, None, None, "tiny")  # type: ignore[arg-type]
    assert [(row.number, row.cited) for row in shown["rows"]] == [(4, True), (5, True), (201, True)]
    assert shown["rows_left"] == 297
    assert place("table", cited["locator"]) == "table, rows 4–5, 201"


TEXT = "1. It *was* launched on 2 March:\nsee www.example.org & <b>"
TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
AT = {"langgraph_node": "answer"}


def growing() -> RunProgress:
    return RunProgress(Moment("bm25", Settings()), begun=True)


def pieces(text: str) -> list[AIMessageChunk]:
    pieces: list[Any] = []
    aloud = AnswerTokens("answer-1", pieces.append)
    for end in range(1, len(text) + 1):
        aloud.say(text[:end])
    return pieces


@pytest.mark.parametrize("over_http", [False, True])
def test_words_grow_and_are_plain(over_http: bool) -> None:
    run, seen = growing(), []
    for piece in pieces(TEXT):
        message: Any = piece.model_dump() if over_http else piece
        assert run.take("messages", [message, AT] if over_http else (message, AT))
        seen.append(run.moment.answer_text)
    assert seen[-1] == TEXT
    assert all(TEXT.startswith(words.removesuffix("\\")) for words in seen)
    whole = {"id": "answer-1", "content": "x", "additional_kwargs": {PAYLOAD_KEY: {"text": "Another text."}}}
    assert run.take("messages", (whole, AT))
    assert run.moment.answer_text == "Another text."


def test_who_came_late_is_told_that_something_is_lacking() -> None:
    run = growing()
    for piece in pieces("set down. ")[1:]:
        run.take("messages", (piece, AT))
    assert run.moment.answer_text == "… down."


@pytest.mark.parametrize("chunk", [None, [], ["x", {}], [{"id": "run-1", "content": "draft"}, AT], [{}, {}], [1, 2]])
def test_other_messages_are_no_words(chunk: Any) -> None:
    run = growing()
    assert not run.take("messages", chunk)
    assert run.moment.answer_text == ""


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_what_is_escaped_comes_back_but_for_its_spaces(text: str) -> None:
    assert "".join(unescaped(prose(text)).split()) == "".join(text.translate(TURNING).split())
