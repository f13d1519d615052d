"""Long files as an ingest stores them: a document a section, links of others to their places, again and shorter."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.cli.show.ingest_lines import contents_lines
from backtrail.evals.gold import find_components
from backtrail.evals.questions import Evidence
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus


@pytest.fixture
def folder(tmp_path: Path) -> Path:
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


def run(folder: Path) -> IngestReport:
    return ingest([folder], "rivers", embedder="hashed", opened=HashedEmbedder())


def opened() -> StoredCorpus:
    return open_corpus("rivers", embedder=HashedEmbedder())


def test_sections_of_a_long_file_have_their_links_their_place_and_their_gold(folder: Path) -> None:
    report = run(folder)
    assert report.links["dead"] == 0
    assert check("rivers") == []
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


def test_a_report_says_why_there_are_more_documents_than_files(folder: Path) -> None:
    mail = EmailMessage()
    mail["Subject"] = "The rivers"
    mail.set_content("Here they are.")
    mail.add_attachment("River 7 is dry.", filename="seven.txt")
    (folder / "rivers.eml").write_bytes(mail.as_bytes())
    for changed in ((10, 0), (0, 10)):
        report = run(folder)
        assert (report.added, report.unchanged) == changed, "told of an ingest that finds nothing new as well"
        assert list(contents_lines(report))[:3] == [
            "3 files became 10 documents:",
            "  divided because of their length: book.md: 7",
            "  mail with attachments: rivers.eml: 2",
        ]
    assert report.as_json()["documents_by_file"]["divided"] == {str(folder / "book.md"): 7}
    (folder / "book.md").write_text("# Rivers\n\nAll of them.\n")
    (folder / "rivers.eml").unlink()
    assert "became" not in "".join(contents_lines(run(folder)))


def test_the_second_run_does_nothing_and_a_shorter_file_leaves_no_sections(folder: Path) -> None:
    run(folder)
    again = run(folder)
    assert (again.unchanged, again.added, again.changed) == (8, 0, 0)
    (folder / "book.md").write_text(book(1))
    shorter = run(folder)
    assert (shorter.changed, shorter.deleted) == (1, 6)
    assert check("rivers") == []
    (start,) = opened().children(["index.md"])["index.md"]
    assert [link.target for link in opened().links([start])[start]] == ["book.md", "book.md"]
