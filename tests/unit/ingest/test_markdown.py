"""Pages of Markdown, and the blocks of generators and notes in them."""

import pytest
from fixtures.parsed import shown, tables, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.markdown import bounded_marks
from backtrail.ingest.markdown.bounded_marks import OF_PAGE, OF_PARAGRAPH
from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.sites.page_heads import read_head


def test_everything_that_a_page_has(note, picture, tmp_path):
    (tmp_path / "p q.png").write_bytes(picture())
    parsed = note(
        "# Rivers\n\nText with [a link](../other.md#some-part) and `code`.\n\n## The *Big* ones!\n\n"
        '| Name | km |\n|---|---|\n| [Nile](nile.md) | 6650 |\n\n![Delta](<../p q.png> "Ti")\n\n- one\n- two\n\n'
        "<p id=raw>raw <b>html</b></p>\n\n## The Big ones!\n\n```\nx = 1\n```\n",
        "docs/note.md",
    )
    text, table, image, _, raw, code = parsed.components
    assert parsed.document.title == "Rivers"
    big = "The Big ones!"
    assert shown(parsed) == [
        ("", "Text with a link and code."), (big, (("Name", "km"), ("Nile", "6650"))), (big, "Delta"),
        (big, "one\ntwo"), (big, "raw html"), (big, "x = 1"),
    ]  # fmt: skip
    assert [(link.target, link.component) for link in text.links] == [("other.md", "some-part")]
    assert [(link.target, link.row, link.column) for link in table.links] == [("docs/nile.md", 0, 0)]
    assert image.image.title == "Ti"
    assert image.image.blob in parsed.blobs
    assert raw.id == "docs/note.md#raw"
    assert parsed.fragments["the-big-ones"] == table.id
    assert parsed.fragments["the-big-ones-1"] == code.id


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('---\ntags: [a]\ntitle: "From: front"\n---\n# Head\n\nx', "From: front"),
        ("---\r\ntitle: Plain\r\n---\r\nx", "Plain"),
        ("+++\ntitle = 'Toml'\n+++\nx", "Toml"),
        ("---\n\ntitle: no front matter, a rule", "note"),
        ("## A\n\n# The `real` one\n\nx", "The real one"),
    ],
)
def test_titles(note, text, title):
    assert note(text).document.title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Of ash.\n\n## Blades\n\nx\n\n# Oars\n", "Oars"),
        ("<!-- a remark -->\n![](a.png)\n\n### Long oars\n\nx", "Long oars"),
        ("Oars\n====\n\n## Blades\n\nx", "Oars"),
    ],
)
def test_a_heading_names_the_page_and_links_that_lead_to_it(note, tmp_path, text, title):
    assert note(text).document.title == read_head(tmp_path / "note.md").title == title


def test_front_matter_is_no_text_but_for_its_author(note):
    assert texts(note("---\ntitle: T\ntags: [a]\n---\nbody")) == ["body"]
    parsed = note('---\ntitle: T\nauthor: "[Ann](https://e.org), Bo"\ndate: 2025-12-17\n---\nbody\n\n## Part\n\nend')
    assert shown(parsed) == [("", "body"), ("Part", "end"), ("", "By Ann, Bo, 2025-12-17")]
    assert parsed.document.summary.startswith("T. body")


