from __future__ import annotations

import pytest

from backtrail.ingest.markdown import bounded_marks
from backtrail.ingest.markdown.bounded_marks import OF_PAGE, OF_PARAGRAPH
from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.markdown.text_and_target import text_and_target


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


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("the pump <pump>", ("the pump", "pump")), ("<pump>", ("", "pump")), ("pump", ("pump", "pump")),
        ("a < b > c", ("a < b > c", "a < b > c")), ("a <b>> ", ("a <b>> ", "a <b>> ")), ("a <b> <c>", ("a <b>", "c")),
        ("a\t<>", ("a", "")), ("x" + "\t" * 20_000 + "<a b", ("x" + "\t" * 20_000 + "<a b",) * 2),
    ],
)  # fmt: skip
def test_a_role_is_a_text_with_its_target_however_much_white_space_it_has(content, parts):
    assert text_and_target(content) == parts


def test_a_line_of_spaces_in_a_table_of_contents_is_no_entry(tmp_path):
    parsed = read(tmp_path, f"# Home\n\n```{{toctree}}\nThe pump <pump>\n{' ' * 20_000}\n<>\n{' ' * 20_000}x\n```\n")
    assert [link.target for one in parsed.components for link in one.links] == ["pump", "x"]
