"""The text of an answer as HTML: Markdown of models, text of rules, markers of sources; nothing else of a document."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.server.ui.answer_markers import cited_quotes
from backtrail.server.ui.markdown import answer_html, structure_html

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
