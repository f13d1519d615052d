"""Errors of stored corpora. Each names the corpus and what to run or change.

CorpusError
├── CorpusNotFound      no corpus of that name; lists the ones that exist
├── CorpusEmpty         no documents, or nothing readable to ingest
├── DocumentNotFound    no document of that id, or none that fits a predicate; lists similar ones
├── NoDocumentFits      no document fits all predicates
├── PicturesUndescribed its pictures have no descriptions
├── CorpusUnfinished    its first ingest was interrupted
├── CorpusLocked        another process is writing to it; names its pid, its machine and when it started
├── CorpusTooNew        written by a newer Backtrail with another layout
├── CorpusTooOld        written by an older Backtrail with another layout
├── CorpusDamaged       its index is missing or does not match its contents
├── EmbedderMismatch    the embedder is not the one of the stored vectors
├── PixelsMismatch      the same for the encoder of pictures
├── PagesMissing        its pages were not embedded by a page model, or their vectors are lost
├── PagesMismatch       the page model is not the one that embedded its pages
├── PictureUnreadable   a stored picture file can no longer be decoded
├── DatabaseUnavailable the database server cannot be reached, or refuses
├── StoreUnavailable    the store of shared corpora cannot be reached
├── PublishConflict     another machine published the corpus meanwhile
├── MirrorDamaged       the copy of a shared corpus differs from what was published
└── CorpusDiskFull      no space to finish writing; earlier data is intact
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

from backtrail.tools.errors import BacktrailError

LOOKED_THROUGH = 10_000
"""Ids that are searched for ones similar to a mistyped id."""


class CorpusError(BacktrailError):
    """An error of a stored corpus."""


class CorpusNotFound(CorpusError):
    """No corpus of that name, or none that the client may read.

    Args:
        existing: corpora that the client may read; None where unknown.
    """

    def __init__(self, name: str, existing: Sequence[str] | None) -> None:
        if existing is None:
            hint = ""
        elif existing:
            hint = f" Existing: {', '.join(existing)}. Name one of these, or create it with: "
        else:
            hint = " There are none yet. Create it with: "
        super().__init__(f"No corpus {name!r}.{hint}" + (f"backtrail ingest PATH --corpus {name}" if hint else ""))
        self.name = name
        self.existing = list(existing or ())


class DocumentNotFound(CorpusError):
    """No document of that id in a corpus."""

    def __init__(self, name: str, document: str, existing: Iterable[str]) -> None:
        alike = get_close_matches(document, islice(existing, LOOKED_THROUGH), n=5, cutoff=0.3)
        hint = f"Similar: {', '.join(alike)}. " if alike else ""
        super().__init__(f"Corpus {name!r} has no document {document!r}. {hint}All: backtrail corpus documents {name}")
        self.name = name
        self.document = document


class NoDocumentFits(CorpusError):
    """Each predicate fits some document of a corpus, but no document fits all."""

    def __init__(self, name: str, entries: Iterable[str]) -> None:
        super().__init__(
            f"No document of corpus {name!r} fits all of {', '.join(entries)}. Only entries of one field are "
            "alternatives: leave one out."
        )
        self.name = name


class CorpusFull(CorpusError):
    """An ingest would exceed the limit of documents."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            f"The files of {name!r} contain more than {most:,} documents, the limit of a corpus here. The corpus is "
            "unchanged. Ingest fewer files, or into another corpus."
        )
        self.name = name


class CorpusEmpty(CorpusError):
    """A corpus without documents, or an ingest that would leave none."""

    def __init__(self, name: str, detail: str = "") -> None:
        why = f" {detail}" if detail else ""
        apart = "\n" if "\n" in detail else " "
        super().__init__(
            f"Corpus {name!r} has no documents.{why}{apart}Fill it with: backtrail ingest PATH --corpus {name}"
        )
        self.name = name


class PicturesUndescribed(CorpusError):
    """A method that reads descriptions of pictures is run on a corpus without any.

    Args:
        pictures: number of pictures.
        source: a folder or file that the corpus was ingested from, if known.
    """

    def __init__(self, name: str, pictures: int, source: str = "") -> None:
        super().__init__(
            f"The {pictures:,} pictures of corpus {name!r} have no descriptions. Have a vision model write them: "
            f"backtrail ingest {source or 'PATH'} --corpus {name} --vlm MODEL"
        )
        self.name = name


