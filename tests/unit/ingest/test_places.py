"""The place of pages in their site: above, below, in order."""

from backtrail.ingest.sites.places import by_folders, by_navigation, with_children
from backtrail.ingest.sites.site import NavEntry


def hierarchy(parsed):
    links = [link for part in parsed.components for link in part.links if link.kind in ("parent", "child")]
    return [(link.kind, link.target, link.anchor) for link in links]


def test_navigation_of_mkdocs(site):
    pages = site(
        {
            "mkdocs.yml": "nav:\n  - Home: index.md\n  - Set-up:\n    - s/index.md\n    - Ports: s/ports.md\n"
            "    - Deep:\n      - s/d.md\n  - Web: https://e.org\n",
            "docs/index.md": "h",
            "docs/s/index.md": "s",
            "docs/s/ports.md": "no heading",
            "docs/s/d.md": "# D\n\nx",
            "docs/s/new.md": "# New\n\nx",
        }
    )
    parent = ("parent", "docs/s/index.md", "Set-up")
    assert hierarchy(pages["docs/s/ports.md"]) == [parent]
    assert pages["docs/s/ports.md"].document.title == "Ports"
    assert hierarchy(pages["docs/s/d.md"]) == [("parent", "docs/s/index.md", "Set-up > Deep")]
    assert [target for kind, target, _ in hierarchy(pages["docs/s/index.md"]) if kind == "child"] == [
        "docs/s/ports.md", "docs/s/d.md", "docs/s/new.md"
    ]  # fmt: skip
    assert pages["docs/s/index.md"].document.title == "Set-up"


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


def test_a_navigation_may_be_circular_deep_or_repeat_pages():
    entries = [NavEntry(str(depth), "a" if depth % 2 else "b", depth) for depth in range(200)]
    places = with_children(by_navigation(entries, lambda path: f"{path}.md"))
    assert {page: place.parent for page, place in places.items()} == {"b.md": "", "a.md": "b.md"}
    assert by_navigation([NavEntry("x", "", 5), NavEntry("y", "a", 9)], lambda path: path)["a"].trail == ("x",)


def test_pages_of_folders_without_an_index_have_the_place_of_the_folder_above():
    places = by_folders(["index.md", "a/b/c.md", "a/readme.md"], {"index.md": "Top", "a/readme.md": "A"}, str)
    assert (places["a/b/c.md"].parent, places["a/b/c.md"].trail) == ("a/readme.md", ("Top", "A"))
    assert "index.md" not in places
