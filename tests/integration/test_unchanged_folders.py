"""Of a folder only files that differ, or whose surroundings do, are parsed again; the corpus is as if all were."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_ingest import run_victim
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PIL import Image

from backtrail.ingest.discover import Source
from backtrail.ingest.parsing import file as parsing
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
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
    """Ids of the files that are parsed."""
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
