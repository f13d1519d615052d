"""Sources on a page: what is marked in a text, and where links may lead."""

from __future__ import annotations

import pytest

from backtrail.server.ui.sources import Marked, mark, web_address


@pytest.mark.parametrize(
    ("url", "leads_to"),
    [
        ("https://example.org/a?b#c", "https://example.org/a?b#c"), ("http://example.org", "http://example.org"),
        ("javascript:alert(1)", ""), ("javascript://example.org/%0aalert(1)", ""), ("data:text/html,x", ""),
        ("http:///etc/passwd", ""), ("notes/a.md", ""), ("http://[", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_link_leads_to_addresses_of_the_web_alone(url: str, leads_to: str) -> None:
    assert web_address(url) == leads_to


def test_the_cited_sentence_is_marked_however_its_lines_break() -> None:
    text = "It is old. It opened in 1902. It is long."
    marked = [Marked("It is old. "), Marked("It opened in 1902.", cited=True), Marked(" It is long.")]
    assert mark(text, "It opened in 1902.") == mark(text, "It opened\n in 1902.") == marked
    assert mark(text, "") == mark(text, "It closed.") == [Marked(text)]
