"""The place of pages in their site: above, below, in order."""


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
