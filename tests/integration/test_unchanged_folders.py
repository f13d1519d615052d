"""Of a folder only files that differ, or whose surroundings do, are parsed again; the corpus is as if all were.

So it is with documents of a bundle.
"""

import json
import os
import signal
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_ingest import run_victim
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PIL import Image

from backtrail.ingest.bundles import parse as bundles
from backtrail.ingest.discover import Source
from backtrail.ingest.parse_cache import root_cache
from backtrail.ingest.parsing import file as parsing
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check, delete_documents
from backtrail.tools.corpus.open import open_corpus

LONG_AGO = 1_600_000_000


def picture(color: str, side: int = 120) -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (side, side), color).save(buffer, "PNG")
    return buffer.getvalue()


def saved(name: str, more: str = "") -> str:
    notice = "<p>All rights are reserved by the makers of these pages, everywhere.</p>"
    return (
        f"<html><head><title>{name}</title></head><body>{notice}<h1>{name}</h1><p>About {name} {more}</p></body></html>"
    )


FILES: dict[str, str | bytes] = {
    "guide/mkdocs.yml": "site_name: Guide\nnav:\n  - Start: index.md\n  - Deep: deep/one.md\n",
    "guide/docs/index.md": '# Start\n\nSee [one](deep/one.md) and [two](deep/two.md).\n\n--8<-- "part.txt"\n',
    "guide/docs/deep/one.md": "# One\n\n![a square](square.png)\n\nText of one. [Back](../index.md)\n",
    "guide/docs/deep/two.md": "# Two\n\nSee [[one]] and ![gone](missing.png).\n",
    "guide/docs/deep/square.png": picture("red"),
    "guide/docs/deep/alone.png": picture("green"),
    "guide/docs/deep/icon.png": picture("black", 20),
    "guide/part.txt": "What is included.\n",
    "sphinx/conf.py": "project = 'Sphinx'\n",
    "sphinx/index.rst": "Index\n=====\n\n.. toctree::\n\n   first\n   second\n",
    "sphinx/first.rst": "First\n=====\n\nSee :ref:`there`.\n\n.. include:: shared.inc\n",
    "sphinx/second.rst": ".. _there:\n\nSecond\n======\n\nText of the second.\n",
    "sphinx/shared.inc": "Shared words.\n",
    **{f"saved/{name}.html": saved(name) for name in "abcdef"},
    "photos/a.jpg.txt": "A blue square.",
    "photos/a.jpg": picture("blue"),
    "table.csv": "name,height\nOak,20\nElm,30\n",
}

OTHERS: dict[str, list[str | bytes]] = {
    "guide/mkdocs.yml": ["site_name: Guide\nnav:\n  - All:\n    - Deep: deep/one.md\n    - Two: deep/two.md\n"],
    "guide/docs/index.md": ["# Start\n\nSee [two](deep/two.md).\n", '# Another start\n\n--8<-- "part.txt"\n'],
    "guide/docs/deep/one.md": ["# One\n\nOther text.\n", "---\ntitle: Renamed\n---\n# One\n\n![a](square.png)\n"],
    "guide/docs/deep/square.png": [picture("yellow"), b"no picture"],
    "guide/docs/deep/missing.png": [picture("white")],
    "guide/docs/deep/new.md": ["# New\n\nSee [one](one.md) and ![alone](alone.png).\n"],
    "guide/part.txt": ["What is included now.\n"],
    "sphinx/index.rst": ["Index\n=====\n\n.. toctree::\n   :caption: Both\n\n   second\n   first\n"],
    "sphinx/second.rst": ["Second\n======\n\n.. _there:\n\nBelow\n-----\n\nText.\n"],
    "sphinx/shared.inc": ["Other shared words.\n"],
    "saved/a.html": [saved("a", "changed"), "<html><body><h1>a</h1><p>Nothing is repeated.</p></body></html>"],
    "saved/g.html": [saved("g")],
    "photos/a.jpg.txt": ["A square that is blue."],
    "photos/b.jpg": [picture("purple")],
    "table.csv": ["name,height\nOak,21\n"],
}

