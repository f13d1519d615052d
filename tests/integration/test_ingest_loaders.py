"""Ingest what LangChain document loaders give: two of langchain-community, one that fails, one on a server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.ingest.loaders.errors import LoaderFailed, LoaderUnusable
from backtrail.ingest.loaders.open_loader import open_loader
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.state.component import Component
from backtrail.tools.corpus.open import open_corpus

CSV = "langchain_community.document_loaders:CSVLoader"
TICKETS = "number,title\n1,The pump leaks\n2,The valve sticks\n"


class Scripted(BaseLoader):
    """Gives documents, and raises where one is an exception."""

    def __init__(self, *given: Document | Exception) -> None:
        self.given = given

    def lazy_load(self) -> Iterator[Document]:
        for one in self.given:
            if isinstance(one, Exception):
                raise one
            yield one


def run(**loaders: BaseLoader) -> IngestReport:
    return ingest([], "desk", embedder="hashed", opened=HashedEmbedder(), loaders=loaders)


def stored() -> list[Component]:
    corpus = open_corpus("desk", embedder=HashedEmbedder())
    found = corpus.search_components(corpus.embed(["pump"]), "component", 50)
    parts = corpus.components([one["id"] for one in found]).values()
    return sorted(parts, key=lambda part: (part.document, part.position))


def csv_loader(path: Path) -> BaseLoader:
    return open_loader(CSV, json.dumps({"file_path": str(path)}))


def test_a_second_load_stores_only_what_changed_and_deletes_what_is_gone(tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(TICKETS)
    second.write_text(TICKETS.replace("pump", "fan"))

    class Both(BaseLoader):
        def lazy_load(self) -> Iterator[Document]:
            for path in (first, second):
                if path.exists():
                    yield from csv_loader(path).lazy_load()

    run(tickets=Both())
    rows = {part.text: part.locator.first_row for part in stored() if part.document == f"tickets/{first}"}
    assert rows == {"number: 1\ntitle: The pump leaks": 2, "number: 2\ntitle: The valve sticks": 3}
    again = run(tickets=Both())
    assert (again.added, again.changed, again.unchanged, again.deleted, again.embedded) == (0, 0, 2, 0, 0)
    first.write_text(TICKETS.replace("leaks", "hums"))
    second.unlink()
    last = run(tickets=Both())
    assert (last.added, last.changed, last.unchanged, last.deleted) == (0, 1, 0, 1)
    assert any("hums" in (part.text or "") for part in stored())


def test_text_loader_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("1. Pumps\n\nThe blue pump failed in 2019.\n\nSee https://example.org/pumps for more.\n")
    arguments = [
        "ingest", "--corpus", "desk", "--json", "--loader", "langchain_community.document_loaders:TextLoader",
        "--loader-args", json.dumps({"file_path": str(path)}),
    ]  # fmt: skip
    for added, unchanged in ((1, 0), (0, 1)):
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        report = json.loads(result.stdout)
        assert (report["added"], report["unchanged"]) == (added, unchanged)
    for useless in (["--loader-args", "{}"], []):
        assert CliRunner().invoke(app, ["ingest", "--corpus", "desk", *useless]).exit_code == 2
    corpus = open_corpus("desk")
    (document,) = (one["id"] for one in corpus.search_documents(corpus.embed(["pump"]), "document", 5))
    assert corpus.documents([document])[document].title == "Notes"
    parts = corpus.components(corpus.children([document])[document])
    assert [(part.section, part.text) for part in parts.values()] == [
        ("1. Pumps", "The blue pump failed in 2019."),
        ("1. Pumps", "See https://example.org/pumps for more."),
    ]
    assert [link.target for part in parts.values() for link in part.links] == ["https://example.org/pumps"]


def test_metadata_becomes_titles_addresses_sections_and_pages() -> None:
    address = "https://example.org/report.pdf"
    pages = [
        Document("Sales rose.", metadata={"source": address, "title": "Report", "page": 0}),
        Document("Costs fell.", metadata={"url": address, "page_number": 2, "Header 1": "Costs", "Header 2": "Staff"}),
        Document("A half \ud800 and a \0.", metadata={"page": "first", "sheet_name": "Q1"}, id="loose"),
        Document("   ", metadata={"source": "blank"}),
    ]  # fmt: skip
    run(reports=Scripted(*pages))
    found: dict[str, list[object]] = {}
    for part in stored():
        place = part.locator.model_dump(exclude_none=True)
        found.setdefault(part.document, []).append((part.text, part.section, place))
    assert found == {
        f"reports/{address}": [("Sales rose.", "", {"page": 1}), ("Costs fell.", "Costs > Staff", {"page": 2})],
        "reports/loose": [("A half ? and a .", "", {"sheet": "Q1"})],
    }
    report = open_corpus("desk", embedder=HashedEmbedder()).documents([f"reports/{address}"])[f"reports/{address}"]
    assert (report.title, report.url) == ("Report", address)


def test_a_loader_that_fails_leaves_what_it_gave_before() -> None:
    run(notes=Scripted(Document("The pump leaks.")))
    with pytest.raises(LoaderFailed, match="failed after 1 documents: ConnectionError: no route"):
        run(notes=Scripted(Document("Something new."), ConnectionError("no route")))
    assert [part.text for part in stored()] == ["The pump leaks."]
    assert run(notes=Scripted(Document("The pump leaks."))).unchanged == 1


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("CSVLoader", "", "MODULE:CLASS"),
        ("no_such_package:Loader", "", "cannot be imported"),
        ("os:system", '{"command": "true"}', "no subclass"),
        (CSV, "[1]", "must be a JSON object"),
        (CSV, '{"colour": 1}', "rejects --loader-args"),
    ],
)
def test_loaders_that_cannot_be_used(name: str, arguments: str, message: str) -> None:
    with pytest.raises(LoaderUnusable, match=message):
        open_loader(name, arguments)


@pytest.mark.parametrize("listed", [None, "", "langchain_community.document_loaders:TextLoader"])
def test_a_server_opens_only_loaders_that_its_host_lists(monkeypatch: pytest.MonkeyPatch, listed: str | None) -> None:
    monkeypatch.setenv("BACKTRAIL_SERVING", "yes")
    if listed is not None:
        monkeypatch.setenv("BACKTRAIL_LOADERS", listed)
    with pytest.raises(LoaderUnusable, match="BACKTRAIL_LOADERS does not list it"):
        open_loader(CSV, '{"file_path": "x.csv"}')
    monkeypatch.setenv("BACKTRAIL_LOADERS", f"{listed or ''},{CSV}")
    assert isinstance(open_loader(CSV, '{"file_path": "x.csv"}'), BaseLoader)
