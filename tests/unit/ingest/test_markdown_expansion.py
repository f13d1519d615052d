"""Inclusion, marks, directives and components: what stands between them is read, the rest counted and named."""

import pytest
from fixtures.parsed import shown, targets, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{{% alert title="Mind" color="warning" %}}\nGaps **matter**.\n{{% /alert %}}', [("Mind", "Gaps matter.")]),
        ('{% hint style="danger" %}\nMind *it*.\n{% endhint %}', [("Danger", "Mind it.")]),
        (
            '{{< tabs >}}\n{{< tab "mac" >}}\nA\n{{< /tab >}}\n{{< tab >}}\nB\n{{< /tab >}}\n{{< /tabs >}}',
            [("mac", "A"), ("", "B")],
        ),
        ("{% highlight sh %}\n# no heading\n{% endhighlight %}", [("", "# no heading")]),
        ("```\n{% x %} {{< y >}}\n```", [("", "{% x %} {{< y >}}")]),
        ('<Tabs>\n<TabItem value="l" label="Linux">\n\nRow.\n\n</TabItem>\n</Tabs>', [("Linux", "Row.")]),
        (
            "A[^1].\n\n```{note}\nB [c][d].\n```\n\n[d]: e.md\n\n[^1]: Foot.\n",
            [("", "A[1]."), ("Note", "B c."), ("", "Foot.")],
        ),
        ("````{tab-set}\n```{tab-item} One\nFirst\n```\n````", [("One", "First")]),
    ],
)
def test_what_unknown_syntax_holds_is_read_under_its_title(site, written, said):
    assert shown(site({"a.md": written})["a.md"]) == said


@pytest.mark.parametrize(
    ("written", "said", "counted"),
    [
        ('Ask in {% channel "garden" %}.', "Ask in garden.", "tag channel (its arguments are shown)"),
        ("In {{< param release >}}.", "In v3.6.", "shortcode param (its arguments are shown)"),
        ('<Run npm="npm run dev" className="wide" />', "npm run dev", "component Run (its arguments are shown)"),
        ("A <Chart rows={[1, 2]} /> b", "A b", "component Chart"),
    ],
)
def test_marks_without_an_end_say_what_their_arguments_say(site, written, said, counted):
    page = site({"a.md": f"---\nrelease: v3.6\n---\n{written}"})["a.md"]
    assert texts(page) == [said]
    assert page.left_out == {counted: 1}


@pytest.mark.parametrize(
    "written",
    [
        '{{< figure src="/img/p.png" caption="The plan" alt="A" >}}',
        '{{% picture "/img/p.png" "A" caption="The plan" %}}',
        '<Photo image="/img/p.png" alt="A" caption="The plan" />',
        "```{figure} /img/p.png\n:alt: A\n\nThe plan\n```",
    ],
)
def test_a_mark_that_names_a_picture_shows_it(site, written):
    page = site({"content/a.md": f"# T\n\n{written}\n", "static/img/p.png": ""})["content/a.md"]
    (image,) = [component.image for component in page.components]
    assert (bool(image.blob), image.alt, image.caption) == (True, "A", "The plan")


def test_marks_in_addresses_are_the_pages_that_they_name(site):
    page = site(
        {
            "a.md": '[b]({{< relref "deep/b.md#part" >}}), [c]({% link deep/b.md %}), [d].\n\n'
            '[d]: {{< ref "/deep/b" >}}\n',
            "deep/b.md": "# B\n\n## Part\n\ny",
        }
    )["a.md"]
    assert targets(page) == [("deep/b.md", "part"), ("deep/b.md", None), ("deep/b.md", None)]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('--8<-- "inc/b.md"', "From b."),
        ("{!inc/b.md!}", "From b."),
        ("{{#include inc/b.md}}", "From b."),
        ("```{include} inc/b.md\n```", "From b."),
        ("<<< @/inc/x.py{1,2}", "one = 1\ntwo = 2"),
    ],
)
def test_included_files_are_read_in_place(site, written, said):
    code = "one = 1\ntwo = 2\n"
    page = site({"docs/a.md": written, "docs/inc/b.md": "---\nx: y\n---\n# Part\n\nFrom *b*.", "docs/inc/x.py": code})
    assert texts(page["docs/a.md"]) == [said]
    assert site({"a.md": 'x\n\n--8<-- "gone.md"\n'})["a.md"].left_out == {"include gone.md": 1}


def test_pages_of_mdx_are_read_without_their_statements(site):
    page = site(
        {
            "docs/a.mdx": "---\ntitle: A\n---\nimport Part from './_part.mdx';\nimport {\n  x,\n} from 'y';\n\n"
            "export const z = {\n  a: 1,\n};\n\n# Use {#use}\n\n<Part />\n\nText {props.x} `{code}`\n\n"
            "    <Run npm='npm go' />\n\n```js\nimport a from 'b'\n```\n",
            "docs/_part.mdx": "import B from 'b'\n\nPartial **text**.",
        }
    )["docs/a.mdx"]
    assert [(part.section, part.text) for part in page.components if part.text] == [
        ("Use", "Partial text."), ("Use", "Text {props.x} {code}"), ("Use", "npm go"),
        ("Use", "import a from 'b'"),
    ]  # fmt: skip
    assert page.left_out == {"component Run (its arguments are shown)": 1}
    assert texts(site({"a.md": "<!-- x -->\nimport X from './x'\n\nText.\n"})["a.md"]) == ["Text."]


def test_circles_and_files_outside_are_refused(site, tmp_path):
    (tmp_path / "secret.md").write_text("SECRET")
    root = tmp_path / "site"
    root.mkdir()
    (root / ".env.md").write_text("SECRET")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    names = ["../secret.md", str(tmp_path / "secret.md"), ".env.md", "link.md", "/etc/passwd", "a.md", "b.md"]
    lines = "\n\n".join(f'--8<-- "{name}"\n\n{{!{name}!}}\n\n{{{{#include {name}}}}}' for name in names)
    pages = site({"docs/a.md": f"start\n\n{lines}", "docs/b.md": '--8<-- "a.md"\n\nb'})
    everything = str([component.text for page in pages.values() for component in page.components])
    assert "SECRET" not in everything
    assert "root:" not in everything
    assert sum(pages["docs/a.md"].left_out.values()) > 15


def test_what_is_included_is_bounded(site):
    wide = "\n".join('--8<-- "b.md"' for _ in range(3000))
    pages = site({"docs/a.md": wide, "docs/b.md": "\n".join(['--8<-- "c.md"'] * 50), "docs/c.md": "c"})
    assert pages["docs/a.md"].left_out
    assert len("".join(c.text or "" for c in pages["docs/a.md"].components)) < 5000


PIECES = (
    "{{< tab a >}}", "{{% /tab %}}", "{{<", ">}}", "```{note}", "```", ":::{x}", "<Tabs>", "</Tabs>", "<A b={", "}",
    "{", "{{ x }}", "{% raw %}", "{% if", "%}", '--8<-- "a.md"', "{!a.md!}", "import X from 'x'", "export const x = {",
    "`", "'", '"', "\n", "\n\n", " ", "text", "<!-- @include: a.md -->", "*[A]: b", "[[a]]", "{#i}",
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from(["a.md", "a.mdx"]))
def test_no_mixture_of_notations_breaks_the_reader(tmp_path_factory, pieces, name):
    root = tmp_path_factory.mktemp("mixed")
    (root / name).write_text("word\n\n" + "".join(pieces))
    for source in discover([root]):
        for entry in parse(source):
            assert isinstance(entry, ParsedDocument)
            assert (entry.components[0].text or "").startswith("word")
