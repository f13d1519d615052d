"""Files that clients bring: taken piece by piece to disk, so that memory does not grow with them."""

from __future__ import annotations

import re

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from backtrail.state.errors import InputRefused
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.upload_room import Upload, reserve
from backtrail.tools.uploads.files import safe_name

_FILE = re.compile(r"/corpora/[^/]+/files/[^/]+")


def is_upload(method: str, path: str) -> bool:
    """Whether such a request is a file that comes in pieces: the gate does not read it whole."""
    return method == "PUT" and bool(_FILE.fullmatch(path))


async def receive_file(request: Request, corpus: str, name: str, most: Most) -> int:
    """Store the body as a file of a corpus; its size in bytes.

    Args:
        most: of whoever brings it.

    Raises:
        InputRefused: the name cannot be used, or nothing came.
        TooMuch: a limit is passed; nothing is kept.
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
        raise InputRefused("The file broke off, and nothing of it is kept.") from None
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
