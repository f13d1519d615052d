"""Pages of corpora: documents, their components and links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from backtrail.cli.show.contents_lines import where_it_stands
from backtrail.server.ui.link_graph import by_direction, link_graph
from backtrail.server.ui.pages import Handler, NoSuchPage, host_of, number_in, page
from backtrail.server.ui.sources import address_of, has_page, reader_address, web_address
from backtrail.state.component import Component, Picture, Table
from backtrail.state.errors import BacktrailError
from backtrail.tools.corpus.document_links import around, most_linked
from backtrail.tools.corpus.errors import CorpusEmpty, CorpusNotFound, CorpusUnfinished, DocumentNotFound
from backtrail.tools.corpus.inventory import StoredDocument, stored_components, stored_documents
from backtrail.tools.corpus.manage import describe
from backtrail.tools.uploads.files import uploaded_files

ON_A_PAGE, PARTS, ROWS = 50, 120, 200
"""Maximum number of documents per page, components per document and rows per table (ours)."""

DRAWN, BESIDE = 36, 18
"""Documents in the drawing of a corpus, and around one document (ours: more are not legible)."""

KINDS = "Pages, PDFs, office files, e-books, mail, notebooks, tables, texts and pictures"


@dataclass(frozen=True)
class Part:
    """Component as shown in its document."""

    section: str
    where: str
    text: str | None
    table: Table | None
    image: Picture | None
    picture: str
    pdf_page: str
    cited: bool


async def corpora(request: Request) -> Response:
    """Show the corpora that the visitor may read."""
    return await overview(request)


async def overview(request: Request, problem: str = "", name: str = "", status: int = 200) -> Response:
    """Render the list of corpora with the upload form."""
    names = await host_of(request).corpora(request)
    described = await run_in_threadpool(lambda: [_described(one) for one in names])
    return await page(
        request, "corpora.html", status,
        corpora=described, problem=problem, name=name, counts=counts, kinds=KINDS,
        may_ingest=await host_of(request).may_ingest(request),
    )  # fmt: skip


def _described(name: str) -> dict[str, Any]:
    try:
        description = describe(name)
    except (CorpusNotFound, CorpusUnfinished, CorpusEmpty):  # files were uploaded only
        return {"name": name, "problem": "not ingested yet"}
    except BacktrailError:
        return {"name": name, "problem": "cannot be read now"}
    links = description.links.get("internal", 0)
    return {
        "name": name, "documents": description.documents, "components": description.components, "links": links,
        "updated": description.updated, "problem": "",
    }  # fmt: skip


def counts(components: Mapping[str, int]) -> str:
    """Format counts: ``12 text, 3 table``."""
    return ", ".join(f"{count} {kind}" for kind, count in sorted(components.items()))


async def readable(request: Request) -> str:
    """Return the corpus in the path.

    Raises:
        NoSuchPage: there is no such corpus, or the visitor may not read it.
    """
    name = str(request.path_params["corpus"])
    if name not in await host_of(request).corpora(request):
        raise NoSuchPage("There is no such corpus.")
    return name


async def corpus(request: Request) -> Response:
    """Show a corpus: its documents and a drawing of those with most links."""
    name = await readable(request)
    q, number = request.query_params.get("q", "")[:200], number_in(request.query_params.get("page", ""))

    def read() -> dict[str, Any]:
        try:
            description = describe(name)
        except BacktrailError as error:
            raise NoSuchPage("Nothing was ingested into this corpus yet.") from error
        first = (number - 1) * ON_A_PAGE
        found = list(islice(_titled(name, q), first, first + ON_A_PAGE + 1))
        return {
            "corpus": description,
            "documents": [_listed(name, one) for one in found[:ON_A_PAGE]],
            "more": len(found) > ON_A_PAGE,
            "graph": link_graph(name, most_linked(name, DRAWN)),
            "files": uploaded_files(name),
        }

    shown = await run_in_threadpool(read)
    host = host_of(request)
    may_ingest, may_change = await host.may_ingest(request), await host.may_change(request, name)
    return await page(
        request, "corpus.html",
        q=q, page=number, counts=counts, kinds=KINDS, may_ingest=may_ingest, may_change=may_change, **shown,
    )  # fmt: skip


def _titled(name: str, q: str) -> Sequence[StoredDocument]:
    words = q.casefold().split()
    return [one for one in stored_documents(name) if all(word in f"{one.title} {one.id}".casefold() for word in words)]


def _listed(name: str, one: StoredDocument) -> dict[str, Any]:
    address = address_of(name, one.id)
    return {"title": one.title or one.id, "id": one.id, "address": address, "components": one.components}


async def document(request: Request) -> Response:
    """Show the components of a document in reading order, and its links."""
    name = await readable(request)
    id_, at = (request.query_params.get(key, "") for key in ("id", "at"))
    first = number_in(request.query_params.get("from", "")) - 1

    def read() -> dict[str, Any]:
        try:
            stored, components = stored_components(name, id_)
        except DocumentNotFound as error:
            raise NoSuchPage(str(error)) from error
        begin = _begin(components, at, first)
        shown = components[begin : begin + PARTS]
        linked = around(name, id_, BESIDE)
        onward, back = by_direction(linked, id_)
        return {
            "document": stored,
            "original": web_address(stored.url),
            "parts": [_part(name, one, at, has_page(one, stored)) for one in shown],
            "left": max(0, len(components) - begin - len(shown)),
            "onward": begin + len(shown) + 1,
            "graph": link_graph(name, linked, id_),
            "onward_links": [(address_of(name, target), title, target) for target, title in onward.items()],
            "back_links": [(address_of(name, source), title, source) for source, title in back.items()],
        }

    shown = await run_in_threadpool(read)
    may_change = await host_of(request).may_change(request, name)
    return await page(request, "document.html", corpus=name, most_rows=ROWS, may_change=may_change, **shown)


def _begin(components: Sequence[Component], at: str, first: int) -> int:
    """Return the index of the first component shown, so that the wanted one is near the top."""
    places = [place for place, one in enumerate(components) if one.id == at]
    return max(0, places[0] - PARTS // 4) if places and places[0] >= PARTS else min(first, max(0, len(components) - 1))


def _part(name: str, one: Component, at: str, drawable: bool) -> Part:
    blob = one.image.blob if one.image else None
    picture = f"/blobs/{blob}?corpus={quote(name, safe='')}" if blob else ""
    return Part(
        one.section, where_it_stands(one), one.text, one.table, one.image, picture,
        reader_address(name, one.document, one.id) if drawable else "", one.id == at,
    )  # fmt: skip


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/ui/corpora"): corpora,
    ("GET", "/ui/corpora/{corpus}"): corpus,
    ("GET", "/ui/corpora/{corpus}/document"): document,
}
