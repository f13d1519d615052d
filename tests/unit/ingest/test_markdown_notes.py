"""Notes and wikis: links in both orders, notes in notes, block ids, callouts; and blocks of GitBook."""

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse


@pytest.fixture
def notes(tmp_path):
    """Write files and parse them as an ingest would: parsed pages by id."""

    def read(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
        return {entry.document.id: entry for source in discover([tmp_path]) for entry in parse(source)}

    return read


def texts(parsed):
    return [(component.section, component.text) for component in parsed.components if component.text]


def links(parsed):
    return [(link.kind, link.target, link.component, link.anchor) for part in parsed.components for link in part.links]


def test_wiki_links_lead_to_the_side_that_is_a_page_or_an_address(notes):
    pages = notes(
        A="[[the pump|Pump House]] [[Pump House|it]] [[Pump House#Oil & air]] "
        "[[site|https://example.org/x]] [[Nowhere|b]]",
        **{"Pump-House": "# Pump\n\n## Oil & air\n\nText."},
    )
    target = "Pump-House.md"
    assert links(pages["A.md"]) == [
        ("internal", target, None, "the pump"),
        ("internal", target, None, "it"),
        ("internal", target, "oil--air", "Pump House › Oil & air"),
        ("external", "https://example.org/x", None, "site"),
    ]
    assert texts(pages["A.md"])[0][1].endswith("[[Nowhere|b]]")


@pytest.mark.parametrize(("home", "target"), [("Home", "Oil.md"), ("Start", "Pump.md")])
def test_where_both_sides_are_pages_a_wiki_has_the_text_first(notes, home, target):
    pages = notes(**{home: "[[Pump|Oil]]", "Pump": "P.", "Oil": "O."})
    assert [link[1] for link in links(pages[f"{home}.md"])] == [target]


def test_pages_of_a_wiki_are_called_by_their_files(notes):
    pages = notes(**{"Home": "# Start here\n\nA.", "DNS-alias-mode": "## 1. First do this\n\nB."})
    assert [pages[name].document.title for name in ("Home.md", "DNS-alias-mode.md")] == ["Start here", "DNS alias mode"]


def test_notes_and_their_parts_are_read_where_they_are_embedded(notes):
    pages = notes(
        A="Before.\n\n![[B#Oil]]\n\n![[B#^seal]]\n\n![[C]]\n\n![[B#None]]\n\nSee ![[C]] inline.\n\n    ![[C]]",
        B="# B\n\n## Oil\n\nUse oil.\n\n### Kinds\n\nTwo.\n\n## Air\n\nTwo lines\nof a seal. ^seal\n",
        C="---\ntitle: C\n---\nC shows ![[A]].\n\n![[A]]",
    )
    assert texts(pages["A.md"])[:5] == [
        ("", "Before."),
        ("Oil", "Use oil."),
        ("Oil > Kinds", "Two."),
        ("", "Two lines of a seal."),
        ("C", "C shows A."),
    ]
    assert ("", "![[C]]") in texts(pages["A.md"]), "code shows what is written"
    assert ("internal", "B.md", "none", "B › None") in links(pages["A.md"]), "a part that is gone stays a link"


def test_block_ids_name_blocks_and_are_no_text(notes):
    page = notes(
        A="A claim. ^claim-1\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n^ledger\n\n- one\n- two ^item2\n\n5 ^2\n\n"
        "[[#^ledger]]"
    )["A.md"]
    ids = [component.id.partition("#")[2] for component in page.components]
    assert ids[:2] == ["claim-1", "ledger"]
    assert texts(page) == [("", "A claim."), ("", "one\ntwo"), ("", "5 ^2"), ("", "^ledger")]
    assert {"item2", "ledger"} <= set(page.fragments)


@pytest.mark.parametrize(
    ("written", "section", "text"),
    [
        ("> [!tip]- Fold *me*\n> Body.", "Fold *me*", "Body."),
        ("> [!faq]+\n> Body.", "FAQ", "Body."),
        ("> [!custom-kind] Named\n>\n> Body.", "Named", "Body."),
        ("> [!NOTE]\n> Body.", "Note", "Body."),
        ("> [link] text", "", "[link] text"),
        ("%% not shown\nat all %%\n\nIt is ==marked== as a == b.", "", "It is marked as a == b."),
    ],
)
def test_callouts_highlights_and_comments(notes, written, section, text):
    assert texts(notes(A=written)["A.md"]) == [(section, text)]


def test_pictures_of_notes_and_what_lists_say_of_pictures(notes, tmp_path, picture):
    for name, color in (("sign", "red"), ("valve", "blue"), ("pump", "green")):
        (tmp_path / "shown").mkdir(exist_ok=True)
        (tmp_path / "shown" / f"{name}.png").write_bytes(picture(color=color))
    told = ("a pump, " * 50).strip()
    page = notes(
        A="![[sign.png#icon|20]] ![[valve.png|The valve]]\n\n"
        f"![Cap](shown/pump.png){{#fig-p .wide\nfig-alt='{told}'}}\n\n```{{.python}}\nx\n```"
    )["A.md"]
    images = [component.image for component in page.components if component.image]
    assert [(bool(image.blob), image.alt or "") for image in images] == [(True, ""), (True, "The valve"), (True, "Cap")]
    assert images[-1].title == told
    assert [part.id for part in page.components][-2:] == ["A.md#fig-p", "A.md#text-1"]
    assert texts(page) == [("", "x")]


def test_blocks_of_gitbook_are_sections(notes):
    page = notes(
        A='{% hint style="warning" %}\nMind **it**.\n{% endhint %}\n\n{% tabs %}\n{% tab title="Linux" %}\n'
        "| a | b |\n|---|---|\n| 1 | 2 |\n{% endtab %}\n{% endtabs %}\n\n"
        '{% code title="run.sh" %}\n```sh\necho\n```\n{% endcode %}\n\n{% file src="manual.pdf" %}\n\n{% hint %} stays'
    )["A.md"]
    assert texts(page)[:2] == [("Warning", "Mind it."), ("run.sh", "echo")]
    assert [(part.section, part.table.rows) for part in page.components if part.table] == [("Linux", (("1", "2"),))]
    assert [(link[0], link[3]) for link in links(page)] == [("internal", "manual.pdf")]


def test_quarto_and_r_markdown_are_read_with_their_chunks_and_captions(tmp_path):
    (tmp_path / "report.qmd").write_text(
        '::: {.callout-warning title="Mind"}\nBody.\n:::\n\n::: {.callout-note}\nB.\n:::\n\n::: {.column}\nC.\n:::\n\n'
        "```{r}\n#| fig-cap: Pumps\nplot(1)\n```\n\n| a |\n|---|\n| 1 |\n\n: Pumps by *year* {#tbl-pumps}\n\nText.\n\n"
        "| b |\n|---|\n| 2 |\n\nTable: Valves\n",
        encoding="utf-8",
    )
    (tmp_path / "more.Rmd").write_text("See [it](report.qmd).", encoding="utf-8")
    more, page = (entry for source in discover([tmp_path]) for entry in parse(source))
    assert texts(page) == [
        ("Mind", "Body."), ("Note", "B."), ("", "C."), ("", "#| fig-cap: Pumps\nplot(1)"), ("", "Text."),
    ]  # fmt: skip
    assert [(part.id, part.table.caption) for part in page.components if part.table] == [
        ("report.qmd#tbl-pumps", "Pumps by year"),
        ("report.qmd#table-2", "Valves"),
    ]
    assert links(more) == [("internal", "report.qmd", None, "it")]
