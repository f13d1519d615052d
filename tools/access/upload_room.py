"""Uploads within the limits of the server and the policy: room is reserved, filled and committed.

What is reserved counts against the limits until the upload ends or its process dies, so uploads at the same time
cannot pass a limit together, and one that is refused takes no room from the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.records.corpora import corpus_owner, owned_corpora
from backtrail.tools.uploads.files import begin_upload, end_upload, pending_uploads, uploaded_files, uploads_lock


class TooMuch(InputRefused):
    """A file is larger than may be brought, or all of a corpus or of its owner together are."""


@dataclass(frozen=True)
class Room:
    """Bytes that one file may have, and that all files may still come to, of the corpus and of its owner."""

    file: int
    corpus: int
    owner: int | None

    def check(self, *sizes: int) -> None:
        """Refuse files that have so many bytes each.

        Raises:
            TooMuch: names what they do not fit into.
        """
        together = sum(sizes)
        if max(sizes, default=0) > self.file:
            raise TooMuch(f"A file of more than {self.file:,} bytes is not taken here; bring it in parts.")
        if together > self.corpus:
            raise TooMuch("All files of this corpus together would be more than may be brought; delete some first.")
        if self.owner is not None and together > self.owner:
            raise TooMuch("All your files together would be more than may be brought here; delete some first.")


@dataclass(frozen=True)
class Upload:
    """An upload in progress, with the room there was when it began."""

    corpus: str
    name: str
    written: BinaryIO
    reserved: int
    room: Room
    most: Most

    def check(self, size: int) -> None:
        """Refuse more bytes than there is room for.

        Raises:
            TooMuch: names what they do not fit into.
        """
        if size > self.reserved:
            self.room.check(size)

    def commit(self) -> None:
        """Store the file in place of an earlier one of its name, or drop it. Blocking.

        Raises:
            TooMuch: it has more bytes than were reserved, and there is no room for them.
            InputRefused: the corpus was deleted meanwhile.
        """
        with uploads_lock():
            try:
                if (size := self.written.tell()) > self.reserved:
                    _room(self.corpus, [self.name], self.most, self.written.name).check(size)
                end_upload(self.written, self.name)
            finally:
                self.drop()  # before the next one is counted

    def drop(self) -> None:
        """Delete what was written, unless it is committed. Blocking."""
        if not self.written.closed:
            end_upload(self.written, None)


def reserve(corpus: str, sizes: Mapping[str, int], most: Most) -> list[Upload]:
    """Begin to upload files, all of them or none. Blocking.

    Args:
        sizes: bytes of each file by its name; 0 where that is not known.
        most: of whoever uploads.

    Raises:
        TooMuch: a limit would be passed.
    """
    begun: list[Upload] = []
    with uploads_lock():
        room = _room(corpus, sizes, most)
        room.check(*sizes.values())
        try:
            for name, size in sizes.items():
                begun.append(Upload(corpus, name, begin_upload(corpus, name, size), size, room, most))
        except BaseException:
            for upload in begun:
                upload.drop()
            raise
    return begun


def _room(corpus: str, names: Collection[str], most: Most, but: str = "") -> Room:
    """The room for files of these names, in place of stored ones.

    Args:
        but: path of the one upload in progress that is not counted.

    Raises:
        TooMuch: the corpus would have more files than it may have.
    """
    largest = min(limits().upload, most.upload if most.upload is not None else limits().upload)
    held = {file.name for file in (*uploaded_files(corpus), *pending_uploads(corpus, but))} | set(names)
    files = min(limits().files, most.files if most.files is not None else limits().files)
    if len(held) > files:
        raise TooMuch(f"A corpus may have {files:,} files here; delete some first.")
    left, here = None, _size_of_all(corpus, names, but)
    if most.uploads is not None:
        owner = corpus_owner(corpus)
        others = {name for name, whose in owned_corpora().items() if whose == owner} - {corpus}
        left = most.uploads - here - sum(_size_of_all(name) for name in others)
    return Room(largest, limits().uploads - here, left)


def _size_of_all(corpus: str, replaced: Collection[str] = (), but: str = "") -> int:
    stored = sum(file.size for file in uploaded_files(corpus) if file.name not in replaced)
    return stored + sum(file.size for file in pending_uploads(corpus, but))