edits = st.lists(
    st.dictionaries(
        st.sampled_from(sorted(OTHERS.keys() | FILES.keys())),
        st.integers(-1, 2),  # -1 takes it away, others choose among what it may be
        min_size=1,
        max_size=3,
    ),
    min_size=2,
    max_size=4,
)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    whole = parsing.parse_file

    def counted(source: Source, *more: Any) -> Iterator[Any]:
        found.append(source.document_id)
        return whole(source, *more)

    monkeypatch.setattr(parsing, "parse_file", counted)
    return found


class Folder:
    """A folder whose files were written one after the other, long ago or just now."""

    def __init__(self, root: Path, *, settled: bool = True) -> None:
        self.root, self._settled, self._now = root, settled, LONG_AGO
        self.write(FILES)

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink(missing_ok=True)
                continue
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            self._now += 10
            if self._settled:
                os.utime(path, (self._now, self._now))

    def edit(self, changes: Mapping[str, int]) -> None:
        for name, number in changes.items():
            choices = [*OTHERS.get(name, []), *([FILES[name]] if name in FILES else [])]
            self.write({name: None if number < 0 else choices[number % len(choices)]})


def run(folder: Path, corpus: str = "kept") -> IngestReport:
    return ingest([folder], corpus, embedder="hashed", opened=HashedEmbedder())


STORED = (
    "select id, title, summary, url, content_hash, source, search_text from documents",
    "select id, position, modality, section, content, blob, search_text from components",
    """select c.id, ordinal, written, wanted, fragment, anchor, kind, target, l.component
       from links l join components c on c.key = l.component_key""",
    "select d.id, fragment, component from fragments f join documents d on d.key = f.document_key",
)


def stored(home: Path, corpus: str) -> list[list[str]]:
    """What a corpus holds, but for keys and the order in which it came."""
    with sqlite3.connect(home / "corpora" / corpus / "corpus.sqlite") as database:
        return [sorted(map(repr, database.execute(query))) for query in STORED]


def rankings(corpus: str) -> dict[str, Any]:
    opened = open_corpus(corpus, embedder=HashedEmbedder())
    ids = sorted(hit["id"] for hit in opened.search_documents(opened.embed(["x"]), "document", 99))
    components = sorted(one for held in opened.children(ids).values() for one in held)
    found: dict[str, Any] = {"links": opened.links(components)}
    # siblings stand in reading order, which is that of the ingests
    found["hierarchy"] = {name: sorted(map(repr, links)) for name, links in opened.hierarchy(ids).items()}
    found["edges"] = opened.edge_kinds()
    for query in ("square words", "text of the second", "oak height"):
        found[query] = sorted(
            (hit["id"], round(hit["score"], 5)) for hit in opened.search_lexical(query, "component", 50)
        )
    return found


