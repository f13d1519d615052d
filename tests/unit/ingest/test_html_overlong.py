"""Lists, quotes and code that are too long for search to read: parts of some items or lines, whose places are found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.html.overlong import LONG, PART, parts_of

CODE = "\n\n".join(f"def step_{n}():\n    before = 1\n\n    return {n}" for n in range(300))


@pytest.mark.parametrize(
    ("markup", "item"),
    [
        (
            "<ol>{}</ol>",
            '<li id="i{n}">Reference {n} of the list, with <a href="https://a.example/{n}">its page</a></li>',
        ),
        ("<blockquote>{}</blockquote>", '<p id="i{n}">Reference {n} of whom they all have some words to say.</p>'),
    ],
    ids=["list", "quote"],
)
def test_overlong_blocks_are_divided_between_their_items(page, markup, item):
    items = "".join(item.replace("{n}", str(n)) for n in range(400))
    parsed = page(f"<h2>Notes</h2>{markup.format(items)}<p>End</p>")
    *parts, end = parsed.components
    assert len(parts) > 5
    assert end.text == "End"
    assert {part.section for part in parts} == {"Notes"}
    assert all(PART // 2 <= len(part.text) <= PART for part in parts[:-1])
    said = re.findall(r"eference (\d+) ", "\n".join(part.text for part in parts))
    assert said == [str(n) for n in range(400)], "nothing is lost, and the order stays"
    for n in (0, 123, 399):
        (held,) = [part for part in parts if f"eference {n} " in part.text]
        assert parsed.fragments[f"i{n}"] == held.id, "a link to an item leads to the part that holds it"
        assert f"https://a.example/{n}" in [link.target for link in held.links] or "a.example" not in item
    assert len(page(markup.format("".join(item.replace("{n}", str(n)) for n in range(40)))).components) == 1


def test_a_glossary_stays_whole(page):
    terms = "".join(f"<dt>Term {n}</dt><dd>What it means, in some more words than one or two.</dd>" for n in range(400))
    assert len(page(f"<dl>{terms}</dl>").components) == 1


def test_overlong_code_is_divided_at_its_blank_lines(page):
    parts = [part.text for part in page(f"<pre>{CODE}</pre>").components]
    assert len(parts) > 5
    assert "\n\n".join(parts) == CODE
    assert all(part.startswith("def ") for part in parts)
    assert len(page(f"<pre>{CODE[:LONG]}</pre>").components) == 1


@given(st.lists(st.text("ab \n", max_size=300), max_size=120).map("\n".join))
@settings(max_examples=40, deadline=None)
def test_no_line_is_lost_or_cut(text):
    parts = [*parts_of(text)]
    assert "\n".join(parts) == text
    assert len(parts) == 1 or all(len(part) <= 2 * PART for part in parts)
