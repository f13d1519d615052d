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
        number: the publication in this home's mirror; 0 before the first.
        pointer: the kind of pointer read last, empty before.
        leaving: it is being moved back into this home.
    """

    corpus: str
    address: StoreAddress
    number: int = 0
    pointer: str = ""
    leaving: bool = False

    def note(self) -> None:
        """Record it in the corpus's folder, atomically."""
        folder = corpus_folder(self.corpus)
        note = {
            "address": str(self.address),
            "number": self.number,
            "pointer": self.pointer,
            "leaving": self.leaving,
        }
        write_atomically(folder / NOTE, json.dumps(note))

    def at(self, number: int, pointer: str) -> Kept:
        """A copy, with a mirror of this publication."""
        return replace(self, number=number, pointer=pointer, leaving=False)


def is_mirror(folder: Path) -> bool:
    """Whether the folder of a corpus is a mirror of one in a store."""
    return (folder / NOTE).is_file()


def noted(name: str) -> Kept | None:
    """The record in the corpus's folder; None when it is not a mirror."""
    try:
        note = json.loads((corpus_folder(name) / NOTE).read_text("utf-8"))
    except FileNotFoundError:
        return None
    return Kept(name, read_address(note["address"]), note["number"], note["pointer"], note["leaving"])


def kept_in(name: str) -> Kept | None:
    """The store of a corpus; None for a local one.

    The corpus's folder decides; for a corpus without a folder here, BACKTRAIL_STORE.
    """
    if kept := noted(name):
        return kept
    folder = corpus_folder(name)
    if (folder / "corpus.sqlite").is_file() or (folder / "index").is_dir():
        return None
    address = default_address()
    return Kept(name, address) if address else None
