"""Sites of Jekyll: pages of HTML with front matter, addresses of collections and posts, links by file."""

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse

CONFIGURATION = "title: S\ncollections:\n  posts:\n    permalink: /news/:year/:title/\n  guides:\n    output: true\n"


@pytest.fixture
def site(tmp_path):
    """Write the files of a site and parse it: parsed pages by id."""

    def read(files):
        for name, text in {"_config.yml": CONFIGURATION, **files}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return {entry.document.id: entry for source in discover([tmp_path]) for entry in parse(source)}

    return read


def targets(parsed):
    return [(link.kind, link.target) for part in parsed.components for link in part.links]


def test_html_with_front_matter_is_the_source_of_a_page(site):
    page = site(
        {
            "show.html": "---\ntitle: Show\npermalink: /showcase/\n---\n<p>On {{ site.title }}.</p>\n"
            "{% for e in site.x %}<p>{{ e.name }}</p>{% endfor %}<pre>---</pre>",
            "plain.html": "<p>---</p>",
            "a.md": "[s](/showcase/)",
        }
    )
    assert page["show.html"].document.title == "Show"
    assert [part.text for part in page["show.html"].components] == ["On S.", "---"]
    assert page["show.html"].left_out == {"macro e.name": 1, "tag for": 1}
    assert targets(page["a.md"]) == [("internal", "show.html")]


def test_pages_of_collections_and_posts_are_found_where_jekyll_shows_them(site):
    pages = site(
        {
            "_guides/start.md": "Start.",
            "_posts/2024-05-01-out-now.md": "Out.",
            "a.md": "[g](/guides/start/) [p](/news/2024/out-now/) [l]({% link _guides/start.md %})"
            " [q]({% post_url 2024-05-01-out-now %}) {% link _guides/none.md %}",
        }
    )
    guide, post = ("internal", "_guides/start.md"), ("internal", "_posts/2024-05-01-out-now.md")
    assert targets(pages["a.md"]) == [guide, post, guide, post]
    assert pages["a.md"].left_out == {"tag link": 1}


def test_highlighted_code_is_code(site):
    page = site(
        {"a.md": "Before.\n\n{% highlight sh linenos %}\n# not a heading\n\necho <b>\n{% endhighlight %}\n\nAfter."}
    )
    texts = [(part.section, part.text) for part in page["a.md"].components]
    assert texts == [("", "Before."), ("", "# not a heading\n\necho <b>"), ("", "After.")]
