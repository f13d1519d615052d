"""What is too long, too wide or has too much in it: lists and code are divided, spans and attributes bounded."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.html.grid import MAX_COLUMNS, Span, resolve_grid
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.split_long_blocks import LONG, PART, parts_of
from backtrail.tools.web.bound_attributes import bound_attributes

CODE = "\n\n".join(f"def step_{n}():\n    before = 1\n\n    return {n}" for n in range(300))
ITEM = '<{} id="i{n}">Reference {n} of the list, with <a href="https://a.example/{n}">its page</a></{}>'


@pytest.mark.parametrize(("block", "item"), [("ol", "li"), ("blockquote", "p")])
def test_overlong_blocks_are_divided_between_their_items(page, block, item):
    def markup(count):
        return f"<{block}>{''.join(ITEM.format(item, item, n=n) for n in range(count))}</{block}>"

    parsed = page(f"<h2>Notes</h2>{markup(400)}<p>End</p>")
    *parts, end = parsed.components
    assert len(parts) > 5
    assert end.text == "End"
    assert {part.section for part in parts} == {"Notes"}
    assert all(PART // 2 <= len(part.text) <= PART for part in parts[:-1])
    said = re.findall(r"Reference (\d+) ", "\n".join(part.text for part in parts))
    assert said == [str(n) for n in range(400)], "nothing is lost, and the order stays"
    for n in (0, 123, 399):
        (held,) = [part for part in parts if f"Reference {n} " in part.text]
        assert parsed.fragments[f"i{n}"] == held.id, "a link to an item leads to the part that holds it"
        assert f"https://a.example/{n}" in [link.target for link in held.links]
    assert len(page(markup(40)).components) == 1
    assert len(page(f"<dl>{'<dt>Term</dt><dd>What it means, in some words.</dd>' * 600}</dl>").components) == 1


def test_overlong_code_is_divided_at_its_blank_lines(page):
    parts = [part.text for part in page(f"<pre>{CODE}</pre>").components]
    assert len(parts) > 5
    assert "\n\n".join(parts) == CODE
    assert all(part.startswith("def ") for part in parts)
    assert len(page(f"<pre>{CODE[:LONG]}</pre>").components) == 1


@given(st.lists(st.text("ab \n", max_size=300), max_size=120).map("\n".join))
@settings(max_examples=40)
def test_no_line_is_lost_or_cut(text):
    parts = [*parts_of(text)]
    assert "\n".join(parts) == text
    assert len(parts) == 1 or all(len(part) <= 2 * PART for part in parts)


def test_a_page_is_read_whatever_its_tags_have_and_what_they_lost_is_said() -> None:
    many = " ".join(f"b{number}='>'" for number in range(300))
    tree, losses = parse_markup(f"<body><p id=here {many} class=x>last</p><p>end</p></body>")
    first, last = tree.iter("p")
    assert (first.get("id"), first.get("b254"), first.get("b255"), first.text, last.text) == (
        "here", ">", None, "last", "end",
    )  # fmt: skip
    assert losses == ["attributes beyond 256 of one tag were left out (tags: 1)"]


@given(st.lists(st.sampled_from(["<a b='c>'>", '<p ">', "five words of a text ", "it's ", '"', "</a>", "a < b"])))
def test_tags_of_pages_are_told_apart_and_left_alone(parts: list[str]) -> None:
    markup = "".join(parts * 300)
    assert bound_attributes(markup) == (markup, 0)


spans = st.builds(Span, st.integers(1, 1200) | st.integers(1, 4), st.integers(0, 70000) | st.integers(0, 4))


@given(st.lists(st.lists(spans, max_size=5), max_size=6), st.randoms())
def test_any_spans_resolve_to_a_rectangle_in_which_every_cell_stands(rows, random):
    groups = sorted(random.randrange(3) for _ in rows)
    grid = resolve_grid(rows, groups)
    assert len(grid) == len(rows)
    assert len({len(row) for row in grid}) <= 1
    assert all(len(row) <= MAX_COLUMNS for row in grid)
    placed = {slot for row in grid for slot in row if slot is not None}
    count = sum(map(len, rows))
    assert placed <= set(range(count))
    # a cell can only be lost beyond the last column that a row may have
    assert len(placed) == count or any(span.columns > 100 for row in rows for span in row)
