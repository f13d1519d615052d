"""Inclusion, shortcodes, directives, templates and components: what they show is read, the rest counted and named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.discover import discover
from backtrail.ingest.markdown.includes.selection import read_selection, select
from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.markdown.prose import in_prose
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument


@pytest.fixture
def site(tmp_path, picture):
    def build(files):
        root = tmp_path / "site"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture() if name.endswith(".png") else text.encode())
        read = (entry for source in discover([root]) for entry in parse(source))
        return {entry.document.id: entry for entry in read if isinstance(entry, ParsedDocument)}

    return build


def shown(parsed):
    return [(component.section, component.text) for component in parsed.components]


HUGO = {"hugo.toml": "baseURL = 'https://e.org/'\n[params]\nversion = 'v9'\n"}
MKDOCS = {"mkdocs.yml": "site_name: Hand book\nplugins: [macros]\nextra:\n  limits: {pods: 110}\n"}


def test_alerts_tabs_and_code_of_hugo(site):
    page = site(
        HUGO
        | {
            "content/a.md": '# A\n\n{{% alert title="Mind" color="warning" %}}\nGaps **matter**.\n{{% /alert %}}\n\n'
            '{{< tabs >}}\n{{< tab name="Linux" >}}\n| a |\n|---|\n| 1 |\n{{< /tab >}}\n{{< tab "mac" >}}\nText\n'
            "{{< /tab >}}\n{{< /tabs >}}\n\n{{< highlight go >}}\nx := 1\n{{< /highlight >}}\n\nEnd."
        }
    )["content/a.md"]
    mind, table, text, code, end = page.components
    assert (mind.section, mind.text) == ("Mind", "Gaps matter.")
    assert (table.section, table.table.rows) == ("Linux", (("1",),))
    assert [(text.section, text.text), (code.section, code.text)] == [("mac", "Text"), ("", "x := 1")]
    assert (end.section, end.text) == ("", "End.")
    assert page.left_out == {}


def test_figures_references_and_parameters_of_hugo(site):
    pages = site(
        HUGO
        | {
            "content/docs/_index.md": "---\ncascade:\n  release: v3.6\n---\nx",
            "content/docs/a.md": '{{< figure src="/img/p.png" caption="The *plan*" alt="A" >}}\n\n'
            'See [b]({{< relref "deep/b.md#part" >}}) and [c]({{< ref "/docs/deep/b" >}}); '
            '{{< param release >}}, {{< param "version" >}}, {{< param none >}}, {{< chart x="1" >}}.',
            "content/docs/deep/b.md": "# B\n\n## Part\n\ny",
            "static/img/p.png": "",
        }
    )
    image, text = pages["content/docs/a.md"].components
    assert image.image.blob
    assert (image.image.alt, image.image.caption) == ("A", "The *plan*")
    assert text.text == "See b and c; v3.6, v9, , ."
    assert [(link.target, link.component) for link in text.links] == [
        ("content/docs/deep/b.md", "part"), ("content/docs/deep/b.md", None)
    ]  # fmt: skip
    assert pages["content/docs/a.md"].left_out == {"shortcode chart": 1, "shortcode param": 1}


def test_shortcodes_that_are_shown_or_have_no_end(site):
    page = site(HUGO | {"content/a.md": "`{{</* x */>}}` {{< tab >}} after {{< broken\n\n{{% /tab %}} end"})[
        "content/a.md"
    ]
    assert shown(page) == [("", "{{< x >}}"), ("", "after {{< broken"), ("", "end")]


def test_what_a_shortcode_of_the_site_states_is_read(site):
    page = site(
        HUGO
        | {
            "content/a.md": '## retries\n\n{{< confkey type="list(string)" default="/etc/x.yml" syntax="a\\.b <c>" '
            'required="no" class="k" id="x3" icon="i/j.svg" >}}\n\nHow often.\n\n'
            '- one\n\n  {{< fact since="4.2" >}}\n\nAt {{< site name="domain" >}}.\n\n'
            '{{< chart src="c.csv" width="3" path="/d/e" >}}\n\n{{< box title="Mind" >}}\nInside.\n{{< /box >}}\n'
        }
    )["content/a.md"]
    said = "\n".join(component.text for component in page.components)
    assert "type: list(string); default: /etc/x.yml; syntax: a\\.b <c>; required: no\nHow often." in said
    assert "one\nsince: 4.2" in said
    assert "At ." in said
    assert "Mind\nInside." in said
    assert not any(left in said for left in ("svg", "c.csv", "/d/e"))
    assert page.left_out == {
        "shortcode confkey (its arguments are shown)": 1, "shortcode fact (its arguments are shown)": 1,
        "shortcode site": 1, "shortcode chart": 1, "shortcode box (its arguments are shown)": 1,
    }  # fmt: skip


def test_what_a_shortcode_of_the_site_says_within_a_line_is_read(site):
    page = site(
        HUGO
        | {
            "content/a.md": 'At {{< site name=\'host\' nojs="auth" >}}, see {{< term "flow control" >}}, '
            '{{< note-icon text="a <b>" >}}{{< go "/a b/c.md" >}}{{< x default="https://a.example" >}}end.\n\n'
            '| Proxy | State |\n|---|---|\n| Caddy | {{% support support="full" link="/x" %}} |\n\n'
            '```yaml\nname: \'{{< site name="host" nojs="auth" >}}\'\n```\n'
        }
    )["content/a.md"]
    text, table, code = page.components
    assert text.text == "At auth, see flow control, end."
    assert table.table.rows == (("Caddy", "full"),)
    assert "name: 'auth'" in code.text
    assert page.left_out["shortcode site (its arguments are shown)"] == 2
    assert page.left_out["shortcode go"] == 1


def test_included_pages_bring_their_own_shortcodes(site):
    page = site(
        HUGO
        | {"content/a.md": '- one\n\n  {{% include "_b.md" %}}', "content/_b.md": "---\nx: y\n---\n{{< badge new >}} b"}
    )["content/a.md"]
    assert shown(page) == [("", "one\nnew b")]


def test_snippets_of_mkdocs(site):
    page = site(
        MKDOCS
        | {
            "docs/a.md": '--8<-- "inc/b.md"\n\n``` py\n--8<-- "inc/x.py:two"\n--8<-- "inc/x.py:1:1"\n```\n\n'
            '{!inc/b.md!}\n\n`{!inc/b.md!}` ;--8<-- "no"\n\n--8<--\ninc/b.md\ninc/gone.md\n--8<--\n',
            "inc/b.md": "# Part\n\nFrom *b*.",
            "inc/x.py": "one = 1\n# --8<-- [start:two]\ntwo = 2\n# --8<-- [end:two]\n",
        }
    )["docs/a.md"]
    assert [text for _, text in shown(page)] == [
        "From b.", "two = 2\none = 1", "From b.", '{!inc/b.md!} ;--8<-- "no"', "From b."
    ]  # fmt: skip
    assert page.left_out == {"snippet inc/gone.md": 1}


def test_includes_of_mdbook_in_code(site):
    page = site(
        {
            "src/SUMMARY.md": "- [A](a.md)\n",
            "src/a.md": "{{#title T}}# A\n\n```rust\n{{#include ../code/m.rs:here}}\n"
            "{{#rustdoc_include ../code/m.rs:1:1}}\n"
            "\\{{#include x}}\n```\n",
            "code/m.rs": "fn first() {}\n// ANCHOR: here\nlet x = 1;\n// ANCHOR_END: here\n",
        }
    )["src/a.md"]
    assert shown(page) == [("", "let x = 1;\nfn first() {}\n{{#include x}}")]


def test_macros_stand_for_values_that_are_configured(site):
    page = site(
        MKDOCS
        | {
            "docs/a.md": "---\nowner: me\n---\n{{ config.site_name }}, {{ limits.pods }}, {{ page.meta.owner }}, "
            '{{ now() }}, `{{ kept }}`, {% if x %}yes{% endif %}, {% raw %}{{ shown }}{% endraw %}, {{ "text" }}.'
        }
    )["docs/a.md"]
    assert shown(page) == [("", "Hand book, 110, me, , {{ kept }}, yes, {{ shown }}, text.")]
    assert page.left_out == {"macro now": 1, "tag if": 1}


def test_braces_of_sites_without_macros_are_text(site):
    page = site({"mkdocs.yml": "site_name: x\n", "docs/a.md": "Write {{ name }} or {% tag %}."})["docs/a.md"]
    assert shown(page) == [("", "Write {{ name }} or {% tag %}.")]


def test_components_of_mdx(site):
    pages = site(
        {
            "docusaurus.config.js": "module.exports = {}",
            "docs/a.mdx": "---\ntitle: A\n---\nimport Tabs from '@theme/Tabs';\nimport Part from './_part.mdx';\n"
            "import {\n  x,\n} from 'y';\n\nexport const z = {\n  a: 1,\n};\n\n# Use {#use}\n\n<Tabs groupId=\"os\">\n"
            '<TabItem value="l" label="Linux" attributes={{className: \'x\'}}>\n\n'
            "| a |\n|---|\n| 1 |\n\n</TabItem>\n</Tabs>\n\n"
            "<Part />\n\n<Chart rows={[1, 2]} />\n\n{/* gone */}Text {'kept'} and {props.x} `{code}` "
            "<img src={require('./p.png').default} alt=\"P\" style={{width: 3}} />\n\n"
            '<Highlight color="red">inner</Highlight> 1 < 2\n',
            "docs/_part.mdx": "Partial **text**.",
            "docs/p.png": "",
        }
    )
    page = pages["docs/a.mdx"]
    assert [(c.section, c.modality) for c in page.components][:2] == [("Use > Linux", "table"), ("Use", "text")]
    assert [text for _, text in shown(page) if text] == ["Partial text.", "Text kept and {code}", "inner 1 < 2"]
    assert [c.image.alt for c in page.components if c.image and c.image.blob] == ["P"]
    assert page.left_out == {"component Chart": 1, "component Highlight": 1, "expression": 1}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("<Run\n  npm=\"npm run dev\n  # {it}\"\n  yarn={'yarn dev'}\n  class='a b' href='/x y' id='it' on />", True),
        ('1. Do:\n\n   <Run npm="npm run dev # {it}" yarn=\'yarn dev\' width="100 px" n={2 + 3} />', True),
        ('<Run className="wide left" to="a b" type="an odd one" disabled={true} size="0 0 24 24" k="word" />', False),
        ('<Run :items="one two" v-if="a b" onClick="do it" data-x="a b" />', False),
    ],
)
def test_what_attributes_of_components_say_is_read(site, written, said):
    page = site({"docs/a.mdx": f"import Run from '@x/Run.astro';\n\n# A\n\n{written}\n\nEnd.\n"})["docs/a.mdx"]
    text = "\n".join(component.text for component in page.components)
    assert ("npm: npm run dev # {it}\nyarn: yarn dev" in text) == said
    assert text.endswith("End.")
    assert page.left_out == ({} if said else {"component Run": 1})


def test_template_literals_are_text_and_no_code_of_markdown(site):
    written = (
        'import Run from "./x"\n\n# A\n\n<Run\n  npm={`npm create it\ncd <NAME> && "go"`}\n'
        "  yarn={`yarn add x@${y}`}\n/>\n\n"
        "Type: {`Array<{ a: `}[Icon](i.md){` }>`}, `{`.\n\n<Card title={`Set ${it} up`}>\n\nInside.\n\n</Card>\n"
    )
    page = site({"docs/a.mdx": written})["docs/a.mdx"]
    said = [(component.section, component.text) for component in page.components]
    assert said == [
        ("", 'npm: npm create it cd <NAME> && "go"\nyarn: yarn add x@${y}'),
        ("", "Type: Array<{ a: Icon }>, {."),
        ("Set ${it} up", "Inside."),
    ]


def test_what_attributes_say_within_a_line_is_code(site):
    page = site(
        {"docs/a.mdx": 'import X from "./x"\n\n# A\n\nUse <Key mac="Cmd + K" icon="a b" /> here: <Key n="1" />.\n'}
    )
    assert [component.text for component in page["docs/a.mdx"].components] == ["Use mac Cmd + K here: ."]


def test_components_and_includes_of_vitepress(site, tmp_path):
    (tmp_path / "site/.vitepress").mkdir(parents=True)
    (tmp_path / "site/.vitepress/config.ts").write_text("export default { srcDir: 'src' }")
    page = site(
        {
            "src/a.md": "<script setup>\nimport X from './X.vue'\n</script>\n\n"
            "# A\n\n<X/>\n\n<!-- @include: ./b.md -->\n\n"
            "<<< @/code.js#part\n\n[b](/b)",
            "src/b.md": "From b.",
            "src/code.js": "no\n// #region part\nyes\n// #endregion part\n",
        }
    )["src/a.md"]
    assert [text for _, text in shown(page)] == ["From b.", "yes", "b"]
    assert [link.target for link in page.components[-1].links] == ["src/b.md"]
    assert page.left_out == {"component X": 1}


def test_directives_of_myst(site):
    pages = site(
        {
            "conf.py": "extensions = ['myst_parser']\n",
            "index.md": "# Home\n\n```{toctree}\n:maxdepth: 2\n\na\nThe *other* <b>\n```\n",
            "b.md": "B",
            "a.md": "(lab)=\n# A\n\n```{note}\n:class: x\nBody with `code`.\n```\n\n"
            "````{tab-set}\n```{tab-item} One\nFirst\n```\n````\n\n"
            "```{figure} p.png\n:alt: P\n:name: fig\n\nThe caption.\n```\n\n"
            "```{list-table} Sizes\n:header-rows: 1\n\n* - a\n  - b\n"
            "* - 1\n  - 2\n```\n\n```{csv-table}\n:header: x, y\n3, 4\n```\n\n```{include} inc.txt\n```\n\n"
            "```{autoclass} X\n```\n\n"
            "See {doc}`home <index>`, {ref}`text <x>`.\n\n% comment\n",
            "inc.txt": "Included.",
            "p.png": "",
        }
    )
    page = pages["a.md"]
    texts = [(c.section, c.text) for c in page.components if c.text]
    assert texts[:2] == [("Note", "Body with code."), ("One", "First")]
    assert [text for _, text in texts[2:]] == ["Included.", "See home, text."]
    image = next(c for c in page.components if c.image)
    assert (image.image.alt, image.image.caption, page.fragments["fig"]) == ("P", "The caption.", image.id)
    tables = [(c.table.caption, c.table.header, c.table.rows) for c in page.components if c.table]
    assert tables == [("Sizes", ("a", "b"), (("1", "2"),)), ("A", ("x", "y"), (("3", "4"),))]
    assert "lab" in page.fragments
    assert page.left_out == {"directive autoclass": 1}
    links = pages["index.md"].components[0].links
    assert [link.target for link in links if link.kind == "internal"] == ["a.md", "b.md"]
    assert pages["index.md"].components[0].text == "A\nThe other"


def test_circles_and_files_outside_are_refused(site, tmp_path):
    (tmp_path / "secret.md").write_text("SECRET")
    root = tmp_path / "site"
    root.mkdir()
    (root / ".env.md").write_text("SECRET")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    names = ["../secret.md", str(tmp_path / "secret.md"), ".env.md", "link.md", "/etc/passwd", "a.md", "b.md"]
    lines = "\n\n".join(f'--8<-- "{name}"\n\n{{!{name}!}}\n\n{{{{#include {name}}}}}' for name in names)
    pages = site(MKDOCS | {"docs/a.md": f"start\n\n{lines}", "docs/b.md": '--8<-- "a.md"\n\nb'})
    everything = str([component.text for page in pages.values() for component in page.components])
    assert "SECRET" not in everything
    assert "root:" not in everything
    assert sum(pages["docs/a.md"].left_out.values()) > 15


def test_what_is_included_is_bounded(site):
    wide = "\n".join('--8<-- "b.md"' for _ in range(3000))
    pages = site(MKDOCS | {"docs/a.md": wide, "docs/b.md": "\n".join(['--8<-- "c.md"'] * 50), "docs/c.md": "c"})
    assert pages["docs/a.md"].left_out
    assert len("".join(c.text or "" for c in pages["docs/a.md"].components)) < 5000


@pytest.mark.parametrize(
    ("written", "part"),
    [("", "a\nb\nc"), ("2:3", "b\nc"), ("2", "b"), (":2", "a\nb"), (":-2", "a\nb"), ("1,3", "a\nc"), ("gone", None)],
)
def test_selections(written, part):
    assert select("a\nb\nc", read_selection(written)) == part


def test_code_is_left_alone():
    text = "a\n```\nb\n```\nc `d` e ``f ` g`` h\n\n`i\n\nj`\n~~~\nk"
    assert in_prose(text, str.upper) == "A\n```\nb\n```\nC `d` E ``f ` g`` H\n\n`I\n\nJ`\n~~~\nk"


PIECES = (
    "{{< tab a >}}", "{{% /tab %}}", "{{<", ">}}", "```{note}", "```", ":::{x}", "<Tabs>", "</Tabs>", "<A b={", "}",
    "{", "{{ x }}", "{% raw %}", "{% if", "%}", '--8<-- "a.md"', "{!a.md!}", "import X from 'x'", "export const x = {",
    "`", "'", '"', "\n", "\n\n", " ", "text", "<!-- @include: a.md -->", "*[A]: b", "[[a]]", "{#i}",
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=40),
    st.sampled_from(["mkdocs.yml", "hugo.toml", "docusaurus.config.js", "conf.py"]),
)
def test_no_mixture_of_notations_breaks_the_reader(tmp_path_factory, pieces, configuration):
    root = tmp_path_factory.mktemp("mixed")
    (root / configuration).write_text("extensions = 1\nbaseURL = 'https://e.org'\nsite_name: x\nplugins: [macros]\n")
    (root / "a.md").write_text("word\n\n" + "".join(pieces))
    for source in discover([root]):
        for entry in parse(source):
            assert isinstance(entry, ParsedDocument)
            assert (entry.components[0].text or "").startswith("word")


def test_restructured_text_within_a_page_is_read(tmp_path):
    (tmp_path / "a.md").write_text(
        "# Options\n\n```{eval-rst}\n.. list-table:: Names\n    :header-rows: 1\n\n    * - Given\n      - Inferred\n"
        "    * - ``--foo-bar``\n      - foo_bar\n\n.. note:: Mind *this*.\n\n::\n\n    a = 1\n\n    b = 2\n\n"
        ".. autofunction:: foo\n```\n\nAfter it.\n"
    )
    parsed = parse_markdown(tmp_path / "a.md", "a.md", tmp_path)
    table = next(one.table for one in parsed.components if one.table)
    assert (table.caption, table.header, table.rows) == ("Names", ("Given", "Inferred"), (("--foo-bar", "foo_bar"),))
    assert [(one.section, one.text) for one in parsed.components if one.text] == [
        ("Note", "Mind this."), ("", "a = 1\n\nb = 2"), ("", "After it."),
    ]  # fmt: skip
    assert parsed.left_out == {"directive autofunction": 1}


def test_a_hugo_site_configured_in_files_of_a_folder(site):
    """Parameters in files of their own and of the language, mounted contents, a section that is called content."""
    pages = site(
        {
            "config/_default/hugo.yaml": "baseURL: https://e.org/\nlanguages: {en: {params: {motto: Docs}}}\n"
            "params: {Repo: &r https://git.e.org/x, twin: *r}\n"
            "module: {mounts: [{source: text/en, target: content}, {source: extra, target: static}]}",
            "config/_default/params.toml": "[Tool]\nVersion = 'v2'\n[badge]\nnew = '<b>{1}</b>: {2}'",
            "config/production/hugo.yaml": "baseURL: https://other.org/\ntitle: other",
            "text/en/_index.md": "---\ncascade: {params: {BREAKING: Broken}}\n---\n# Home",
            "text/en/docs/content/_index.md": "# Contents",
            "text/en/docs/content/a.md": "{{% param motto %}} {{% param Tool.version %}} {{% param twin %}} "
            "{{% _param BREAKING %}} {{% _param badge.new Alpha beta %}} [home](/) [up](..)",
        }
    )
    page = pages["text/en/docs/content/a.md"]
    assert page.document.url == "https://e.org/docs/content/a/"
    (text,) = page.components
    assert text.text == "Docs v2 https://git.e.org/x Broken Alpha: beta home up"
    assert [link.target for link in text.links if link.kind == "internal"] == [
        "text/en/_index.md", "text/en/docs/content/_index.md"
    ]  # fmt: skip
    assert page.left_out == {}


def test_tabs_of_docsy_hold_code_unless_they_say_that_it_is_text(site):
    page = site(
        HUGO
        | {
            "content/a.md": '{{< tabpane >}}\n{{< tab header="File:" disabled=true />}}\n'
            '{{< tab header="hugo.toml" lang="toml" >}}\n# a comment\n[a]\nb = "*c*"\n{{< /tab >}}\n'
            "{{< /tabpane >}}\n\n"
            '{{< tabpane text=true >}}\n{{% tab header="English" lang="en" %}}\n**Welcome**\n{{% /tab %}}\n'
            '{{< /tabpane >}}\n\n{{% blocks/feature title="Fast" %}}\nIt is.\n{{% /blocks/feature %}}'
        }
    )["content/a.md"]
    assert shown(page) == [("hugo.toml", '# a comment\n[a]\nb = "*c*"'), ("English", "Welcome"), ("Fast", "It is.")]
    assert page.left_out == {}


DOCUSAURUS = {"docusaurus.config.js": "module.exports = {title: 'x', presets: [{docs: {path: 'docs'}}]}"}


def test_imported_pages_of_docusaurus_link_from_where_they_lie(site):
    page = site(
        DOCUSAURUS
        | {
            "docs/a/deep/p.md": '<!-- prettier-ignore -->\nimport Note from "../../shared/_note.mdx";\n\n'
            '# P\n\n<Note />\n\n<Own title="More on it">\n\nInside.\n\n</Own>\n\nAfter, [root](b/q.md), [near](r.md).',
            "docs/shared/_note.mdx": ":::caution\nSee [q](../b/q.md#part) and `](../b/q.md)`.\n:::",
            "docs/b/q.md": "# Q\n\n## Part\n\nx",
            "docs/a/deep/r.md": "# R",
        }
    )["docs/a/deep/p.md"]
    assert shown(page) == [
        ("Caution", "See q and ](../b/q.md)."), ("More on it", "Inside."), ("", "After, root, near."),
    ]  # fmt: skip
    assert [(link.target, link.component) for component in page.components for link in component.links] == [
        ("docs/b/q.md", "part"), ("docs/b/q.md", None), ("docs/a/deep/r.md", None)
    ]  # fmt: skip
    assert page.left_out == {}
