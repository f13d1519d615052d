"""Ingest real files into a real corpus: once, again, changed, vanished, broken; and folders as people have them."""

import errno
import json
import multiprocessing
import os
import shutil
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle
from PIL import Image

from backtrail.cli.show.ingest_lines import contents_lines
from backtrail.evals.gold import find_components
from backtrail.evals.questions import Evidence
from backtrail.ingest.errors import NothingCameFrom
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.errors import CorpusDiskFull, CorpusEmpty, CorpusLocked
from backtrail.tools.corpus.manage import check, describe, list_corpora
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.writing import build_generation, vector_cache
from backtrail.tools.vector_stores.index_folder import wait_for_builds

PAGES = {
    "moon.html": "<title>Moon</title><p>The moon orbits <a href='earth.html#air'>the earth</a>. It is grey.</p>",
    "earth.html": "<title>Earth</title><p>The earth is blue.</p><p id='air'>It has air. <a href='sun.html'>Sun</a></p>",
}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, markup in PAGES.items():
        (folder / name).write_text(markup)
    return folder


def run(
    path: Path, corpus: str = "sky", embedder: HashedEmbedder | None = None, *, forget: bool = False
) -> IngestReport:
    return ingest([path], corpus, embedder="hashed", opened=embedder or HashedEmbedder(), forget=forget)


def opened(corpus: str = "sky") -> StoredCorpus:
    return open_corpus(corpus, embedder=HashedEmbedder())


def test_first_time(pages: Path) -> None:
    report = run(pages)
    assert (report.added, report.changed, report.unchanged, report.deleted) == (2, 0, 0, 0)
    assert report.links == {"internal": 1, "dead": 1, "external": 0}
    assert json.dumps(report.as_json())
    assert check("sky") == []
    corpus = opened()
    link = corpus.links(corpus.children(["moon.html"])["moon.html"]).popitem()[1][0]
    assert link.target == "earth.html"
    assert corpus.components([link.component or ""])[link.component or ""].text == "It has air. Sun"


def test_again_embeds_and_changes_nothing_and_the_version_follows_contents_alone(pages: Path) -> None:
    first = run(pages)
    embedder = HashedEmbedder()
    again = run(pages, embedder=embedder)
    assert (again.unchanged, again.anything_new, again.embedded, embedder.embedded) == (2, False, 0, [])
    assert (again.version, again.links) == (first.version, first.links)
    assert describe("sky").generation == 1
    (pages / "moon.html").write_text("<p>Other.</p>")
    assert run(pages).version != first.version
    (pages / "moon.html").write_text(PAGES["moon.html"])
    assert run(pages).version == first.version
    assert run(pages, "elsewhere").version == first.version


def test_vanished_documents_go_others_stay_and_what_became_unreadable_keeps_its_earlier_version(
    pages: Path, tmp_path: Path
) -> None:
    single = tmp_path / "other.md"
    single.write_text("# Other\n\nText.")
    run(pages)
    run(single)
    (pages / "moon.html").unlink()
    (pages / "earth.html").write_bytes(b"\x00\x01\x02" * 50)
    report = run(pages)
    assert (report.deleted, report.unchanged, len(report.failed)) == (1, 0, 1)
    assert "earth.html" in report.failed[0].source
    assert list(opened().documents(["moon.html", "earth.html", "other.md"])) == ["earth.html", "other.md"]
    assert describe("sky").deleted == 1
    assert check("sky") == []


def test_a_file_given_by_itself_is_the_one_in_its_folder(pages: Path) -> None:
    run(pages)
    assert run(pages / "moon.html").unchanged == 1
    (pages / "moon.html").write_text("<p>Changed.</p>")
    assert run(pages / "moon.html").changed == 1
    assert (report := run(pages)).unchanged == 2
    assert not report.failed
    assert not report.deleted


def test_another_copy_of_a_folder_takes_its_place_when_told_to(pages: Path, tmp_path: Path) -> None:
    run(pages)
    copy = tmp_path / "second checkout"
    shutil.copytree(pages, copy)
    (copy / "moon.html").write_text("<title>Moon</title><p>The moon is far away.</p>")
    (copy / "earth.html").unlink()
    (copy / "new.html").write_text("<title>New</title><p>What came since.</p>")
    assert "--instead-of" in run(copy).failed[0].reason

    report = ingest([copy], "sky", embedder="hashed", opened=HashedEmbedder(), instead_of=[pages])
    assert not report.failed
    assert (report.unchanged, report.changed, report.deleted) == (1, 1, 1)  # the new page came with the refused run
    assert set(opened().documents(["moon.html", "earth.html", "new.html"])) == {"moon.html", "new.html"}
    assert run(copy).unchanged == 2
    with pytest.raises(NothingCameFrom, match="second checkout"):
        ingest([copy], "sky", embedder="hashed", opened=HashedEmbedder(), instead_of=[pages])


