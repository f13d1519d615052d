"""Links and pictures as the sites of a folder resolve them, and links between its files."""

import os

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse


def leading(parsed, *kinds):
    """Where links of some kinds lead."""
    links = [link for part in parsed.components for link in part.links if link.kind in kinds]
    return [f"{link.target}#{link.component}" if link.component else link.target for link in links]


def internal(parsed):
    return leading(parsed, "internal")


FOUND = {
    "the page whose path ends so": (
        {"x/content/en/docs/a.md": "[1](/docs/b/) [2](../b)", "x/content/en/docs/b.md": "b"},
        "x/content/en/docs/a.md",
        ["x/content/en/docs/b.md"] * 2,
    ),
    "a file and a folder of one name": (
        {"a.md": "a", "a/index.md": "i", "l.md": "[1](a) [2](a/) [3](a.html) [4](a/index.html)"},
        "l.md",
        ["a.md", "a/index.md", "a.md", "a/index.md"],
    ),
    "pages of HTML": (
        {"d/index.html": "<p>d", "b.html": "<p><a href=/d/>d</a><a href=d>e</a>"},
        "b.html",
        ["d/index.html"] * 2,
    ),
    "rendered names of a book": (
        {
            "src/intro.md": "[a](ch/one.html#x) [b](./ch/one) [c](ch/) [d](/new.html) [e](gone.html)",
            "src/ch/README.md": "# Chapter",
            "src/ch/one.md": "# One\n\n## X\n\ny",
            "src/new.md": "n",
        },
        "src/intro.md",
        ["src/ch/one.md#x", "src/ch/one.md", "src/ch/README.md", "src/new.md", "src/gone.html"],  # the last is dead
    ),
}


@pytest.mark.parametrize(("files", "name", "found"), FOUND.values(), ids=FOUND)
def test_pages_are_found_however_sites_call_them(site, files, name, found):
    assert internal(site(files)[name]) == found


@pytest.mark.parametrize("folder", ["", "web/"])
def test_links_of_a_site_with_its_own_address(site, folder):
    pages = site(
        {
            f"{folder}mkdocs.yml": "site_url: https://e.org/handbook/\nx: !!python/name:a.b\n",
            f"{folder}docs/index.md": "![x](/img/p.png)",
            f"{folder}docs/guide/a.md": "[1](b.md#über) [2](../b/) [3](/guide/b/) "
            "[4](https://e.org/handbook/guide/b/#t) [5](https://e.org/other/) "
            "![p](../../img/p.png) ![q](/handbook/img/p.png)",
            f"{folder}docs/guide/b.md": "# B\n\n## T\n\nx",
            f"{folder}docs/img/p.png": "",
        }
    )
    page = pages[f"{folder}docs/guide/a.md"]
    b = f"{folder}docs/guide/b.md"
    assert internal(page) == [f"{b}#über", b, b, f"{b}#t"]
    assert leading(page, "external") == ["https://e.org/other/"]
    assert [part.image.alt for part in page.components if part.image and part.image.blob] == ["p", "q"]
    assert pages[f"{folder}docs/index.md"].components[0].image.blob


def test_folders_with_a_page_and_static_pictures(site):
    pages = site(
        {
            "hugo.toml": 'baseURL = "https://e.org/"\n[params]\nx = "y"\n',
            "content/_index.md": "[1](/docs/tls/) [2](docs/tls/#why) ![p](/img/p.png)",
            "content/docs/_index.md": "---\ntitle: Docs\n---\n[up](../) [b](tls/) [c](/docs/)",
            "content/docs/tls.md": "# TLS\n\n## Why\n\n[1](../bundle/) [2](../)",
            "content/docs/bundle/index.md": "![q](q.png)",
            "content/docs/bundle/q.png": "",
            "static/img/p.png": "",
        }
    )
    tls = "content/docs/tls.md"
    assert internal(pages["content/_index.md"]) == [tls, f"{tls}#why"]
    assert internal(pages["content/docs/_index.md"]) == ["content/_index.md", tls, "content/docs/_index.md"]
    assert internal(pages[tls]) == ["content/docs/bundle/index.md", "content/docs/_index.md"]
    assert all(page.blobs for page in (pages["content/_index.md"], pages["content/docs/bundle/index.md"]))


def test_nothing_outside_the_folder_is_read(site, tmp_path, picture):
    (tmp_path / "secret.png").write_bytes(picture())
    (tmp_path / "secret.yml").write_text("site_url: https://secret.org\n")
    os.makedirs(tmp_path / "site/docs")
    os.symlink(tmp_path / "secret.png", tmp_path / "site/docs/link.png")
    os.symlink(tmp_path / "secret.yml", tmp_path / "site/mkdocs.yml")
    pages = site(
        {
            "docs/a.md": "![1](../../secret.png) ![2](link.png) ![3](/../secret.png) ![4](%2e%2e/%2e%2e/secret.png) "
            f"![5]({tmp_path}/secret.png) [6](../../secret.yml) [7](/../../x)"
        }
    )
    page = pages["docs/a.md"]
    assert not page.blobs
    assert page.document.url == ""
    assert len(page.skipped) == 5
    assert internal(page) == leading(page, "external") == []
    assert len(leading(page, "dead")) == 2


