from __future__ import annotations

import pytest

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.plain.text import parse_text

REPORT = """Annual report of the lighthouse
===============================

The lamp was replaced in March. It burns for
nine thousand hours, and the keeper writes
down each of them.

1. Keepers

Two keepers serve the light, see https://light.example/keepers.

1.1 Hours

- Anna: nights
- Jon: days

REPAIRS

The lens      1,200
The stair        90
"""


@pytest.fixture
def parsed(tmp_path):
    def parse(content: str | bytes, name: str = "light_house.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return parse_text(path, name)

    return parse


def test_headings_without_markup_make_sections(parsed):
    document = parsed(REPORT)
    title = "Annual report of the lighthouse"
    assert document.document.title == title
    assert [part.section for part in document.components] == [
        title, f"{title} > 1. Keepers", f"{title} > 1. Keepers > 1.1 Hours", f"{title} > 1. Keepers > REPAIRS",
    ]  # fmt: skip


def test_prose_is_joined_and_lists_and_columns_keep_their_lines(parsed):
    prose, _, items, columns = (part.text for part in parsed(REPORT).components)
    assert "burns for nine thousand hours, and the keeper writes down" in prose
    assert items == "- Anna: nights\n- Jon: days"
    assert columns == "The lens      1,200\nThe stair        90"


def test_addresses_are_links_without_the_full_stop_behind_them(parsed):
    (link,) = parsed(REPORT).components[1].links
    assert (link.kind, link.target) == ("external", "https://light.example/keepers")


def test_a_chapter_is_a_section_and_no_title(parsed):
    document = parsed("CHAPTER I\n\nIt was in July.\n\nCHAPTER II\n\nIt was in August.\n")
    assert document.document.title == "Light house"
    assert [part.section for part in document.components] == ["CHAPTER I", "CHAPTER II"]


def test_a_long_run_of_lines_is_divided_where_sentences_end(parsed):
    document = parsed(
        "".join(f"Sentence number {n} of the log says that nothing at all was seen.\n" for n in range(400))
    )
    assert len(document.components) > 8
    assert all(len(part.text) < 4_500 and part.text.endswith(".") for part in document.components)
    assert "number 399" in document.components[-1].text


def test_encodings_are_named_and_text_encoded_twice_is_put_right(parsed):
    document = parsed("Die Höhe über dem Meer beträgt 12 m.".encode("cp1252"))
    assert document.components[0].text == "Die Höhe über dem Meer beträgt 12 m."
    assert "cp1252" in document.skipped[0].reason
    twice = parsed("He kept the light 1986–1990, “alone”.".encode().decode("latin-1"))
    assert twice.components[0].text == "He kept the light 1986–1990, “alone”."
    assert "3 characters" in twice.skipped[0].reason
    assert parsed("Ã© alone is kept as it is.").components[0].text == "Ã© alone is kept as it is."


@pytest.mark.parametrize(("content", "problem"), [(b" \n", "empty"), (b"\x00\x01\x02" * 99, "binary")])
def test_what_is_no_text_is_refused_with_the_reason(parsed, content, problem):
    with pytest.raises(UnreadableSource, match=problem):
        parsed(content)