def test_nothing_readable(tmp_path: Path) -> None:
    (tmp_path / "bad.html").write_bytes(b"\x00\x01\x02" * 50)
    with pytest.raises(CorpusEmpty, match=r"bad\.html"):
        run(tmp_path / "bad.html")
    assert list_corpora() == []


def test_duplicate_and_clashing_ids(tmp_path: Path) -> None:
    first = write_bundle(tmp_path / "first", {"a": ["text of a"], "b": ["text of b"]})
    second = write_bundle(tmp_path / "second", {"a": ["another a"], "c": ["text of c"]})
    report = ingest([first, second], "both", embedder="hashed", opened=HashedEmbedder())
    assert report.added == 3
    assert "has the same id" in report.failed[0].reason
    assert opened("both").components(["a#0"])["a#0"].text == "text of a"
    # in a later run the id is taken as well, as long as the first folder is there
    assert "has another document" in run(second, "both").failed[0].reason
    shutil.rmtree(first)
    assert run(second, "both").changed == 1


def test_component_ids_are_never_shared(tmp_path: Path) -> None:
    write_bundle(tmp_path / "one", {"a": ["first"]})
    other = write_bundle(tmp_path / "two", {"b": ["second"]})
    lines = (other / "components.jsonl").read_text().replace('"id": "b#0"', '"id": "a#0"')
    (other / "components.jsonl").write_text(lines)
    run(tmp_path / "one", "ids")
    report = run(tmp_path / "two", "ids")
    assert "'a#0' already belongs to document 'a'" in report.failed[0].reason
    assert check("ids") == []


def test_an_ingest_that_forgets_leaves_nothing_of_what_was_removed_or_replaced(pages: Path, home: Path) -> None:
    (pages / "mars.html").write_text("<title>Mars</title><p>Mars has two companions, Phobos and Deimos.</p>")
    run(pages)
    folder = home / "corpora" / "sky"
    secrets = [b"orbit", b"phobo", opened().vectors(["mars.html"], "document")[0].tobytes()]  # words as stems, too
    assert all(_stands_in(folder, secret) for secret in secrets)
    (pages / "moon.html").write_text("<title>Moon</title><p>The moon is far away.</p>")
    (pages / "mars.html").unlink()
    report = run(pages)  # does not: readers of the generation before may be in the middle of it
    assert (report.changed, report.deleted) == (1, 1)
    assert all(_stands_in(folder, secret) for secret in secrets)
    report = run(pages, forget=True)
    assert (report.unchanged, report.changed, report.deleted) == (2, 0, 0)
    assert not any(_stands_in(folder, secret) for secret in [*secrets, b"Phobos"])
    assert check("sky") == []
    assert opened().search_lexical("far", "component", 5)
    (pages / "moon.html").write_text("<title>Moon</title><p>The moon is near.</p>")
    assert run(pages, forget=True).changed == 1
    assert not _stands_in(folder, b"far away")
    assert list((folder / "readings").iterdir())  # what is left is still not parsed again


def _stands_in(folder: Path, secret: bytes) -> bool:
    wait_for_builds()  # of vector indexes, in folders that they rename
    return any(secret in file.read_bytes() for file in folder.rglob("*") if file.is_file())


def _hold_lock(ready, done) -> None:  # type: ignore[no-untyped-def]
    with open_writer("sky", "hashed", HashedEmbedder()):
        ready.set()
        done.wait(60)


def test_a_second_writer_fails_at_once_and_readers_go_on(pages: Path) -> None:
    run(pages)
    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()
    holder = context.Process(target=_hold_lock, args=(ready, done))
    holder.start()
    try:
        assert ready.wait(60)
        with pytest.raises(CorpusLocked, match=rf"process {holder.pid} since 20") as caught:
            run(pages)
        assert caught.value.pid == holder.pid
        assert opened().documents(["moon.html"])
    finally:
        done.set()
        holder.join(60)
    assert run(pages).unchanged == 2


