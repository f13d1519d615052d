"""Files that clients bring: taken piece by piece to disk, so that memory does not grow with them."""

from __future__ import annotations

import re
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.tools.uploads.files import begin_upload, end_upload, safe_name, size_of_all

_FILE = re.compile(r"/corpora/[^/]+/files/[^/]+")


class TooMuch(InputRefused):
    """A file is larger than may be brought, or all of a corpus together are."""


def is_upload(method: str, path: str) -> bool:
    """Whether such a request is a file that comes in pieces: the gate does not read it whole."""
    return method == "PUT" and bool(_FILE.fullmatch(path))


async def receive_file(request: Request, corpus: str, name: str, most: int | None) -> int:
    """Store the body as a file of a corpus; its size in bytes.

    Args:
        most: bytes that the policy lets one file have.

    Raises:
        InputRefused: the name cannot be used, or nothing came.
        TooMuch: the limit is passed; nothing is kept.
    """
    safe_name(name)
    largest = min(limits().upload, most if most is not None else limits().upload)
    room = limits().uploads - await run_in_threadpool(size_of_all, corpus)
    written = await run_in_threadpool(begin_upload, corpus)
    kept: str | None = None
    try:
        size = await _written(request, written, largest, room)
        if not size:
            raise InputRefused("There is no file. Send it as the body of the request.")
        kept = name
    except ClientDisconnect:
        raise InputRefused("The file broke off, and nothing of it is kept.") from None
    finally:
        await run_in_threadpool(end_upload, written, kept)
    return size


async def _written(request: Request, to: BinaryIO, largest: int, room: int) -> int:
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > largest:
            raise TooMuch(f"A file of more than {largest:,} bytes is not taken here; bring it in parts.")
        if size > room:
            raise TooMuch("All files of this corpus together would be more than may be brought; delete some first.")
        if piece:
            await run_in_threadpool(to.write, piece)
    return size
