"""Routes of corpora: list them and their contents, and upload files to one's own.

    GET    /corpora                            list readable corpora
    GET    /corpora/{corpus}                   show a corpus, its files and the progress of its ingest
    GET    /corpora/{corpus}/documents         list its documents, page by page
    DELETE /corpora/{corpus}/documents?id=ID   delete a document, with all others of its uploaded file and that
    PUT    /corpora/{corpus}/files/{file}      upload a file as the body; the first one claims the corpus
    DELETE /corpora/{corpus}/files/{file}      delete a file
    DELETE /corpora/{corpus}                   delete the corpus with its files

``{file}`` may be a path: ``guide/start.md``.

A run of the assistant ``ingest`` with the input ``{"corpus": NAME}`` then ingests the files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from backtrail.server.deletion import delete_all, delete_document
from backtrail.server.uploading import receive_file
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.tools.access.corpora import check_readable, check_writable, claim, may_read, readable_corpora
from backtrail.tools.access.credentials import allowed_to, credentials
from backtrail.tools.access.policy.allowed import GROUP, Allowed
from backtrail.tools.access.policy.errors import PolicyRefused
from backtrail.tools.access.records.corpora import corpus_owner
from backtrail.tools.access.records.ingests import last_ingest
from backtrail.tools.access.upload_room import TooMuch
from backtrail.tools.corpus.errors import CorpusDiskFull, CorpusLocked, CorpusNotFound, DocumentNotFound
from backtrail.tools.corpus.inventory import stored_documents
from backtrail.tools.corpus.manage import describe
from backtrail.tools.home_errors import INSUFFICIENT_STORAGE
from backtrail.tools.uploads.files import delete_file, uploaded_files

MOST_DOCUMENTS = 1_000
"""Maximum number of documents per response (ours)."""


async def listing(request: Request) -> JSONResponse:
    """List the corpora that the requester may read."""
    return await _answer(lambda: {"corpora": _listing(_whom(request))})


async def showing(request: Request) -> JSONResponse:
    """Show a corpus."""
    return await _answer(lambda: _showing(_corpus(request), _whom(request)))


async def documents(request: Request) -> JSONResponse:
    """List the documents of a corpus by id."""
    first, most = _number(request, "offset", 0), min(_number(request, "limit", 100), MOST_DOCUMENTS)
    return await _answer(lambda: {"documents": _documents(_corpus(request), _whom(request), first, most)})


async def bringing(request: Request) -> JSONResponse:
    """Receive a file in pieces, so that its size needs no memory."""
    corpus, name = _corpus(request), request.path_params["file"]
    shared = request.query_params.get("shared") in ("1", "true", "yes")

    def claimed() -> Allowed:
        whom = _whom(request)
        claim(corpus, whom, shared=shared, closed=not credentials().is_open())
        return whom

    try:
        whom = await run_in_threadpool(claimed)
        size = await receive_file(request, corpus, name, whom.most)
    except BacktrailError as error:
        return _refusal(error)
    return JSONResponse({"corpus": corpus, "file": name, "bytes": size}, 201)


async def taking_away(request: Request) -> JSONResponse:
    """Delete a file."""

    def remove() -> dict[str, Any]:
        corpus = _corpus(request)
        _check_own(corpus, _whom(request))
        if not delete_file(corpus, request.path_params["file"]):
            raise CorpusNotFound(request.path_params["file"], [file.name for file in uploaded_files(corpus)])
        return {"deleted": request.path_params["file"]}

    return await _answer(remove)


async def deleting(request: Request) -> JSONResponse:
    """Delete a corpus with its files."""

    def remove() -> dict[str, Any]:
        corpus = _corpus(request)
        _check_own(corpus, _whom(request))
        delete_all(corpus)
        return {"deleted": corpus}

    return await _answer(remove)


async def deleting_document(request: Request) -> JSONResponse:
    """Delete a document, with all of its uploaded file."""

    def remove() -> dict[str, Any]:
        corpus = _corpus(request)
        _check_own(corpus, _whom(request))
        deleted = delete_document(corpus, request.query_params.get("id", ""))
        return {"deleted": deleted.documents, "file": deleted.file}

    return await _answer(remove)


async def may_read_from(request: Request, corpus: str) -> bool:
    """Return whether the requester may read a corpus."""
    return await run_in_threadpool(lambda: may_read(corpus, _whom(request)))


def _check_own(corpus: str, whom: Allowed) -> None:
    check_readable(corpus, whom)
    check_writable(corpus, whom, closed=not credentials().is_open())


def _listing(whom: Allowed) -> list[dict[str, Any]]:
    return [_shown(corpus, owner) for corpus, owner in readable_corpora(whom).items()]


def _shown(corpus: str, owner: str) -> dict[str, Any]:
    whose = "host" if not owner else "group" if owner.startswith(GROUP) else "you"
    try:
        description = describe(corpus)
    except BacktrailError as error:  # not ingested yet, damaged, or the disk is full
        return {"corpus": corpus, "owner": whose, "documents": 0, "components": {}, "problem": type(error).__name__}
    return {"corpus": corpus, "owner": whose, "documents": description.documents, "components": description.components}


def _showing(corpus: str, whom: Allowed) -> dict[str, Any]:
    check_readable(corpus, whom)
    owner = corpus_owner(corpus)
    files = [asdict(file) for file in uploaded_files(corpus)] if owner or not credentials().holders() else []
    return {**_shown(corpus, owner or ""), "files": files, "ingest": last_ingest(corpus)}


def _documents(corpus: str, whom: Allowed, first: int, most: int) -> list[dict[str, Any]]:
    check_readable(corpus, whom)
    return [asdict(one) for one in islice(stored_documents(corpus), first, first + most)]


def _whom(request: Request) -> Allowed:
    return allowed_to("" if credentials().is_open() else request.user.identity)


def _corpus(request: Request) -> str:
    return str(request.path_params["corpus"])


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else default


async def _answer(work: Callable[[], dict[str, Any]]) -> JSONResponse:
    try:
        return JSONResponse(await run_in_threadpool(work))
    except BacktrailError as error:
        return _refusal(error)


def _refusal(error: BacktrailError) -> JSONResponse:
    statuses = {
        PolicyRefused: 403, CorpusNotFound: 404, DocumentNotFound: 404, CorpusLocked: 409, TooMuch: 413,
        InputRefused: 422, CorpusDiskFull: INSUFFICIENT_STORAGE,
    }  # fmt: skip
    status = next((status for kind, status in statuses.items() if isinstance(error, kind)), 422)
    return JSONResponse({"detail": str(error)}, status)


ROUTES = [
    Route("/corpora", listing),
    Route("/corpora/{corpus}", showing),
    Route("/corpora/{corpus}", deleting, methods=["DELETE"]),
    Route("/corpora/{corpus}/documents", documents),
    Route("/corpora/{corpus}/documents", deleting_document, methods=["DELETE"]),
    Route("/corpora/{corpus}/files/{file:path}", bringing, methods=["PUT"]),
    Route("/corpora/{corpus}/files/{file:path}", taking_away, methods=["DELETE"]),
]
