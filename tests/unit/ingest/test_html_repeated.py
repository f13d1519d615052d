"""Blocks that the pages of one site repeat."""

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse

NOTICE = "Notice: the manual is being revised, and parts of it may be out of date."
LINKS = "<ul>" + "".join(f"<li><a href=page{n}.html>Chapter number {n}</a></li>" for n in range(6)) + "</ul>"


def page(number, start="", middle="", end=""):
    return (
        f"<title>Page {number}</title><body>{start}<p>Page {number} tells of lamp {number}.</p>{middle}"
        f"<p>It was built in {1800 + number}.</p>{end}</body>"
    )


@pytest.fixture
def read(tmp_path):
    def parsed(count, folder="manual", **parts):
        (tmp_path / folder).mkdir(exist_ok=True)
        for number in range(count):
            (tmp_path / folder / f"page{number}.html").write_text(page(number, **parts))
        documents = [document for source in discover([tmp_path]) for document in parse(source)]
        return {document.document.id: document for document in documents}

    return parsed


def texts(document):
    return [component.text for component in document.components]


@pytest.mark.parametrize("place", ["start", "end"])
def test_what_all_pages_begin_or_end_with_stays_on_one(read, place):
    documents = read(6, **{place: f"<p id=n>{NOTICE}</p>"})
    having = [name for name, document in documents.items() if NOTICE in texts(document)]
    assert having == ["manual/page0.html"]
    assert all(len(document.components) == 2 for name, document in documents.items() if name not in having)
    assert documents["manual/page3.html"].left_out == {"block that most pages of its site repeat": 1}
    assert documents["manual/page3.html"].fragments["n"] == documents["manual/page3.html"].components[0].id


def test_lists_of_links_go_wherever_they_stand(read):
    documents = read(6, middle=LINKS)
    assert sum("Chapter number 3" in "".join(texts(document)) for document in documents.values()) == 1


def test_a_value_that_pages_share_stays_on_each(read):
    documents = read(6, middle="<p>Status: in service.</p>")
    assert all("Status: in service." in texts(document) for document in documents.values())


def test_a_few_pages_are_no_site(read):
    assert all(NOTICE in texts(document) for document in read(4, end=f"<p>{NOTICE}</p>").values())


def test_pages_of_different_sites_have_nothing_in_common(read):
    read(3, "first", end=f"<p>{NOTICE}</p>")
    documents = read(3, "second", end=f"<p>{NOTICE}</p>")
    assert all(NOTICE in texts(document) for document in documents.values())


def test_pages_with_an_address_belong_to_its_host(tmp_path):
    for number in range(10):
        host = "a.example" if number % 2 else "b.example"
        head = f'<link rel="canonical" href="https://{host}/{number}">'
        ending = f"<p>{NOTICE}</p>" if number % 2 else f"<p>Another end, {number}.</p>"
        (tmp_path / f"{number}.html").write_text(f"<head>{head}</head>" + page(number, end=ending))
    documents = [document for source in discover([tmp_path]) for document in parse(source)]
    assert [document.document.id for document in documents if NOTICE in texts(document)] == ["1.html"]


def test_the_same_folder_gives_the_same_blocks_again(read):
    first = {name: document.content_hash for name, document in read(14, end=f"<p>{NOTICE}</p>").items()}
    assert {name: document.content_hash for name, document in read(14, end=f"<p>{NOTICE}</p>").items()} == first
