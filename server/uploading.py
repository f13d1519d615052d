"""Uploads of clients, written to disk piece by piece, so that memory does not depend on their size."""

from __future__ import annotations

import re

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from backtrail.state.errors import InputRefused
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.upload_room import Upload, reserve
from backtrail.tools.uploads.files import safe_name

_FILE = re.compile(r"/corpora/[^/]+/files/.+")


def is_upload(method: str, path: str) -> bool:
    """Return whether a request is an upload, whose body the middleware does not read."""
    return method == "PUT" and bool(_FILE.fullmatch(path))


async def receive_file(request: Request, corpus: str, name: str, most: Most) -> int:
    """Store the body as a file of a corpus and return its size in bytes.

    Args:
        most: limits of the client.

    Raises:
        InputRefused: the name is invalid, or the body is empty.
        TooMuch: a limit is exceeded; nothing is stored.
    """
    announced = request.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() else 0
    [upload] = await run_in_threadpool(reserve, corpus, {safe_name(name): size}, most)
    try:
        size = await _written(request, upload)
        if not size:
            raise InputRefused("There is no file. Send it as the body of the request.")
        await run_in_threadpool(upload.commit)
    except ClientDisconnect:
        raise InputRefused("The upload was interrupted; nothing is stored.") from None
    finally:
        await run_in_threadpool(upload.drop)
    return size


async def _written(request: Request, upload: Upload) -> int:
    size = 0
    async for piece in request.stream():
        size += len(piece)
        upload.check(size)
        if piece:
            await run_in_threadpool(upload.written.write, piece)
    await run_in_threadpool(upload.written.flush)
    return size