def test_paragraphs_and_pages_of_very_many_links_keep_their_words_and_say_what_is_left_out(note, monkeypatch):
    parsed = note("Before [one](b.md).\n\n" + "[pump](b.md) " * (OF_PARAGRAPH + 1))
    first, second = parsed.components
    assert [link.target for link in first.links] == ["b.md"]
    assert second.links == ()
    assert second.text == " ".join(["pump"] * (OF_PARAGRAPH + 1))
    assert parsed.left_out == {"marks of a paragraph with more than 20,000": 1}
    monkeypatch.setattr(bounded_marks, "OF_PARAGRAPH", OF_PARAGRAPH // 100)
    monkeypatch.setattr(bounded_marks, "OF_PAGE", OF_PAGE // 100)
    paragraphs = OF_PAGE // OF_PARAGRAPH + 2
    parsed = note("\n\n".join("[a](b.md) " * (OF_PARAGRAPH // 100) for _ in range(paragraphs)))
    assert [bool(one.links) for one in parsed.components] == [True] * (paragraphs - 2) + [False] * 2


ROWS = "| a |\n|---|\n| 1 |\n"
LONG = "Table 2 shows what we found; it is long. " * 12


@pytest.mark.parametrize(
    ("text", "captions", "rest"),
    [
        (f"Table 3-1: One\n\n{ROWS}\n\nTable 3-2: Two\n\n{ROWS}\n\nT.", ["Table 3-1: One", "Table 3-2: Two"], ["T."]),
        (f"T.\n\n{ROWS}\n\nTable 1. One\n\n{ROWS}\n\nTable 2. Two\n", ["Table 1. One", "Table 2. Two"], ["T."]),
        (f"Tabelle 4: Größen\n\n{ROWS}", ["Tabelle 4: Größen"], []),
        (f"{LONG}\n\n{ROWS}", [""], [LONG.strip()]),
        (f"The table below lists\n\n{ROWS}", [""], ["The table below lists"]),
    ],
)
def test_captions_of_tables_stand_above_or_below_them(note, text, captions, rest):
    parsed = note(text)
    assert ([table.caption for table in tables(parsed)], texts(parsed)) == (captions, rest)


READ = {
    "warning": ("!!! warning\n    Mind.", [("Warning", "Mind.")]),
    "colons with a name in brackets": (":::tip[Use it]\nBody.\n:::", [("Use it", "Body.")]),
    "Pandoc": ("::: {.wide}\nBody.\n:::", [("", "Body.")]),
    "slashes": ("/// details | More\n    type: note\n\nBody.\n///", [("More", "Body.")]),
    "slashes with a version": ("/// added | v2.11\nBody.\n///", [("v2.11", "Body.")]),
    "Obsidian, folded": ("> [!tip]- Fold *me*\n> Body.", [("Fold *me*", "Body.")]),
    "no callout": ("> [link] text", [("", "[link] text")]),
    "title of code": ('``` py title="app.py"\nx\n```', [("app.py", "x")]),
    "tables in tabs": (
        '## Ports\n\n=== "Linux"\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n\n=== "`mac`"\n\n    Text.\n\nAfter.',
        [("Ports > Linux", (("a", "b"), ("1", "2"))), ("Ports > mac", "Text."), ("Ports", "After.")],
    ),
    "nested, with code": (
        '!!! note "Outer"\n    Text.\n\n    === "Tab"\n\n'
        "        ``` yaml\n        a: 1\n\n\n        b: 2\n        ```\n\nEnd.",
        [("Outer", "Text."), ("Outer > Tab", "a: 1\n\n\nb: 2"), ("", "End.")],
    ),
    "definitions, footnotes and tasks": (
        "Term\n:   Meaning[^1].\n\n- [x] done\n\n[^1]: Note.",
        [("", "Term: Meaning[1]."), ("", "done"), ("", "Note.")],
    ),
    "code in a list and a quote": (
        "1. Row:\n\n   ```py\n   for oar in  oars:\n\n       dip(oar)\n   rest()\n   ```\n\n2. Rest `a  b`.\n\n"
        "> Or\n>\n>     x\n>       y\n",
        [("", "Row:\nfor oar in oars:\n    dip(oar)\nrest()\nRest a b."), ("", "Or\nx\n  y")],
    ),
}


@pytest.mark.parametrize(("text", "found"), READ.values(), ids=READ)
def test_what_is_read_of_a_block(note, text, found):
    assert shown(note(text)) == found


def test_formulas_keep_their_signs(note):
    assert [text.strip() for text in texts(note("$$\nx_1 * y_2\n$$\n"))] == ["$$x_1 * y_2$$"]


def test_attribute_lists_are_no_text(note):
    parsed = note(
        "# Title { id=top }\n\n## Part – a {: .cls #my-–-part }\n\n"
        "[a](b.md){ .button target=_blank } and `x`{.py}, `y`{, z}.\n\n"
        "A paragraph.\n{ .lead #0.1 }\n\n### Set {x, y}\n\nTail."
    )
    assert parsed.document.title == "Title"
    part = "Part – a"
    assert shown(parsed) == [(part, "a and x, y{, z}."), (part, "A paragraph."), (f"{part} > Set {{x, y}}", "Tail.")]
    assert {"top", "my-–-part", "0.1"} <= parsed.fragments.keys()


LINES = (
    '=== "T"', "!!! note", "    x", "        y", ":::a", ":::", "/// caption", "///", "- l", "", "| a |", "|---|",
    "> q", "```", "Term", ":   d", "# H {#i}", "$$", "[[x]]", "{.c}",
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(st.sampled_from(LINES), max_size=40))
def test_no_mixture_of_blocks_breaks_the_reader(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("mixed") / "x.md"
    path.write_text("word\n" + "\n".join(lines))
    parsed = parse_markdown(path, "x.md", path.parent)
    assert parsed.components
    assert [component.position for component in parsed.components] == list(range(len(parsed.components)))


def test_bare_addresses_are_links(note):
    parsed = note(
        "See https://e.org/a_(b), (www.e.org/c). `https://no.org` [x](https://e.org/d) <https://e.org/f> a://b."
    )
    (text,) = parsed.components
    assert [(link.target, link.anchor) for link in text.links] == [
        ("https://e.org/a_(b)", "https://e.org/a_(b)"),
        ("https://www.e.org/c", "www.e.org/c"),
        ("https://e.org/d", "x"),
        ("https://e.org/f", "https://e.org/f"),
    ]
