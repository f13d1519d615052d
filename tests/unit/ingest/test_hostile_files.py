"""Files that are broken or mean harm, of which more is asked than of those of the campaign: what is said of them."""

import zipfile
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest import archive
from backtrail.ingest.discover import Source
from backtrail.ingest.kinds import kind_of
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import Problem
from backtrail.ingest.sheets import xlsx
from campaigns.hostile.documents import MAIN, parts_of, sound, with_part, zipped

VALID = sound()
ZIPPED = (".docx", ".pptx", ".xlsx", ".epub", ".ods")


def read(tmp_path: Path, content: bytes, ending: str) -> list[ParsedDocument | Problem]:
    path = tmp_path / f"file{ending}"
    path.write_bytes(content)
    kind = kind_of(path)
    assert kind is not None
    found = list(parse(Source(kind, path, path.name, tmp_path)))
    assert found, "neither read nor refused"
    assert all(one.reason for one in found if isinstance(one, Problem))
    return found


def refused(found: list[ParsedDocument | Problem]) -> str:
    (problem,) = found
    assert isinstance(problem, Problem)
    return problem.reason


@pytest.mark.parametrize("ending", ZIPPED)
def test_archives_that_are_too_large_unpacked_or_have_too_many_parts_are_refused(tmp_path, ending, monkeypatch):
    monkeypatch.setattr(archive, "MAX_UNPACKED", 3 * 2**20)
    monkeypatch.setattr(archive, "MAX_MEMBERS", 200)
    parts = parts_of(VALID[ending])
    zeros = {f"media/{name}.bin": bytes(2**20) for name in "abc"}
    assert "unpacked, more than 200 or 3 MB" in refused(read(tmp_path, zipped({**parts, **zeros}), ending))
    many = zipped({**parts, **{f"p/{n}": b"" for n in range(201)}}, zipfile.ZIP_STORED)
    assert "parts with" in refused(read(tmp_path, many, ending))


@pytest.mark.parametrize("ending", [".docx", ".pptx", ".epub"])
def test_more_tags_than_a_tree_may_have_are_refused_before_there_is_one(tmp_path, ending, monkeypatch):
    monkeypatch.setattr(archive, "MAX_MARKS", 60_000)
    found = read(tmp_path, with_part(VALID[ending], MAIN[ending], b"<a>" + b"<b/>" * 60_000 + b"</a>"), ending)
    assert "more than 60,000 tags" in refused(found)
    assert isinstance(read(tmp_path, VALID[ending], ending)[0], ParsedDocument)


def test_a_part_behind_another_of_its_name_or_called_otherwise_is_counted_too(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_MARKS", 60_000)
    parts = parts_of(VALID[".pptx"])
    slide = "ppt/slides/slide1.xml"
    many = b"\xef\xbb\xbf<a>" + b"<b/>" * 60_000 + b"</a>"
    for others in ({"ppt/slides/slide1.bin": many}, {slide: many, f"/{slide}": b"<a/>"}):
        assert "more than 60,000 tags" in refused(read(tmp_path, zipped({**parts, **others}), ".pptx"))
    media = b"\x89<" * 200_000
    assert isinstance(read(tmp_path, zipped({**parts, "ppt/media/a.bin": media}), ".pptx")[0], ParsedDocument)


def test_rows_and_cells_without_numbers_are_counted_and_rows_within_bounds(tmp_path, monkeypatch):
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rows = '<row r="2"><c r="A2"><v>7</v></c><c r="B2"><v>8</v></c></row><row><c><v>9</v></c></row>'
    sheet = f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>".encode()
    (document,) = read(tmp_path, with_part(VALID[".xlsx"], "sheet1.xml", sheet), ".xlsx")
    assert isinstance(document, ParsedDocument)
    said = " ".join(part.model_dump_json() for part in document.components)
    assert all(f'"{number}"' in said for number in (7, 8, 9))
    monkeypatch.setattr(xlsx, "ROW_CELLS", 2)
    wide = f"<worksheet {space}><sheetData><row>{'<c/>' * 3}</row></sheetData></worksheet>".encode()
    assert "a row of 3 cells" in refused(read(tmp_path, with_part(VALID[".xlsx"], "sheet1.xml", wide), ".xlsx"))


LAUGHS = "a0: &a0 [lol, lol]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 24))
DEEP = '{"a":' * 200 + "1" + "}" * 200
CELL = '{"cell_type": "markdown", "source": "hi"}'
LARGER, DEEPER, LONGER = "characters", "more than 100 levels deep", "more than 4,300 digits"


def problems(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """What an ingest says of each file that it does not read; a good page beside them is read whatever they are."""
    for name, text in {**files, "good.md": "# Good\n\nThe moon is grey."}.items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = ingest([folder / "pages"], "limits", embedder="hashed", opened=HashedEmbedder())
    assert report.added >= 1
    named = [*report.failed, *report.skipped, *report.warnings]
    return {Path(one.source).relative_to(folder / "pages").as_posix(): one.reason for one in named}


@pytest.mark.parametrize(
    ("name", "text", "limit"),
    [
        ("page.md", f"---\n{LAUGHS}---\n# Page", LARGER),
        ("page.html", f"---\n{LAUGHS}---\n<p>Page</p>", LARGER),
        ("_config.yml", f"x: 0x{'f' * 5_000}\n", LONGER),
        ("hugo.toml", f"baseurl = 'x'\nx{'.a' * 1_000} = 1\n", DEEPER),
        ("mkdocs.yml", f"site_name: x\n# {'x' * 2**21}", "larger than 2 MB"),
        ("notes.ipynb", f'{{"cells": [{CELL}], "metadata": {DEEP}}}', DEEPER),
    ],
)
def test_a_file_beyond_a_limit_fails_alone(tmp_path: Path, name: str, text: str, limit: str) -> None:
    found = problems(tmp_path, {name: text})
    assert found.keys() == {name}
    assert limit in found[name]


def test_a_line_of_a_bundle_beyond_a_limit_fails_alone(tmp_path: Path) -> None:
    document = '{"id": "d", "title": "D"}'
    component = '{"id": "c", "document": "d", "position": 0, "modality": "text", "text": "hi"'
    deep = f'{component}, "x": {DEEP}}}'
    bundle = {"documents.jsonl": document, "components.jsonl": f"{component}}}\n{deep}\n"}
    found = problems(tmp_path, {f"bundle/{name}": text for name, text in bundle.items()})
    assert found.keys() == {"bundle/components.jsonl:2"}
    assert DEEPER in found["bundle/components.jsonl:2"]
