"""Blocks of generators and notes: what they hold is read as Markdown, and their names are sections."""

import pytest
from fixtures.parsed import shown, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.markdown.parse import parse_markdown

READ = {
    "warning": ("!!! warning\n    Mind.", [("Warning", "Mind.")]),
    "colons with a name in brackets": (":::tip[Use it]\nBody.\n:::", [("Use it", "Body.")]),
    "Pandoc": ("::: {.wide}\nBody.\n:::", [("", "Body.")]),
    "slashes": ("/// details | More\n    type: note\n\nBody.\n///", [("More", "Body.")]),
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
    "definitions, footnotes, tasks and icons": (
        "Term\n:   Meaning[^1].\n\n- [x] done\n\n"
        "| a |\n|---|\n| :material-check: |\n| :octicons-tag-24: v1 |\n\n[^1]: Note.",
        [("", "Term: Meaning[1]."), ("", "done"), ("", (("a",), ("✓",), ("v1",))), ("", "Note.")],
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
