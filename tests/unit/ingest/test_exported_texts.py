"""Texts that pages of MDX hold in values of JavaScript: where a component shows them, they are text of the page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.markdown.exported.literals import value_of
from backtrail.ingest.markdown.exported.shown_values import ShownValues
from backtrail.ingest.markdown.exported.statements import exported_values
from backtrail.ingest.markdown.parse import parse_markdown

FAQ = """import { Asked } from "/src/Asked";
export const Faq = {
  boats: [
    {
      title:
        "Can a boat's keel be mended?",
      content: `Yes, it can. See [the yard](https://e.org/yard).

Bring **two** people.`, // both adults
    },
    { title: 'Who may sail?', content: "Anyone over " + "twelve.", id: "who-may-sail" },
  ],
  sails: [{ question: "How large?", answer: <p>Some <b>nine</b> yards, don't trust {others}.</p> }],
};
export const year = 1911;

<FaqStructuredData faqs={Faq} />

## Boats

<Asked rows={Faq.boats} />

## Sails

<Asked rows={Faq.sails} kind="big" />

Since {year}.
"""


@pytest.fixture
def read(tmp_path):
    def parse(text, name="page.mdx"):
        (tmp_path / name).write_text(text)
        return parse_markdown(tmp_path / name, name, tmp_path)

    return parse


def shown(parsed):
    return [(part.section, part.text) for part in parsed.components]


def test_questions_of_an_exported_object_stand_where_a_component_shows_them(read):
    page = read(FAQ)
    assert shown(page) == [
        ("Boats > Can a boat's keel be mended?", "Yes, it can. See the yard."),
        ("Boats > Can a boat's keel be mended?", "Bring two people."),
        ("Boats > Who may sail?", "Anyone over twelve."),
        ("Sails > How large?", "Some nine yards, don't trust ."),
        ("Sails", "Since 1911."),
    ]
    assert page.components[0].links[0].target == "https://e.org/yard"
    assert page.skipped == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('<Cards items={[{title: "Oars", href: "/oars"}, {title: "Ropes are long", text: "Very."}]} />',
         [("", "Oars"), ("Ropes are long", "Very.")]),
        ('<List rows={["tie the rope", "let it go"]} />', [("", "tie the rope\nlet it go")]),
        ('export const all = [{q: "Why so?", a: "It is."}];\n\n{all.map((one) => (<li>{one.q}</li>))}',
         [("Why so?", "It is.")]),
        ('export const all = [{q: "Why so?", a: "It is."}];\n'
         'export function Asked() {\n  const x = 1;\n\n  return all.map(o => <p>{o.q}</p>);\n}\n\n<Asked />',
         [("Why so?", "It is.")]),
        ('<Tabs values={[{label: "On a lake", value: "lake"}]}>\n<TabItem value="lake">\n\nRow.\n\n</TabItem>\n</Tabs>',
         [("On a lake", "Row.")]),
        ('export const where = "the lake";\n\nRow on {where}.', [("", "Row on the lake.")]),
        ('<Box style={{color: "dark red"}} onClick={() => go("far away")} />', []),
    ],
)  # fmt: skip
def test_values_however_they_are_handed_over(read, written, expected):
    assert shown(read(f'import X from "./x"\n\n{written}\n')) == expected


def test_plain_entries_are_a_table(read):
    rows = '[{name: "oar", weight: 4, type: "wood", icon: "o"}, {name: "mast", weight: 90, type: "wood"}]'
    (part,) = read(f'import X from "./x"\n\n<Parts rows={{{rows}}} />\n').components
    assert part.table.header == ("name", "weight", "type")
    assert part.table.rows == (("oar", "4", "wood"), ("mast", "90", "wood"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("asked__json", '[{"question": "Is it deep?", "answer": "Nine fathoms."}]'),
        ("asked__js", "const asked = [{question: 'Is it deep?', answer: 'Nine fathoms.'}];\nexport default asked;"),
    ],
)
def test_values_of_a_file_beside_the_page(tmp_path, name, content):
    from backtrail.ingest.discover import discover
    from backtrail.ingest.parse import parse

    name = name.replace("__", ".")
    (tmp_path / name).write_text(content)
    (tmp_path / "page.mdx").write_text(f'import asked from "./{name}";\n\n# A\n\n<Asked rows={{asked}} />\n')
    (page,) = [one for source in discover([tmp_path]) for one in parse(source) if one.document.id == "page.mdx"]
    assert shown(page) == [("Is it deep?", "Nine fathoms.")]


def test_a_page_that_came_out_almost_empty_says_so(read):
    code = "export function Show() {\n" + "  draw(a, b);\n" * 300 + "}\n"
    page = read(f"# Drawn\n\n{code}\n\nA few words.\n\n<Show />\n")
    assert [part.text for part in page.components] == ["A few words."]
    assert "less than a twentieth" in page.skipped[0].reason
    assert read("# Drawn\n\nA few words.\n\n<Show />\n").skipped == []


def test_values_with_what_only_a_run_would_give():
    code = (
        """{a: f("x", {b: 1}), 'b c': [1, -2.5, ...more, x => y], d: `${n} m`, e: ("y"), """
        """f() { return "no" }, g: 'it\\'s'}"""
    )
    assert value_of(code, {"more": ["z"], "n": "3"}) == {
        "a": None, "b c": ["1", "-2.5", "z", None], "d": "3 m", "e": "y", "g": "it's",
    }  # fmt: skip
    assert value_of("{a: " * 100) is not False


@settings(deadline=None)
@given(st.text(alphabet="{}[]()<>/\"'`,:;=+. \nab$export const", max_size=80))
def test_no_code_breaks_the_reading(code):
    exported_values(f"export const x = {code}", {})
    value_of(code)


def test_values_that_double_each_other_are_bounded():
    value = {"title": "Once", "text": "and again"}
    for _ in range(40):
        value = {"a": value, "b": value}
    page = ShownValues(str)
    assert 0 < page.of(value).count("and again") < 20_000
    assert page.is_full
