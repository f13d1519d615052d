"""Deletion of corpora, documents and conversations, each after a page that names what goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.cli.show.conversation import earlier_turns
from backtrail.language.counted_nouns import counted
from backtrail.server.deletion import deletable, delete_all, delete_document
from backtrail.server.ui.corpora import readable
from backtrail.server.ui.forms import form_of, text
from backtrail.server.ui.load_run import run_on
from backtrail.server.ui.pages import Handler, NoSuchPage, host_of, page, visitor_of
from backtrail.server.ui.sources import address_of
from backtrail.state.errors import BacktrailError
from backtrail.tools.corpus.errors import DocumentNotFound
from backtrail.tools.corpus.manage import describe
from backtrail.tools.uploads.files import uploaded_files

MOST_NAMED = 20
"""Things that a page names (ours); the others are counted."""


async def _changeable(request: Request) -> str:
    """Return the corpus in the path. Raises NoSuchPage unless the visitor may delete it."""
    name = await readable(request)
    if not await host_of(request).may_change(request, name):
        raise NoSuchPage("This corpus is not yours to delete.")
    return name


async def _confirm(request: Request, what: str, goes: Sequence[str], kept: str, back: str, **sent: str) -> Response:
    named = [*goes[:MOST_NAMED], *([f"{len(goes) - MOST_NAMED} more"] if len(goes) > MOST_NAMED else [])]
    return await page(request, "delete.html", what=what, goes=named, kept=kept, back=back, sent=sent)


async def ask_corpus(request: Request) -> Response:
    """Ask whether to delete a corpus."""
    name = await _changeable(request)

    def goes() -> list[str]:
        files = uploaded_files(name)
        stored = [f"{counted(len(files), 'file')} brought here"] if files else []
        try:
            return [f"{counted(describe(name).documents, 'document')} with their index", *stored]
        except BacktrailError:  # nothing is ingested yet
            return stored

    kept = "Files elsewhere on this machine and finished runs stay; their sources can no longer be opened."
    return await _confirm(request, f"the corpus {name}", await run_in_threadpool(goes), kept, f"/ui/corpora/{name}")


async def corpus(request: Request) -> Response:
    """Delete a corpus."""
    name = await _changeable(request)
    async with form_of(request):
        await run_in_threadpool(delete_all, name)
    return RedirectResponse("/ui/corpora", 303)


async def ask_document(request: Request) -> Response:
    """Ask whether to delete a document."""
    name, id_ = await _changeable(request), request.query_params.get("id", "")
    try:
        found = await run_in_threadpool(deletable, name, id_)
    except DocumentNotFound as error:
        raise NoSuchPage(str(error)) from error
    goes = [*found.documents, *([f"the file {found.file}"] if found.file else [])]
    kept = (
        "Other documents and their links to it stay."
        if found.file
        else "Its file stays: an ingest of it adds it again."
    )
    return await _confirm(request, f"{id_} in {name}", goes, kept, address_of(name, id_), id=id_)


async def document(request: Request) -> Response:
    """Delete a document."""
    name = await _changeable(request)
    async with form_of(request) as form:
        await run_in_threadpool(delete_document, name, text(form, "id"))
    return RedirectResponse(f"/ui/corpora/{name}", 303)


async def ask_run(request: Request) -> Response:
    """Ask whether to delete a conversation."""
    latest, _ = await run_on(request, request.path_params["thread"])
    turns = [*await earlier_turns(latest), latest]
    goes = [_question(one.values) for one in turns]
    kept = "Forks of it stay, and so do corpora."
    return await _confirm(request, "this conversation", goes, kept, f"/ui/runs/{latest.thread}")


def _question(values: Mapping[str, Any]) -> str:
    return f"the question “{values.get('question') or '(no question)'}” with its answer and trail"


async def run(request: Request) -> Response:
    """Delete a conversation."""
    thread = request.path_params["thread"]
    async with form_of(request):
        latest, _ = await run_on(request, thread)  # for its checks
        await (await host_of(request).engine(request)).delete(latest.thread, visitor_of(request))
    return RedirectResponse("/ui/runs", 303)


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/ui/corpora/{corpus}/delete"): ask_corpus,
    ("POST", "/ui/corpora/{corpus}/delete"): corpus,
    ("GET", "/ui/corpora/{corpus}/document/delete"): ask_document,
    ("POST", "/ui/corpora/{corpus}/document/delete"): document,
    ("GET", "/ui/runs/{thread}/delete"): ask_run,
    ("POST", "/ui/runs/{thread}/delete"): run,
}
