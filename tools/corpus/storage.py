"""Where a corpus is stored: in this home, or in a shared store with a mirror in this home."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.corpus.store_address import StoreAddress, default_address, read_address
from backtrail.tools.home import corpus_folder

NOTE = "store.json"


@dataclass(frozen=True)
class Kept:
    """A corpus in a store.

    Attributes:
        number: the publication that this home's mirror holds; 0 when it holds none yet.
        pointer: the kind of pointer that was last read, empty before.
        leaving: it is being taken back into this home.
    """

    corpus: str
    address: StoreAddress
    number: int = 0
    pointer: str = ""
    leaving: bool = False

    def note(self) -> None:
        """Record it in the corpus's folder; where that fails with an OSError, what was recorded before stays."""
        folder = corpus_folder(self.corpus)
        held = {
            "address": str(self.address),
            "number": self.number,
            "pointer": self.pointer,
            "leaving": self.leaving,
        }
        write_atomically(folder / NOTE, json.dumps(held))

    def at(self, number: int, pointer: str) -> Kept:
        """The same, with a mirror of this publication."""
        return replace(self, number=number, pointer=pointer, leaving=False)


def is_mirror(folder: Path) -> bool:
    """Whether the folder of a corpus is a mirror of one in a store."""
    return (folder / NOTE).is_file()


def noted(name: str) -> Kept | None:
    """What the corpus's folder says; None when it is no mirror."""
    try:
        held = json.loads((corpus_folder(name) / NOTE).read_text("utf-8"))
    except FileNotFoundError:
        return None
    return Kept(name, read_address(held["address"]), held["number"], held["pointer"], held["leaving"])


def kept_in(name: str) -> Kept | None:
    """The store of a corpus; None when it is this home's own.

    That is said by its folder; for a corpus that this home does not have, by BACKTRAIL_STORE.
    """
    if held := noted(name):
        return held
    folder = corpus_folder(name)
    if (folder / "corpus.sqlite").is_file() or (folder / "index").is_dir():
        return None
    address = default_address()
    return Kept(name, address) if address else None
