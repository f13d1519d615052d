"""Files that are uploaded at the same time keep to the limits together, whatever becomes of one of them."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

import pytest
from starlette.requests import Request
from starlette.types import Message

from backtrail.server.uploading import receive_file
from backtrail.state.errors import InputRefused
from backtrail.tools.access.policy.document import Most
from backtrail.tools.uploads.files import delete_files, uploaded_files, uploads_folder


class Together:
    """Uploads of which none sends its last piece before each other has begun or was refused."""

    def __init__(self, count: int) -> None:
        self._left, self._all_here = count, asyncio.Event()

    def here(self) -> None:
        self._left -= 1
        if not self._left:
            self._all_here.set()

    async def upload(self, name: str, pieces: Sequence[bytes], most: Most, announced: bool) -> str:
        """What became of it: empty for a file that was stored."""
        waiting, sent = False, list(pieces)

        async def receive() -> Message:
            nonlocal waiting
            if len(sent) == 1 and not waiting:
                waiting = True
                self.here()
                await self._all_here.wait()
            if not sent:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": sent.pop(0), "more_body": bool(sent) or pieces[-1] == b""}

        headers = [(b"content-length", str(len(b"".join(pieces))).encode())] if announced else []
        try:
            await receive_file(Request({"type": "http", "headers": headers}, receive), "notes", name, most)
        except InputRefused as refused:
            return str(refused)
        finally:
            if not waiting:
                self.here()
        return ""

    async def all(self, several: Mapping[str, Sequence[bytes]], most: Most, announced: bool) -> list[str]:
        return await asyncio.gather(*(self.upload(name, pieces, most, announced) for name, pieces in several.items()))


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(
    ("most", "fit", "problem"),
    [(Most(files=6), 6, "A corpus may have 6 files here"), (Most(), 2, "All files of this corpus together")],
    ids=["files", "bytes"],
)
async def test_of_twenty_at_once_as_many_as_fit_are_kept(monkeypatch, most, fit, problem, announced) -> None:
    monkeypatch.setenv("BACKTRAIL_LIMIT_UPLOADS", "1000" if most.files else "100")
    several = {f"{number}.md": [b"a" * 20, b"b" * 20] for number in range(20)}
    refused = [said for said in await Together(20).all(several, most, announced) if said]
    assert [file.size for file in uploaded_files("notes")] == [40] * fit
    assert len(refused) == 20 - fit
    assert all(problem in said for said in refused)
    assert len(os.listdir(uploads_folder("notes"))) == fit, "nothing else is left"


async def test_an_upload_that_breaks_off_leaves_its_room_to_others() -> None:
    most = Most(files=1)
    assert "interrupted" in await Together(1).upload("a.md", [b"a", b""], most, announced=True)
    assert await Together(1).upload("b.md", [b"b"], most, announced=True) == ""
    assert [file.name for file in uploaded_files("notes")] == ["b.md"]


async def test_a_process_that_is_killed_leaves_its_room_to_others() -> None:
    most = Most(files=1)
    program = (
        "from backtrail.tools.access.policy.document import Most\n"
        "from backtrail.tools.access.upload_room import reserve\n"
        "kept = reserve('notes', {'a.md': 5}, Most(files=1)); print('reserved', flush=True); input()"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.stdout
        assert process.stdout.readline() == b"reserved\n"
        assert "may have 1 files" in await Together(1).upload("b.md", [b"b"], most, announced=True)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert await Together(1).upload("b.md", [b"b"], most, announced=True) == ""
    assert os.listdir(uploads_folder("notes")) == ["b.md"]


async def test_a_corpus_that_is_deleted_meanwhile_stays_deleted() -> None:
    together = Together(2)
    uploading = asyncio.create_task(together.upload("a.md", [b"a", b"b"], Most(), announced=True))
    while not uploads_folder("notes").is_dir():
        await asyncio.sleep(0)
    delete_files("notes")
    together.here()
    assert "was deleted while 'a.md' was uploaded" in await uploading
    assert uploaded_files("notes") == []
