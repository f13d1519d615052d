"""Blocks of generators: what they hold is read as Markdown, and their names are sections."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.discover import discover
from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.parse import parse


@pytest.fixture
def note(tmp_path):
    def parse_text(text, name="note.md"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return parse_markdown(path, name, tmp_path)

    return parse_text


def shown(parsed):
    return [
        (component.section, component.text or component.table or component.image) for component in parsed.components
    ]


def test_tables_in_tabs_are_tables(note):
    parsed = note(
        "# Set-up\n\n## Ports\n\n"
        '=== "Linux"\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n\n=== "`mac`"\n\n    Text.\n\nAfter.'
    )
    table, text, after = parsed.components
    assert (table.section, table.table.header, table.table.rows) == ("Ports > Linux", ("a", "b"), (("1", "2"),))
    assert (text.section, text.text) == ("Ports > mac", "Text.")
    assert (after.section, after.text) == ("Ports", "After.")


@pytest.mark.parametrize(
    ("text", "section", "body"),
    [
        ("!!! warning\n    Mind.", "Warning", "Mind."),
        ('??? note "Why *so*?"\n\n    Because.\n', "Why so?", "Because."),
        ("???+ tip inline end\n    Yes.", "Tip", "Yes."),
        ('!!! note ""\n    Plain.', "", "Plain."),
        (":::note\nBody.\n:::", "Note", "Body."),
        (":::tip[Use it]\nBody.\n:::", "Use it", "Body."),
        ("::: danger STOP\nBody.\n:::", "STOP", "Body."),
        ("::::{admonition} The `title`\n:class: dropdown\nBody.\n::::", "The title", "Body."),
        ("::: {.wide}\nBody.\n:::", "", "Body."),
        ("/// details | More\n    type: note\n\nBody.\n///", "More", "Body."),
        ("/// html | div.card\nBody.\n///", "", "Body."),
        ("> [!IMPORTANT]\n> Body.", "Important", "Body."),
        ('``` py title="app.py"\nx\n```', "app.py", "x"),
        ("```js [a.js]\nx\n```", "a.js", "x"),
    ],
)
def test_named_blocks(note, text, section, body):
    assert shown(note(text)) == [(section, body)]


def test_blocks_nest_and_keep_code_whole(note):
    parsed = note(
        '!!! note "Outer"\n    Text.\n\n    === "Tab"\n\n'
        "        ``` yaml\n        a: 1\n\n\n        b: 2\n        ```\n\nEnd."
    )
    assert shown(parsed) == [("Outer", "Text."), ("Outer > Tab", "a: 1\n\n\nb: 2"), ("", "End.")]


def test_headings_in_a_block_end_with_it(note):
    parsed = note(":::note[N]\n## In\nx\n:::\n\ny\n\n# Top\n\n!!! tip\n    ### Deep\n    z\n\nw")
    assert [section for section, _ in shown(parsed)] == ["N > In", "", "Tip > Deep", ""]


def test_in_a_list_the_name_is_a_line(note):
    assert shown(note("- item\n\n    !!! tip\n\n        Do.\n")) == [("", "item\nTip\nDo.")]


def test_a_block_without_a_body_says_its_name(note):
    assert shown(note('!!! note "All there is"\n\nText.')) == [("", "All there is"), ("", "Text.")]


def test_attribute_lists_are_no_text(note):
    parsed = note(
        "# Title { #top }\n\n## Part {: .cls #my-part }\n\n[a](b.md){ .button target=_blank } and `x`{.py}.\n\n"
        "A paragraph.\n{ .lead #lead }\n\n### Set {x, y}\n\nTail."
    )
    assert parsed.document.title == "Title"
    assert shown(parsed) == [("Part", "a and x."), ("Part", "A paragraph."), ("Part > Set {x, y}", "Tail.")]
    assert {"top", "my-part", "part", "lead"} <= parsed.fragments.keys()


def test_definition_lists_footnotes_tasks_and_icons(note):
    parsed = note(
        "Term\n:   Meaning[^1].\n\n- [x] done\n\n"
        "| a |\n|---|\n| :material-check: |\n| :octicons-tag-24: v1 |\n\n[^1]: Note."
    )
    terms, tasks, table, notes = parsed.components
    assert (terms.text, tasks.text, notes.text) == ("Term: Meaning[1].", "done", "Note.")
    assert table.table.rows == (("✓",), ("v1",))


def test_formulas_keep_their_signs_and_money_is_no_formula(note):
    parsed = note("Let $a_1 * b_2$ and $5 or $6.\n\n$$\nx_1 * y_2\n$$\n")
    assert [text.strip() for _, text in shown(parsed)] == ["Let $a_1 * b_2$ and $5 or $6.", "$$x_1 * y_2$$"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Only a second\n\nx", "Only a second"),
        ("Setext\n===\n\nx", "Setext"),
        ("## A\n\n# The `real` one\n\nx", "The real one"),
        ("<h1>Raw</h1>\n\n## B", "Raw"),
        ("x", "note"),
    ],
)
def test_titles_by_headings(note, text, title):
    assert note(text).document.title == title


def test_wiki_links_lead_to_pages_by_name(tmp_path, picture):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/Big Page.md").write_text("# Big Page\n\n## Part one\n\nx")
    (tmp_path / "deep/p.png").write_bytes(picture())
    (tmp_path / "a.md").write_text("See [[Big Page#Part one|there]], [[nowhere]], [[1, 2], [3]].\n\n![[p.png|300]]")
    parsed = {entry.document.id: entry for source in discover([tmp_path]) for entry in parse(source)}
    text, image = parsed["a.md"].components
    assert text.text == "See there, [[nowhere]], [[1, 2], [3]]."
    assert [(link.target, link.component) for link in text.links] == [("deep/Big Page.md", "part-one")]
    assert image.image.blob


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                '=== "T"',
                "!!! note",
                "    x",
                "        y",
                ":::a",
                ":::",
                "/// caption",
                "///",
                "- l",
                "",
                "| a |",
                "|---|",
                "> q",
                "```",
                "Term",
                ":   d",
                "# H {#i}",
                "$$",
                "[[x]]",
                "{.c}",
            ]
        ),
        max_size=40,
    )
)
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


def test_definitions_whose_term_is_put_in_by_a_hook(note):
    parsed = note(
        "#### <!-- md:setting config.enabled -->\n\n<!-- md:default none -->\n\n:   Says *whether*\n    it runs:\n\n"
        '    ``` yaml\n    a: 1\n    ```\n\n:   === "Tab"\n\n        Body.\n\n:   More.\n\nAfter.'
    )
    assert shown(parsed) == [
        ("config.enabled", "Says whether it runs:"),
        ("config.enabled", "a: 1"),
        ("config.enabled > Tab", "Body."),
        ("config.enabled", "More."),
        ("config.enabled", "After."),
    ]
    assert "config.enabled" in parsed.fragments


def test_fences_that_close_nothing_are_no_text(note):
    assert shown(note("a\n\n:::\n\nb\n\n///\n\nc :::")) == [("", "a"), ("", "b"), ("", "c :::")]


def test_ids_of_other_letters(note):
    parsed = note("# T\n\n## Part – two {#part-–-two}\n\nx")
    assert "part-–-two" in parsed.fragments
    assert parsed.components[0].section == "Part – two"


@pytest.mark.parametrize(
    "rest", ["- item", "  [x]: b.md", "# H", "> q", "| a |\n|---|\n| 1 |", "```\nc\n```", '=== "T"\n\n    b']
)
def test_what_follows_a_definition_is_not_lost(note, rest):
    parsed = note(f":   text\n{rest}\n\n[more][x]\n\n  [x]: b.md\n\n{rest}\n\nEnd.")
    assert "text" in parsed.components[0].text
    assert parsed.components[-1].text == "End."
    assert "b.md" in [link.target for part in parsed.components for link in part.links]


def test_code_in_a_list_keeps_its_lines_and_how_far_in_they_stand(tmp_path):
    (tmp_path / "a.md").write_text(
        "1. Row:\n\n   ```py\n   for oar in  oars:\n\n       dip(oar)\n   rest()\n   ```\n\n2. Rest `a  b`.\n\n"
        "> Or\n>\n>     x\n>       y\n"
    )
    parsed = parse_markdown(tmp_path / "a.md", "a.md", tmp_path)
    assert [part.text for part in parsed.components] == [
        "Row:\nfor oar in oars:\n    dip(oar)\nrest()\nRest a b.", "Or\nx\n  y",
    ]  # fmt: skip