@pytest.mark.parametrize(
    ("owner", "attribute"),
    [(vector_cache.VectorCache, "put"), (build_generation, "write_array")],
    ids=["vectors", "arrays"],
)
def test_a_full_disk_loses_nothing(pages: Path, owner: object, attribute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run(pages)
    (pages / "sun.html").write_text("<title>Sun</title><p>The sun shines.</p>")

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(owner, attribute, full)
        with pytest.raises(CorpusDiskFull, match="Nothing that was stored before is lost"):
            run(pages)
    assert opened().version == before.version
    assert check("sky") == []
    assert run(pages).added == 1
    assert check("sky") == []


def test_the_report_says_what_became_of_links_pictures_and_tags(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "docs").mkdir(parents=True)
    (site / "mkdocs.yml").write_text("site_name: Part\n")
    (site / "docs/p").mkdir()
    (site / "docs/p/index.md").write_text("# Part\n\nx")
    (site / "docs/p/a.md").write_text("# A\n\n{% gone %} x")
    (site / "docs/index.md").write_text(
        "[1](gone.md) [again](gone.md) [2](p/a.md#no) [3](../../out.md) [4](x.zip) [5](p/) "
        "![6](no.png) ![7](https://e.org/p.png) {% gone %}"
    )
    for report in (run(site), run(site)):
        assert report.links == {"internal": 2, "dead": 4, "external": 0, "parent": 2, "child": 2}
        assert [(cause, dead.count, dead.examples) for cause, dead in report.dead_links.items()] == [
            ("to a page that is not there", 2, ["docs/index.md → docs/gone.md"]),
            ("out of the ingested folder", 1, ["docs/index.md → ../../out.md"]),
            ("to a file that is no document", 1, ["docs/index.md → docs/x.zip"]),
            ("to a place that its page does not have", 1, ["docs/index.md → docs/p/a.md#no"]),
        ]
        assert (report.pictures, sum(report.refused.values())) == (0, 2)
        assert report.left_out == {"tag gone": 2}
    assert check("sky") == []
    above = opened().hierarchy(["docs/p/a.md", "docs/p/index.md", "docs/index.md"])
    assert {id_: [(link.kind, link.target) for link in links] for id_, links in above.items()} == {
        "docs/p/a.md": [("parent", "docs/p/index.md")],
        "docs/p/index.md": [("parent", "docs/index.md"), ("child", "docs/p/a.md")],
        "docs/index.md": [("child", "docs/p/index.md")],
    }


# --- files of many kinds ---------------------------------------------------------------------------
@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    book = openpyxl.Workbook()
    book.active.append(["Pump", "Litres"])
    book.active.append(["A 1", 120])
    book.active["A2"].hyperlink = "https://pumps.example"
    book.save(folder / "stock.xlsx")
    (folder / "notes.txt").write_text("The pumps are low.")
    (folder / "film.mov").write_bytes(b"0000ftypqt")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Message-ID"] = "Pumps", "ann@x.example", "<1@x>"
    mail.set_content("See the list.")
    mail.add_attachment("Pump,Price\nA 1,90\n", filename="prices.csv")
    (folder / "mail.eml").write_bytes(mail.as_bytes())
    return folder


def test_all_kinds_are_in_and_the_rest_is_named(mixed: Path) -> None:
    report = run(mixed)
    assert (report.added, report.failed) == (4, [])
    assert report.links == {"internal": 1, "dead": 0, "external": 1}
    assert [(Path(part.source).name, part.reason.split(":")[0]) for part in report.skipped] == [
        ("film.mov", "sound and film are not read; give a transcript as .txt"),
        ("old.doc", "the old format of Word is not read; save it as .docx"),
    ]  # fmt: skip
    assert report.unknown == {".mov": 1, ".doc": 1}
    assert "files of kinds that are not read: .doc: 1, .mov: 1" in list(contents_lines(report))
    corpus = opened()
    assert set(corpus.documents(["mail.eml", "mail.eml/prices.csv", "notes.txt", "stock.xlsx"])) == {
        "mail.eml", "mail.eml/prices.csv", "notes.txt", "stock.xlsx",
    }  # fmt: skip
    table = corpus.components(["stock.xlsx#table-1"])["stock.xlsx#table-1"]
    assert (table.locator.sheet, table.locator.first_row) == ("Sheet", 2)
    assert check("sky") == []
    again = run(mixed)
    assert (again.unchanged, again.anything_new) == (4, False)


def test_copies_are_named_and_lock_files_ignored(mixed: Path) -> None:
    (mixed / "copy of notes.txt").write_bytes((mixed / "notes.txt").read_bytes())
    (mixed / "~$stock.xlsx").write_bytes(b"\x05owner")
    report = run(mixed)
    assert report.added == 5
    assert report.duplicates == {str(mixed / "notes.txt"): str(mixed / "copy of notes.txt")}
    line = f"files with the bytes of another: notes.txt = {mixed / 'copy of notes.txt'}"
    assert line in list(contents_lines(report))
    assert not any("~$" in part.source for part in [*report.failed, *report.skipped])
    assert run(mixed).duplicates == {}, "nothing is new"


# --- pictures beside pages -------------------------------------------------------------------------
def documents() -> list[str]:
    names = ["readme.md", *(f"{name}.png" for name in ("pier", "photos/boat", "photos/icon", "photos/copy"))]
    return sorted(opened().documents(names))


@pytest.fixture
def sea(tmp_path: Path) -> Path:
    """A page that shows one of four pictures: another lies below it, one is its copy, one is small."""
    top = tmp_path / "in"
    (top / "photos").mkdir(parents=True)
    (top / "readme.md").write_text("# Sea\n\nIt is blue.\n\n![Pier](pier.png)\n")
    for name, side, colour in (("pier", 120, "brown"), ("photos/boat", 120, "white"), ("photos/icon", 32, "red")):
        Image.new("RGB", (side, side), colour).save(top / f"{name}.png")
    (top / "photos" / "copy.png").write_bytes((top / "pier.png").read_bytes())
    return top


def test_a_picture_is_a_document_until_a_page_shows_it(sea: Path) -> None:
    report = run(sea)
    assert documents() == ["photos/boat.png", "readme.md"]
    assert (report.added, report.pictures, report.unreferenced_pictures) == (2, 2, 1)
    assert report.refused == {"shown by no page and small": 1}
    assert [Path(part.source).name for part in report.skipped] == ["icon.png"]
    assert check("sky") == []
    again = run(sea)
    assert (again.unchanged, again.anything_new, again.version) == (2, False, report.version)
    (sea / "readme.md").write_text("# Sea\n\nIt is blue.\n\n![Pier](pier.png)\n\n![Boat](photos/boat.png)\n")
    report = run(sea)
    assert (report.changed, report.deleted, report.unreferenced_pictures) == (1, 1, 0)
    assert documents() == ["readme.md"]


# --- files of many sections ------------------------------------------------------------------------
@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    found = tmp_path / "rivers"
    found.mkdir()
    (found / "book.md").write_text(book(6))
    (found / "index.md").write_text("# Start\n\nSee [the mouth](book.md#mouth-4) and [all of it](book.md).\n")
    return found


def book(chapters: int) -> str:
    text = "# Rivers\n\nAll of them.\n"
    for n in range(chapters):
        text += f"\n## Chapter {n}\n\n" + "Water flows downhill. " * 1200
        text += f"\n\nSee [the first](#chapter-0).\n\n### Mouth {n}\n\nRiver {n} ends in sea {n}.\n"
    return text


def test_sections_of_a_long_file_have_their_links_their_place_and_their_gold(rivers: Path) -> None:
    report = run(rivers)
    assert report.links["dead"] == 0
    assert check("sky") == []
    corpus = opened()
    (start,) = corpus.children(["index.md"])["index.md"]
    place, whole = corpus.links([start])[start]
    assert place.target == "book.md/chapter-4"
    assert place.component is not None
    assert corpus.components([place.component])[place.component].text == "River 4 ends in sea 4."
    assert (whole.target, whole.component) == ("book.md", None)
    third = corpus.children(["book.md/chapter-3"])["book.md/chapter-3"]
    links = [link for found in corpus.links(third).values() for link in found]
    assert [link.target for link in links] == ["book.md/chapter-0"]  # one that led to its own page leads on now
    up, down = (corpus.hierarchy([id_])[id_] for id_ in ("book.md/chapter-2", "book.md"))
    assert [(link.kind, link.target) for link in up] == [("parent", "book.md")]
    sections = [link.target for link in down if link.target != "index.md"]  # which a folder without a site puts below
    assert sections == [f"book.md/chapter-{n}" for n in range(6)]
    (found,) = find_components(corpus, [Evidence(document="book.md", quote="River 5 ends in sea 5.")])
    assert [one.rpartition("#")[0] for one in found] == ["book.md/chapter-5"]


@pytest.mark.parametrize("given", ["folder", "file"])
def test_the_sections_of_a_file_that_breaks_stay_until_it_can_be_read_again(rivers: Path, given: str) -> None:
    book_file = rivers / "book.md"
    asked = rivers if given == "folder" else book_file
    assert run(asked).as_json()["documents_by_file"]["divided"] == {str(book_file): 7}
    ids = [f"book.md/chapter-{n}" for n in range(6)]
    book_file.write_bytes(b"\x00\x01\x02" * 50)
    broken = run(asked)
    assert (broken.deleted, len(broken.failed), len(opened().documents(ids))) == (0, 1, 6)
    book_file.write_text(book(6).replace("Chapter 5", "Chapter 6"))
    report = run(asked)
    assert (report.added, report.deleted, report.unchanged) == (1, 1, 5)
    assert list(opened().documents([*ids, "book.md/chapter-6"])) == [*ids[:5], "book.md/chapter-6"]
    assert check("sky") == []


def test_the_second_run_does_nothing_and_a_shorter_file_leaves_no_sections(rivers: Path) -> None:
    run(rivers)
    again = run(rivers)
    assert (again.unchanged, again.added, again.changed) == (8, 0, 0)
    (rivers / "book.md").write_text(book(1))
    shorter = run(rivers)
    assert (shorter.changed, shorter.deleted) == (1, 6)
    assert check("sky") == []
    (start,) = opened().children(["index.md"])["index.md"]
    assert [link.target for link in opened().links([start])[start]] == ["book.md", "book.md"]
