"""Pages of PDF documents: pictures with a box around a component, and a reader that turns the pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from backtrail.ingest.errors import IngestError
from backtrail.ingest.pdf.page_images.page_picture import page_count, page_picture
from backtrail.server.ui.corpora import readable
from backtrail.server.ui.pages import Handler, NoSuchPage, number_in, page
from backtrail.server.ui.sources import address_of, is_drawable, page_address, reader_address
from backtrail.state.component import Component, Document
from backtrail.tools.corpus.errors import DocumentNotFound
from backtrail.tools.corpus.inventory import stored_components

NO_PAGE = "There is no page to draw."
CHANGED = "The page cannot be drawn; the file may have changed or moved since."


async def page_of(request: Request) -> Response:
    """Return a picture of a PDF page, with a box around the component if one is named that is on it."""
    name = await readable(request)

    def read() -> bytes:
        document, component = _found(request, name)
        number = _number(request, component)
        box = component.locator.box if component is not None and component.locator.page == number else None
        try:
            return page_picture(Path(document.source), number, box)
        except IngestError as error:
            raise NoSuchPage(CHANGED) from error

    content = await run_in_threadpool(read)
    return Response(content, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


async def reader(request: Request) -> Response:
    """Show a page of a PDF, with links to the previous and the next page."""
    name = await readable(request)

    def read() -> dict[str, Any]:
        document, component = _found(request, name)
        number = _number(request, component)
        try:
            pages = page_count(Path(document.source))
        except IngestError as error:
            raise NoSuchPage(CHANGED) from error
        if number > pages:
            raise NoSuchPage(f"The document has {pages} pages.")
        id_ = component.id if component is not None else ""
        near = {"before": number - 1, "further": number + 1 if number < pages else 0}
        return {
            "document": document, "number": number, "pages": pages,
            "picture": page_address(name, document.id, id_, number),
            "text": address_of(name, document.id, id_),
            **{way: reader_address(name, document.id, id_, near[way]) if near[way] else "" for way in near},
        }  # fmt: skip

    return await page(request, "pdf_page.html", corpus=name, **await run_in_threadpool(read))


def _found(request: Request, name: str) -> tuple[Document, Component | None]:
    """Return the PDF in the query, and its component if one is named. Blocking."""
    id_, wanted = (request.query_params.get(key, "") for key in ("document", "component"))
    try:
        document, components = stored_components(name, id_)
    except DocumentNotFound as error:
        raise NoSuchPage(str(error)) from error
    component = next((one for one in components if one.id == wanted), None)
    if not is_drawable(document) or (component is None and wanted):
        raise NoSuchPage(NO_PAGE)
    return document, component


def _number(request: Request, component: Component | None) -> int:
    """Return the wanted page: that in the query, else that of the component, else the first."""
    if given := request.query_params.get("number", ""):
        return number_in(given)
    return (component.locator.page if component is not None else None) or 1


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/ui/corpora/{corpus}/page"): page_of,
    ("GET", "/ui/corpora/{corpus}/read"): reader,
}