@settings(
    max_examples=int(os.environ.get("BACKTRAIL_TEST_EXAMPLES", "3")),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # making an example smaller takes minutes here
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=edits, settled=st.booleans())
def test_after_any_edits_the_corpus_is_that_of_a_fresh_ingest(
    steps: list[dict[str, int]],
    settled: bool,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    top = tmp_path_factory.mktemp("edits")
    monkeypatch.setenv("BACKTRAIL_HOME", str(top / "home"))
    folder = Folder(top / "folder", settled=settled)
    run(folder.root, "changed")
    for changes in steps:
        folder.edit(changes)
        run(folder.root, "changed")
    run(folder.root, "fresh")
    assert stored(top / "home", "changed") == stored(top / "home", "fresh")
    assert rankings("changed") == rankings("fresh")


def test_of_a_folder_only_what_changed_is_parsed(tmp_path: Path, parsed: list[str]) -> None:
    folder = Folder(tmp_path / "folder")
    first = run(folder.root)
    assert len(parsed) == len(set(parsed)) == first.added - first.unreferenced_pictures > 10
    for changes, wanted in (
        ({}, set()),
        (FILES, set()),  # the same bytes at another time
        ({"saved/a.html": saved("a", "changed")}, {"saved/a.html"}),
        ({"guide/docs/deep/one.md": "# One\n\nAnother text.\n"}, {"guide/docs/deep/one.md"}),
        ({"guide/docs/deep/square.png": picture("yellow")}, set()),  # no page shows it any more
        ({"guide/part.txt": "Included otherwise.\n"}, {"guide/part.txt", "guide/docs/index.md"}),
        ({"sphinx/shared.inc": "Other words.\n"}, {"sphinx/first.rst"}),
        ({"guide/docs/deep/missing.png": picture("white")}, {"guide/docs/deep/two.md"}),
        ({"photos/a.jpg.txt": "Said otherwise."}, {"photos/a.jpg"}),
        ({"photos/b.jpg": picture("purple")}, {"photos/b.jpg"}),
        ({"saved/g.html": saved("g")}, {"saved/g.html"}),
        ({"saved/c.html": None}, set()),
        ({"sphinx/second.rst": ".. _there:\n\nRenamed\n=======\n\nText.\n"}, {"sphinx/first.rst", "sphinx/second.rst"}),
    ):  # fmt: skip
        folder.write(changes)
        parsed.clear()
        report = run(folder.root)
        assert set(parsed) == wanted, changes
        assert report.failed == []


def test_other_contents_of_the_same_size_are_seen_within_the_same_moment(tmp_path: Path, parsed: list[str]) -> None:
    folder = Folder(tmp_path / "folder", settled=False)
    run(folder.root)
    page = folder.root / "guide/docs/deep/two.md"
    written = page.stat().st_mtime_ns
    page.write_text(page.read_text().replace("See", "Sea"))
    os.utime(page, ns=(written, written))  # what a coarse file system would say
    parsed.clear()
    assert (run(folder.root).changed, "guide/docs/deep/two.md" in parsed) == (1, True)


@pytest.mark.parametrize("stage", ["12", "publish"])
def test_a_killed_ingest_leaves_nothing_that_hides_a_change(stage: str, tmp_path: Path, home: Path) -> None:
    folder = Folder(tmp_path / "folder")
    run(folder.root)
    folder.edit({"guide/docs/deep/one.md": 1, "saved/a.html": 0, "sphinx/shared.inc": 0, "photos/a.jpg": -1})
    assert run_victim(folder.root, stage, home, "kept") == -signal.SIGKILL
    folder.edit({"saved/a.html": 1, "guide/part.txt": 0})
    run(folder.root)
    run(folder.root, "fresh")
    assert stored(home, "kept") == stored(home, "fresh")


# --- bundles -----------------------------------------------------------------------------------------
@pytest.fixture
def read_components(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the components that are parsed from bundles."""
    found: list[str] = []
    whole = bundles.read_component
    monkeypatch.setattr(bundles, "read_component", lambda line: found.append(line["id"]) or whole(line))
    return found


def write(folder: Path, texts: dict[str, str], extra: list[dict] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    named = [{"id": name, "title": f"Title {name}"} for name in texts]
    lines = [
        {"id": f"{name}#0", "document": name, "position": 0, "modality": "text", "text": text}
        for name, text in texts.items()
    ]
    for file, values in (("documents", named), ("components", [*lines, *(extra or [])])):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    return folder


def picture_of(document: str, file: str) -> dict:
    image = {"file": file, "caption": "A square", "title": ""}
    return {"id": f"{document}#p", "document": document, "position": 1, "modality": "image", "image": image}


def counted(report: IngestReport) -> IngestReport:
    return replace(report, seconds=0.0, embedded=0, version="", dead_links={}, edges={}, links={})


def test_of_a_bundle_only_documents_that_changed_are_parsed(
    tmp_path: Path, read_components: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {f"d{n}": f"Text {n}." for n in range(6)}
    folder = write(tmp_path / "bundle", texts)
    assert (run(folder).added, len(read_components)) == (6, 6)
    read_components.clear()
    assert (run(folder).unchanged, read_components) == (6, [])
    del texts["d4"]
    report = run(write(folder, texts | {"d2": "Another.", "new": "New."}))
    assert read_components == ["d2#0", "new#0"]
    assert (report.added, report.changed, report.unchanged, report.deleted) == (1, 1, 4, 1)
    assert check("kept") == []
    read_components.clear()
    monkeypatch.setattr(root_cache, "parsers", lambda: "others")  # other versions of parsers parse again
    assert (run(folder).unchanged, len(read_components)) == (6, 6)


def test_the_report_is_the_same_whether_documents_are_parsed_or_not(tmp_path: Path, home: Path) -> None:
    extra = [picture_of("a", "there.png"), picture_of("b", "gone.png")]
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."}, extra)
    Image.new("RGB", (40, 40), "red").save(folder / "there.png")
    run(folder)
    taken_over = run(folder)
    assert (taken_over.pictures, len(taken_over.warnings), taken_over.unchanged) == (1, 1, 2)
    for file in (home / "corpora" / "kept" / "readings").iterdir():
        file.unlink()
    assert counted(run(folder)) == counted(taken_over)


def test_pictures_that_change_come_or_go_are_seen(tmp_path: Path, read_components: list[str]) -> None:
    extra = [picture_of("a", "a.png"), picture_of("b", "b.png")]
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two.", "c": "Three."}, extra)
    Image.new("RGB", (40, 40), "red").save(folder / "a.png")
    run(folder)
    for change in ("other contents", "there now", "gone"):
        read_components.clear()
        if change == "gone":
            (folder / "a.png").unlink()
        else:
            Image.new("RGB", (40, 40), "blue").save(folder / ("a.png" if change == "other contents" else "b.png"))
        document = "b" if change == "there now" else "a"
        assert (run(folder).changed, set(read_components)) == (1, {f"{document}#0", f"{document}#p"}), change


def test_what_is_written_just_before_an_ingest_is_seen_to_change_within_the_same_moment(tmp_path: Path) -> None:
    folder = write(tmp_path / "bundle", {"a": "One."}, [picture_of("a", "a.bmp")])
    files = [folder / "a.bmp", folder / "components.jsonl"]
    Image.new("RGB", (40, 40), "red").save(files[0])
    times = [file.stat().st_mtime_ns + 3_600_000_000_000 for file in files]  # written just now, however slow we are
    for file, time in zip(files, times, strict=True):
        os.utime(file, ns=(time, time))
    run(folder)
    assert run(folder).unchanged == 1
    for file, content in zip(files, (b"\xff\x00\x00", b"Two."), strict=True):
        file.write_bytes(file.read_bytes().replace(b"\x00\x00\xff" if file is files[0] else b"One.", content))
        for one, time in zip(files, times, strict=True):
            os.utime(one, ns=(time, time))  # what a coarse file system would say
        assert run(folder).changed == 1, file


def test_what_the_corpus_no_longer_holds_is_parsed(tmp_path: Path, read_components: list[str]) -> None:
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."})
    run(folder)
    run(write(tmp_path / "other", {"z": "Of another folder."}))
    delete_documents("kept", ["a"], opened=HashedEmbedder())
    read_components.clear()
    assert (run(folder).added, set(read_components)) == (1, {"a#0", "b#0"})  # forgetting leaves no readings either


@pytest.mark.parametrize("content", [b"no zlib", "[9, 9, 9, {}]\n", "cut", "entries"])
def test_readings_that_are_damaged_or_of_another_version_cost_time_alone(
    content: str | bytes, tmp_path: Path, home: Path, read_components: list[str]
) -> None:
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."})
    run(folder)
    (file,) = (home / "corpora" / "kept" / "readings").iterdir()
    first, *entries = zlib.decompress(file.read_bytes()).splitlines(keepends=True)
    damaged = {
        "cut": file.read_bytes()[:-5],
        "entries": zlib.compress(first + b"".join(entry[:-3] + b"\n" for entry in entries)),
    }
    if isinstance(content, str):
        content = damaged.get(content) or zlib.compress(content.encode())
    file.write_bytes(content)
    for read in (2, 0):
        read_components.clear()
        assert (run(folder).unchanged, len(read_components)) == (2, read)


def test_a_bad_line_is_told_of_each_time_and_takes_nothing_away(tmp_path: Path) -> None:
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."})
    run(folder)
    with (folder / "components.jsonl").open("a") as file:
        file.write('{"id": "a#1", "document": "a", "position": 1, "modality": "text", "text": 3}\n')
    for _ in range(2):
        report = run(folder)
        assert (len(report.failed), report.unchanged) == (1, 2)
    write(folder, {"a": "One.", "b": "Two."}, [{"id": "x", "document": "nowhere"}])
    report = run(folder)
    assert (len(report.failed), report.unchanged, report.deleted) == (1, 2, 0)
