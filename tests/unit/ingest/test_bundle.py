import gzip
import json
import os

import pytest

from backtrail.ingest import jsonl
from backtrail.ingest.bundles.parse import parse_bundle
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.jsonl import BadLine

DOCUMENTS = [{"id": "/a", "title": "A", "url": "u", "chapter": 3}, {"id": "b", "title": "B"}]


def text(identifier, document="/a", position=0, **more):
    return {"id": identifier, "document": document, "position": position, "modality": "text", "text": "t"} | more


def write(folder, components, documents=DOCUMENTS, *, zipped=False):
    for name, lines in (("documents", documents), ("components", components)):
        content = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()
        if zipped:
            (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(content))
        else:
            (folder / f"{name}.jsonl").write_bytes(content)
    return folder


def read(folder):
    entries = list(parse_bundle(folder))
    bad = [entry for entry in entries if isinstance(entry, BadLine)]
    return bad, {entry.document.id: entry for entry in entries if not isinstance(entry, BadLine)}


@pytest.mark.parametrize("zipped", [False, True])
def test_components_in_any_order_are_grouped_and_ids_kept(tmp_path, zipped):
    table = {"caption": "C", "header": ["h"], "rows": [["1", "2"], []]}
    link = {"target": "/a", "anchor": "x", "row": 0, "column": 1, "component": "two"}
    components = [
        text("two", position=7, section="S > T"),
        text("three", "b"),
        text("one", position=2, modality="table", text=None, table=table, links=[link, {"target": "http://e.org"}]),
    ]
    bad, documents = read(write(tmp_path, components, zipped=zipped))
    assert bad == []
    assert list(documents) == ["/a", "b"]
    one, two = documents["/a"].components
    assert [(one.id, one.position), (two.id, two.position)] == [("one", 0), ("two", 1)]
    assert (one.table.header, one.table.rows) == (("h", ""), (("1", "2"), ("", "")))
    assert [(known.target, known.kind, known.component) for known in one.links] == [
        ("/a", "internal", "two"),
        ("http://e.org", "external", None),
    ]
    assert documents["/a"].fragments == {"one": "one", "two": "two"}
    assert documents["/a"].document.url == "u"


ONE_CELL = {"header": ["a"], "rows": [["1"]]}
BAD = [
    ("{", "not JSON"),
    ('{"id": "\\ud800"}', "missing"),
    (text("\ud800"), "surrogate"),
    ({k: v for k, v in text("x").items() if k != "position"}, "'position' is missing"),
    (text("x", position=True), "whole number"),
    (text("x", "zzz"), "unknown"),
    (text("x", modality="video"), "none of"),
    (text("x", text=None), "exactly"),
    (text("x", modality="table", text=None, table={"header": [1], "rows": []}), "header of the table"),
    (text("x", modality="image", text=None, image={"file": 3}), "path or null"),
    (text("x", links=[{"anchor": "a"}]), "link 0: field 'target' is missing"),
    (text("good"), "occurs twice"),
    (text("x", modality="table", text=None, table=ONE_CELL, links=[{"target": "b", "row": 1, "column": 0}]), "no cell"),
]


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_one_bad_line_costs_one_line(tmp_path, line, reason):
    bad, documents = read(write(tmp_path, [text("good"), line, text("after")]))
    (entry,) = bad
    assert (entry.file.name, entry.line) == ("components.jsonl", 2)
    assert reason in entry.reason
    assert [component.id for component in documents["/a"].components] == ["good", "after"]


def test_bad_documents(tmp_path):
    documents = [*DOCUMENTS, {"id": "b", "title": "again"}, {"title": "x"}, {"id": "c"}, {"id": "d", "title": ""}]
    bad, read_documents = read(write(tmp_path, [text("x", "c")], documents))
    assert [entry.line for entry in bad] == [3, 4, 5, 1]
    assert read_documents["d"].document.title == "d"


def test_bytes_that_are_not_utf8_a_byte_order_mark_overlong_lines_and_a_missing_file(tmp_path, monkeypatch):
    write(tmp_path, [])
    lines = [json.dumps(text("one")).encode(), b'{"id": "\xff"}', b"", json.dumps(text("two")).encode()]
    (tmp_path / "components.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    bad, documents = read(tmp_path)
    assert [(entry.line, entry.reason) for entry in bad] == [(2, "not UTF-8")]
    assert len(documents["/a"].components) == 2
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 2**20)
    bad, documents = read(write(tmp_path, [text("one", text="y" * 2**22), text("two")]))
    assert [(entry.line, "longer" in entry.reason) for entry in bad] == [(1, True)]
    assert len(documents["/a"].components) == 1
    (tmp_path / "components.jsonl").unlink()
    with pytest.raises(UnreadableSource, match=r"components\.jsonl"):
        list(parse_bundle(tmp_path))


def test_a_file_that_breaks_off_gives_what_it_has(tmp_path):
    write(tmp_path, [text(f"c{n}", text=os.urandom(30).hex()) for n in range(2000)], zipped=True)
    path = tmp_path / "components.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-5000])
    bad, documents = read(tmp_path)
    assert "truncated" in bad[-1].reason
    assert len(documents["/a"].components) > 100


def test_pictures_stay_inside_the_bundle(tmp_path, picture):
    folder = tmp_path / "bundle"
    (folder / "media").mkdir(parents=True)
    (folder / "media" / "a.png").write_bytes(picture())
    (tmp_path / "secret.png").write_bytes(picture())
    files = ["media/a.png", "../secret.png", str(tmp_path / "secret.png"), "gone.png", None]
    components = [
        text(f"i{n}", position=n, modality="image", text=None, image={"file": file, "caption": "c", "title": "t"})
        for n, file in enumerate(files)
    ]
    bad, documents = read(write(folder, components))
    parsed = documents["/a"]
    assert bad == []
    assert [component.image.blob is not None for component in parsed.components] == [True] + [False] * 4
    assert len(parsed.skipped) == 3
    assert list(parsed.blobs.values()) == [(folder / "media" / "a.png").resolve()]
