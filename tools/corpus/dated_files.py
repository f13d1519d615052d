"""Files of a corpus that have a period or version, and the words by which questions name them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backtrail.state.component import Identity

_WORDS = re.compile(r"[^\W_]+")
_LONGEST_NAME = 4
"""Words of a name that are joined: "PG&E" and "American Water Works" also name PG_E and AMERICANWATERWORKS."""


@dataclass(frozen=True)
class DatedFile:
    """A file with its identity; ``documents`` are its own and those of its sections."""

    id: str
    identity: Identity
    documents: tuple[str, ...]


class DatedFiles:
    """Files of a corpus with an identity, by the names in their file names and titles.

    Args:
        identities: by id of the file's own document, in reading order.
        documents: ids of all documents; those of a file's sections start with the file's id and a slash.
    """

    def __init__(self, identities: Mapping[str, Identity], documents: Iterable[str]) -> None:
        self.identities, self._documents = identities, documents

    @cached_property
    def files(self) -> tuple[DatedFile, ...]:
        """The files in reading order."""
        held: dict[str, list[str]] = {id_: [] for id_ in self.identities}
        for document in self._documents if held else ():
            parts = document.split("/")
            above = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
            if (file := next((one for one in above if one in held), None)) is not None:
                held[file].append(document)
        return tuple(DatedFile(id_, self.identities[id_], tuple(ids)) for id_, ids in held.items() if ids)

    @cached_property
    def of_a_kind(self) -> list[DatedFile]:
        """Files that have a title or a file name, but for periods and versions, in common with another one."""
        counts = Counter(name for file in self.files for name in file.identity.names)
        return [file for file in self.files if any(counts[name] > 1 for name in file.identity.names)]

    @cached_property
    def by_name(self) -> Mapping[str, frozenset[int]]:
        """Places of the files that a name is in; names that all of them share tell none apart and are left out."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, file in enumerate(self.files):
            for key, _ in (keyed for name in file.identity.names for keyed in name_keys(name_words(name))):
                found[key].add(place)
        return {key: frozenset(places) for key, places in found.items() if len(places) < len(self.files)}

    def among(self, documents: Collection[str]) -> DatedFiles:
        """Return the files with some of these documents, restricted to them."""
        return DatedFiles(self.identities, [one for file in self.files for one in file.documents if one in documents])


def name_keys(words: Sequence[str]) -> Iterator[tuple[str, range]]:
    """Yield up to four successive words, joined in lower case, with their places; no numbers."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST_NAME, len(words)) + 1):
            if not (key := "".join(words[start:end]).casefold()).isdigit():
                yield key, range(start, end)


def name_words(text: str) -> list[str]:
    """Return the words of a text, without punctuation."""
    return _WORDS.findall(text)