class CorpusUnfinished(CorpusError):
    """The first ingest of a corpus was interrupted before it published anything."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Corpus {name!r} cannot be searched yet: its first ingest did not finish. Run it again, and it continues: "
            f"backtrail ingest PATH --corpus {name}"
        )
        self.name = name


class CorpusLocked(CorpusError):
    """Another process has the writer's lock.

    Args:
        pid: process id of the holder; None when it could not be read.
        since: when it started writing, ISO 8601 in UTC; empty when unknown.
        host: the holder's machine, for a lock shared between machines; else empty.
    """

    def __init__(self, name: str, pid: int | None, since: str, host: str = "") -> None:
        place = f" on {host}" if host else ""
        holder = f"process {pid}{place} since {since}" if pid else "another process"
        super().__init__(
            f"Corpus {name!r} is being written by {holder}. Wait until it ends, or stop it, then try again."
        )
        self.name = name
        self.pid = pid
        self.since = since
        self.host = host


class CorpusTooNew(CorpusError):
    """The stored layout is newer than this Backtrail supports."""

    def __init__(self, name: str, stored: int, known: int) -> None:
        super().__init__(f"Corpus {name!r} has layout {stored}; this Backtrail reads up to {known}. Upgrade backtrail.")
        self.name = name


class CorpusTooOld(CorpusError):
    """The stored layout is older than this Backtrail supports."""

    def __init__(self, name: str, stored: int, known: int) -> None:
        super().__init__(
            f"Corpus {name!r} has layout {stored}; this Backtrail reads {known}. Delete it and ingest again: "
            f"backtrail corpus delete {name}"
        )
        self.name = name


class CorpusDamaged(CorpusError):
    """The index of a corpus is missing or does not match its contents, which are intact."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"Corpus {name!r}: {problem}. Rebuild its index with: backtrail corpus reindex {name}")
        self.name = name
        self.problem = problem


class EmbedderMismatch(CorpusError):
    """The embedder is not the one of the index: vectors of two embedders do not compare."""

    def __init__(self, name: str, stored: str, given: str, embedder: str) -> None:
        super().__init__(
            f"Corpus {name!r} was indexed with embedder {stored!r}, but {embedder!r} is {given!r}. "
            f"Use the first, or re-embed with: backtrail corpus reindex {name} --embedder {embedder}"
        )
        self.name = name
        self.stored = stored
        self.given = given


class PixelsMismatch(CorpusError):
    """The encoder of pictures is not the one of the index."""

    def __init__(self, name: str, stored: str, given: str, pixels: str) -> None:
        super().__init__(
            f"Pictures of corpus {name!r} were embedded with {stored!r}, but {pixels!r} is {given!r}. "
            f"Use the first, or embed them again with: backtrail corpus reindex {name} --pixels {pixels}"
        )
        self.name = name
        self.stored = stored
        self.given = given


class PagesMissing(CorpusError):
    """The pages of a corpus are not embedded.

    Args:
        model: name of the page model for the command that embeds them; empty for the recorded one.
    """

    def __init__(self, name: str, problem: str, model: str) -> None:
        command = f"backtrail corpus pages {name} {model}".strip()
        super().__init__(f"Page pictures of corpus {name!r} cannot be searched: {problem}. Embed them with: {command}")
        self.name = name


class PagesMismatch(CorpusError):
    """The page model is not the one that embedded the pages."""

    def __init__(self, name: str, stored: str, given: str, model: str) -> None:
        super().__init__(
            f"Pages of corpus {name!r} were embedded with {stored!r}, but {model!r} is {given!r}. "
            f"Use the first, or embed them again with: backtrail corpus pages {name} {model}"
        )
        self.name = name
        self.stored = stored
        self.given = given


class PictureUnreadable(CorpusError):
    """A stored picture can no longer be decoded."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(
            f"Picture file {file} cannot be decoded ({problem}). Delete its document with: "
            "backtrail corpus delete NAME --document ID. Then ingest that document again."
        )


class DatabaseUnavailable(CorpusError):
    """The database of the tables cannot be reached or refuses; ``url`` is without password."""

    def __init__(self, url: str, problem: str) -> None:
        why = " ".join(problem.split())
        super().__init__(
            f"The database of corpora at {url} cannot be used ({why}). Is it running, and is BACKTRAIL_DATABASE_URL "
            "right? Nothing that was stored before is lost; run the same command again when it is back."
        )
        self.url = url


class CorpusDiskFull(CorpusError):
    """The disk (or quota) is full while writing."""

    def __init__(self, name: str, folder: str) -> None:
        super().__init__(
            f"No space left while writing corpus {name!r} in {folder}. Nothing that was stored before is lost, and "
            "vectors computed so far are kept. Free some space and run the same command again."
        )
        self.name = name


class StoreUnavailable(CorpusError):
    """The store of shared corpora cannot be reached, refuses, or lacks a file."""

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(
            f"The store {address} cannot be used ({problem}). Readers continue with this machine's copy; to write, run "
            "the same command again when it is back. Nothing that was published is lost."
        )
        self.address = address


class PublishConflict(CorpusError):
    """Another machine published the corpus during a change."""

    def __init__(self, name: str, by: str) -> None:
        other = f"by {by} " if by else ""
        super().__init__(
            f"Corpus {name!r} was changed {other}during this change, which is not published. "
            "Run the same command again: it starts from the current state, and embedded vectors are kept."
        )
        self.name = name


class MirrorDamaged(CorpusError):
    """The copy of a shared corpus differs from what was published."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"This machine's mirror of corpus {name!r} differs from what was published ({problem}). It is copied again "
            "the next time the corpus is opened."
        )
        self.name = name
