"""Files that clients bring: taken piece by piece to disk, so that memory does not grow with them."""

from __future__ import annotations

import re
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from backtrail.state.errors import InputRefused
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.upload_room import Room, room_for
from backtrail.tools.uploads.files import begin_upload, end_upload, safe_name

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
    name = safe_name(name)
    room = await run_in_threadpool(room_for, corpus, [name], most)
    written = await run_in_threadpool(begin_upload, corpus)
    kept: str | None = None
    try:
        size = await _written(request, written, room)
        if not size:
            raise InputRefused("There is no file. Send it as the body of the request.")
        (await run_in_threadpool(_room_beside, written, corpus, name, most)).check(size)  # others may have come since
        kept = name
    except ClientDisconnect:
        raise InputRefused("The file broke off, and nothing of it is kept.") from None
    finally:
        await run_in_threadpool(end_upload, written, kept)
    return size


def _room_beside(written: BinaryIO, corpus: str, name: str, most: Most) -> Room:
    room, size = room_for(corpus, [name], most), written.tell()
    return Room(room.file, room.corpus + size, None if room.owner is None else room.owner + size)


async def _written(request: Request, to: BinaryIO, room: Room) -> int:
    size = 0
    async for piece in request.stream():
        size += len(piece)
        room.check(size)
        if piece:
            await run_in_threadpool(to.write, piece)
    await run_in_threadpool(to.flush)
    return size
