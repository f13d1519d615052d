"""How much somebody may still bring into a corpus: by the server's own limits and by the policy's."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.records.corpora import corpus_owner, owned_corpora
from backtrail.tools.uploads.files import size_of_all, uploaded_files


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


def room_for(corpus: str, brought: Collection[str], most: Most) -> Room:
    """The room for files of these names that are brought, in place of earlier ones. Blocking.

    Raises:
        TooMuch: the corpus would have more files than it may have.
    """
    largest = min(limits().upload, most.upload if most.upload is not None else limits().upload)
    names = {held.name for held in uploaded_files(corpus)} | set(brought)
    files = min(limits().files, most.files if most.files is not None else limits().files)
    if len(names) > files:
        raise TooMuch(f"A corpus may have {files:,} files here; delete some first.")
    left = None
    if most.uploads is not None:
        owner = corpus_owner(corpus)
        own = {name for name, whose in owned_corpora().items() if whose == owner} | {corpus}
        left = most.uploads - sum(size_of_all(name, brought if name == corpus else ()) for name in own)
    return Room(largest, limits().uploads - size_of_all(corpus, brought), left)
