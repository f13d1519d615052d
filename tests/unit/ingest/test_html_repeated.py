"""Blocks that the pages of one site repeat."""

import pytest
from fixtures.parsed import texts

NOTICE = "Notice: the manual is being revised, and parts of it may be out of date."
LINKS = "<ul>" + "".join(f"<li><a href=page{n}.html>Chapter number {n}</a></li>" for n in range(6)) + "</ul>"


def page(number, start="", middle="", end="", head=""):
    return (
        f"<title>Page {number}</title>{head}<body>{start}<p>Page {number} tells of lamp {number}.</p>{middle}"
        f"<p>It was built in {1800 + number}.</p>{end}</body>"
    )


def pages(count, folder="manual", **parts):
    return {f"{folder}/page{number}.html": page(number, **parts) for number in range(count)}


def having(documents, words):
    return [name for name, document in documents.items() if words in "".join(texts(document))]


@pytest.mark.parametrize("place", ["start", "end"])
def test_what_all_pages_begin_or_end_with_stays_on_one(site, place):
    documents = site(pages(6, **{place: f"<p id=n>{NOTICE}</p>"}))
    assert having(documents, NOTICE) == ["manual/page0.html"]
    other = documents["manual/page3.html"]
    assert len(other.components) == 2
    assert other.left_out == {"block that most pages of its site repeat": 1}
    assert other.fragments["n"] == other.components[0].id


@pytest.mark.parametrize(
    ("files", "words", "count"),
    [
        (pages(6, middle=LINKS), "Chapter number 3", 1),
        (pages(6, middle="<p>Status: in service.</p>"), "Status: in service.", 6),
        (pages(4, end=f"<p>{NOTICE}</p>"), NOTICE, 4),
        ({**pages(3, "a", end=f"<p>{NOTICE}</p>"), **pages(3, "b", end=f"<p>{NOTICE}</p>")}, NOTICE, 6),
    ],
    ids=["lists of links go", "a value that pages share stays", "a few pages are no site", "two folders are two sites"],
)
def test_how_many_pages_keep_what_they_share(site, files, words, count):
    assert len(having(site(files), words)) == count
