"""Uploads within the limits of server and policy: space is reserved, filled and committed.

Reserved bytes count against the limits until the upload ends or its process dies, so that concurrent uploads cannot
exceed a limit together. A refused upload reserves nothing.
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
    """A file, or all files of a corpus or an owner together, exceed their limit."""


@dataclass(frozen=True)
class Room:
    """Bytes allowed for one file, and bytes left for the corpus and for its owner."""

    file: int
    corpus: int
    owner: int | None

    def check(self, *sizes: int) -> None:
        """Refuse files of these sizes, in bytes, if they do not fit.

        Raises:
            TooMuch: names the limit.
        """
        together = sum(sizes)
        if max(sizes, default=0) > self.file:
            raise TooMuch(f"A file may have at most {self.file:,} bytes here; upload it in parts.")
        if together > self.corpus:
            raise TooMuch("All files of this corpus together would exceed the limit; delete some first.")
        if self.owner is not None and together > self.owner:
            raise TooMuch("All your files together would exceed your limit; delete some first.")


@dataclass(frozen=True)
class Upload:
    """An upload in progress, with the room at its start."""

    corpus: str
    name: str
    written: BinaryIO
    reserved: int
    room: Room
    most: Most

    def check(self, size: int) -> None:
        """Refuse more bytes than there is room for.

        Raises:
            TooMuch: names the limit.
        """
        if size > self.reserved:
            self.room.check(size)

    def commit(self) -> None:
        """Store the file, replacing an earlier one of its name, or drop it. Blocking.

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
                self.drop()  # before the next upload is counted

    def drop(self) -> None:
        """Delete the upload, unless it is committed. Blocking."""
        if not self.written.closed:
            end_upload(self.written, None)


def reserve(corpus: str, sizes: Mapping[str, int], most: Most) -> list[Upload]:
    """Begin uploads of files, all of them or none. Blocking.

    Args:
        sizes: bytes of each file by its name; 0 where unknown.
        most: limits of the client.

    Raises:
        TooMuch: a limit would be exceeded.
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


def _room(corpus: str, names: Collection[str], most: Most, excluded: str = "") -> Room:
    """The room for files of these names, in place of stored ones.

    Args:
        excluded: path of the one upload in progress that is not counted.

    Raises:
        TooMuch: the corpus would have too many files.
    """
    largest = min(limits().upload, most.upload if most.upload is not None else limits().upload)
    names_after = {file.name for file in (*uploaded_files(corpus), *pending_uploads(corpus, excluded))} | set(names)
    files = min(limits().files, most.files if most.files is not None else limits().files)
    if len(names_after) > files:
        raise TooMuch(f"A corpus may have {files:,} files here; delete some first.")
    left, here = None, _size_of_all(corpus, names, excluded)
    if most.uploads is not None:
        owner = corpus_owner(corpus)
        others = {name for name, other in owned_corpora().items() if other == owner} - {corpus}
        left = most.uploads - here - sum(_size_of_all(name) for name in others)
    return Room(largest, limits().uploads - here, left)


def _size_of_all(corpus: str, replaced: Collection[str] = (), excluded: str = "") -> int:
    stored = sum(file.size for file in uploaded_files(corpus) if file.name not in replaced)
    return stored + sum(file.size for file in pending_uploads(corpus, excluded))