def test_templates_of_a_site_are_no_pages(site, tmp_path):
    site({"content/a.md": "a", "layouts/x/single.html": "<p>{{ .X }}"})
    found = discover([tmp_path / "site"])
    assert [source.document_id for source in found] == ["content/a.md"]
    assert [(part.path.name, part.reason) for part in found.skipped] == [
        ("single.html", "a template of the site, not a page")
    ]


def test_hostile_configurations_are_passed_over(site):
    for configuration in ("nav: " + "[" * 3000, "nav: &a [*a]", "site_url: [1]\nnav: 3", "\0", "- "):
        pages = site({"mkdocs.yml": configuration, "docs/a.md": "[b](b.md)", "docs/b.md": "x"})
        assert internal(pages["docs/a.md"]) == ["docs/b.md"]


def test_saved_pages_lead_to_each_other_by_their_addresses(site):
    def saved(address, body):
        return f'<html><head><link href="{address}" rel=canonical></head><body><p>{body}'

    pages = site(
        {
            "x/Nile.html": saved("https://en.e.org/wiki/Nile", "<a href=/wiki/Egypt#h>1</a> "
            "<a href='../wiki/Sudan'>2</a> <a href=//www.en.e.org/wiki/Egypt/>3</a> <a href='near.html'>4</a> "
            "<a href=#a>5</a> <a href='//[x'>6</a>"),
            "y/saved (1).htm": saved("http://en.e.org/wiki/Egypt", "e"),
            "x/near.html": "<p>n",
        }
    )  # fmt: skip
    egypt = "y/saved (1).htm"
    assert pages[egypt].document.url == "http://en.e.org/wiki/Egypt"
    assert internal(pages["x/Nile.html"])[:4] == [f"{egypt}#h", egypt, "x/near.html", "x/Nile.html#a"]
    assert leading(pages["x/Nile.html"], "external")[0] == "https://en.e.org/wiki/Sudan"


def hierarchy(parsed):
    links = [link for part in parsed.components for link in part.links if link.kind in ("parent", "child")]
    return [(link.kind, link.target, link.anchor) for link in links]


def test_sections_and_weights_of_hugo(site):
    pages = site(
        {
            "content/_index.md": "---\ntitle: Docs\n---\nx",
            "content/a/_index.md": "---\ntitle: Section\n---\n",
            "content/a/z.md": "---\ntitle: First\nweight: 1\ndescription: What comes first.\n---\nx",
            "content/a/b.md": "---\ntitle: Second\nweight: 20\n---\nx",
            "content/a/a.md": "---\ntitle: Last\n---\nx",
        }
    )
    section = pages["content/a/_index.md"].components[0]
    assert section.text == "First: What comes first.\nSecond\nLast"
    assert [link.target for link in section.links if link.kind == "internal"] == [
        "content/a/z.md", "content/a/b.md", "content/a/a.md"
    ]  # fmt: skip
    assert hierarchy(pages["content/a/b.md"]) == [("parent", "content/a/_index.md", "Docs > Section")]


WRITTEN = [
    ("../plans/pier.docx", "plans/pier.docx"),
    ("..\\plans\\pier.docx", "plans/pier.docx"),
    ("../plans/old%20pier.docx", "plans/old pier.docx"),
]


def word(path, href=""):
    document = docx.Document()
    paragraph = document.add_paragraph("See ")
    if href:
        id_ = paragraph.part.relate_to(href, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        link = f'<w:hyperlink {nsdecls("w", "r")} r:id="{id_}"><w:r><w:t>the plan</w:t></w:r></w:hyperlink>'
        paragraph._p.append(parse_xml(link))
    document.save(str(path))


@pytest.fixture
def link(tmp_path):
    """The one link of a document in a folder of several."""
    for name in ("plans", "letters"):
        (tmp_path / name).mkdir()
    for name in ("pier", "old pier"):
        word(tmp_path / "plans" / f"{name}.docx")
    (tmp_path / "letters" / "notes.txt").write_text("Some notes on the pier.")

    def read(href):
        word(tmp_path / "letters" / "a.docx", href)
        documents = [document for source in discover([tmp_path]) for document in parse(source)]
        (document,) = (one for one in documents if one.document.id == "letters/a.docx")
        (found,) = (link for part in document.components for link in part.links)
        return found

    return read


@pytest.mark.parametrize(("href", "target"), WRITTEN)
def test_files_of_the_folder_are_found_however_they_are_written(link, href, target):
    found = link(href)
    assert (found.target, found.kind, found.anchor) == (target, "internal", "the plan")


@pytest.mark.parametrize(
    "href",
    [
        "file:///C:/Users/Ann/secret.docx",
        "C:\\Harbour\\plans\\pier.docx",
        "\\\\server\\plans\\pier.docx",
        "https://e.org/plan.docx",
        "mailto:a@e.org",
    ],
)
def test_what_is_not_in_the_folder_leads_out(link, href):
    assert link(href).kind == "external"
