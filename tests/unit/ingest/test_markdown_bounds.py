from __future__ import annotations

from backtrail.ingest.markdown import bounded_marks
from backtrail.ingest.markdown.bounded_marks import OF_PAGE, OF_PARAGRAPH
from backtrail.ingest.markdown.parse import parse_markdown


def read(tmp_path, text):
    (tmp_path / "a.md").write_text(text)
    return parse_markdown(tmp_path / "a.md", "a.md", tmp_path)


def test_a_paragraph_of_very_many_links_keeps_its_words_and_says_what_is_left_out(tmp_path):
    parsed = read(tmp_path, "Before [one](b.md).\n\n" + "[pump](b.md) " * (OF_PARAGRAPH + 1))
    first, second = parsed.components
    assert [link.target for link in first.links] == ["b.md"]
    assert second.links == ()
    assert second.text == " ".join(["pump"] * (OF_PARAGRAPH + 1))
    assert parsed.left_out == {"marks of a paragraph with more than 20,000": 1}


def test_long_pages_of_ordinary_paragraphs_keep_all_their_links(tmp_path):
    parsed = read(tmp_path, "\n\n".join(f"See [page {n}](p{n}.md) and `code`." for n in range(5_000)))
    assert sum(len(one.links) for one in parsed.components) == 5_000
    assert parsed.left_out == {}


def test_what_all_paragraphs_of_a_page_may_have_together_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(bounded_marks, "OF_PARAGRAPH", OF_PARAGRAPH // 100)
    monkeypatch.setattr(bounded_marks, "OF_PAGE", OF_PAGE // 100)
    paragraphs = OF_PAGE // OF_PARAGRAPH + 2
    parsed = read(tmp_path, "\n\n".join("[a](b.md) " * (OF_PARAGRAPH // 100) for _ in range(paragraphs)))
    assert [bool(one.links) for one in parsed.components] == [True] * (paragraphs - 2) + [False] * 2
