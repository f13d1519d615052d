"""Errors of stored corpora. Each names the corpus and what to run or change.

CorpusError
├── CorpusNotFound      no corpus of that name; lists the ones that exist
├── CorpusEmpty         nothing in it, or nothing readable was given to fill it
├── DocumentNotFound    no document of that id; lists some that are called alike
├── PicturesUntold      nothing says in words what its pictures show
├── CorpusUnfinished    its first ingest ended before anything could be searched
├── CorpusLocked        another process is writing to it; names its pid, its machine and when it started
├── CorpusTooNew        written by a later Backtrail with another layout
├── CorpusTooOld        written by an earlier Backtrail with another layout
├── CorpusDamaged       its index is missing or does not fit its contents
├── EmbedderMismatch    the embedder at hand does not give the vectors that are stored
├── PixelsMismatch      the same, of the encoder that sees the pictures
├── PictureUnreadable   a stored picture file can no longer be decoded
├── DatabaseUnavailable the database server cannot be reached, or does not do what is asked
├── StoreUnavailable    the store of shared corpora cannot be reached
├── PublishConflict     another machine published the corpus meanwhile
├── MirrorDamaged       what was copied of a shared corpus is not what was published
└── CorpusDiskFull      no room to finish writing; what was stored before is intact
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

from backtrail.tools.errors import BacktrailError

LOOKED_THROUGH = 10_000
"""Ids among which a mistyped one is looked for."""


class CorpusError(BacktrailError):
    """Something about a stored corpus."""


class CorpusNotFound(CorpusError):
    """No corpus of that name, or none that whoever asks may read.

    Args:
        existing: corpora that whoever asks may read; None where that is not known.
    """

    def __init__(self, name: str, existing: Sequence[str] | None) -> None:
        if existing is None:
            hint = ""
        elif existing:
            hint = f" Existing: {', '.join(existing)}. Name one of these, or make it with: "
        else:
            hint = " There are none yet. Make it with: "
        super().__init__(f"No corpus {name!r}.{hint}" + (f"backtrail ingest PATH --corpus {name}" if hint else ""))
        self.name = name
        self.existing = list(existing or ())


class DocumentNotFound(CorpusError):
    """No document of that id in a corpus."""

    def __init__(self, name: str, document: str, existing: Iterable[str]) -> None:
        alike = get_close_matches(document, islice(existing, LOOKED_THROUGH), n=5, cutoff=0.3)
        hint = f"Called alike: {', '.join(alike)}. " if alike else ""
        super().__init__(f"Corpus {name!r} has no document {document!r}. {hint}All: backtrail corpus documents {name}")
        self.name = name
        self.document = document


class CorpusFull(CorpusError):
    """An ingest would bring more documents than may be brought."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            f"The files of {name!r} hold more than {most:,} documents, which is the most that may be brought here. "
            "What was ingested before is as it was. Bring less, or in another corpus."
        )
        self.name = name


class CorpusEmpty(CorpusError):
    """A corpus without documents, or an ingest that would leave it so."""

    def __init__(self, name: str, detail: str = "") -> None:
        why = f" {detail}" if detail else ""
        apart = "\n" if "\n" in detail else " "
        super().__init__(
            f"Corpus {name!r} has no documents.{why}{apart}Fill it with: backtrail ingest PATH --corpus {name}"
        )
        self.name = name


class PicturesUntold(CorpusError):
    """A method that reads what pictures show in words was to search a corpus of which no picture is told.

    Args:
        pictures: how many there are.
        source: a folder or file that it was ingested from, as far as it is known.
    """

    def __init__(self, name: str, pictures: int, source: str = "") -> None:
        super().__init__(
            f"Nothing says what the {pictures:,} pictures of corpus {name!r} show. Have a vision model say it: "
            f"backtrail ingest {source or 'PATH'} --corpus {name} --vlm MODEL"
        )
        self.name = name


class CorpusUnfinished(CorpusError):
    """The first ingest of a corpus ended before it published anything."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Corpus {name!r} cannot be searched yet: its first ingest did not end. Run it again, and it goes on: "
            f"backtrail ingest PATH --corpus {name}"
        )
        self.name = name


class CorpusLocked(CorpusError):
    """Another process holds the writer's lock.

    Args:
        pid: process id of the holder; None when it could not be read.
        since: when it started writing, ISO 8601 in UTC; empty when unknown.
        host: the holder's machine, when the lock is one that machines share; else empty.
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
    """The stored layout is later than the one this Backtrail knows."""

    def __init__(self, name: str, stored: int, known: int) -> None:
        super().__init__(f"Corpus {name!r} has layout {stored}; this Backtrail reads up to {known}. Upgrade backtrail.")
        self.name = name


class CorpusTooOld(CorpusError):
    """The stored layout is earlier than the one this Backtrail reads."""

    def __init__(self, name: str, stored: int, known: int) -> None:
        super().__init__(
            f"Corpus {name!r} has layout {stored}; this Backtrail reads {known}. Delete it and ingest again: "
            f"backtrail corpus delete {name}"
        )
        self.name = name


class CorpusDamaged(CorpusError):
    """The index of a corpus is missing or does not fit its contents; these are still there."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"Corpus {name!r}: {problem}. Rebuild its index with: backtrail corpus reindex {name}")
        self.name = name
        self.problem = problem


class EmbedderMismatch(CorpusError):
    """Vectors of different embedders must not meet in one index."""

    def __init__(self, name: str, stored: str, given: str, embedder: str) -> None:
        super().__init__(
            f"Corpus {name!r} was indexed with embedder {stored!r}, but {embedder!r} is {given!r}. "
            f"Use the first, or re-embed with: backtrail corpus reindex {name} --embedder {embedder}"
        )
        self.name = name
        self.stored = stored
        self.given = given


class PixelsMismatch(CorpusError):
    """Vectors of different pixel encoders must not meet in one index."""

    def __init__(self, name: str, stored: str, given: str, pixels: str) -> None:
        super().__init__(
            f"Pictures of corpus {name!r} were embedded with {stored!r}, but {pixels!r} is {given!r}. "
            f"Use the first, or embed them again with: backtrail corpus reindex {name} --pixels {pixels}"
        )
        self.name = name
        self.stored = stored
        self.given = given


class PictureUnreadable(CorpusError):
    """A picture that was checked when it was stored, and cannot be decoded now."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(
            f"Picture file {file} cannot be decoded ({problem}). Delete its document with: "
            "backtrail corpus delete NAME --document ID. Then ingest that document again."
        )


class DatabaseUnavailable(CorpusError):
    """The database that holds the tables cannot be reached, went away or refused; ``url`` is without password."""

    def __init__(self, url: str, problem: str) -> None:
        why = " ".join(problem.split())
        super().__init__(
            f"The database of corpora at {url} cannot be used ({why}). Is it running, and is BACKTRAIL_DATABASE_URL "
            "right? Nothing that was stored before is lost; run the same command again when it is back."
        )
        self.url = url


class CorpusDiskFull(CorpusError):
    """The disk (or quota) was used up while writing."""

    def __init__(self, name: str, folder: str) -> None:
        super().__init__(
            f"No space left while writing corpus {name!r} in {folder}. Nothing that was stored before is lost, and "
            "vectors computed so far are kept. Free some space and run the same command again."
        )
        self.name = name


class StoreUnavailable(CorpusError):
    """The store of shared corpora cannot be reached, refuses, or no longer has what is asked for."""

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(
            f"The store {address} cannot be used ({problem}). Readers go on with what this machine has of it; "
            "whoever writes runs the same command again when it is back. Nothing that was published is lost."
        )
        self.address = address


class PublishConflict(CorpusError):
    """Another machine published the corpus between the beginning of a change and its end."""

    def __init__(self, name: str, by: str) -> None:
        other = f"by {by} " if by else ""
        super().__init__(
            f"Corpus {name!r} was changed {other}while this change was made, which is not visible now. "
            "Run the same command again: it begins with what is there now, and what was embedded is kept."
        )
        self.name = name


class MirrorDamaged(CorpusError):
    """What was copied of a shared corpus is not what was published."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"This machine's mirror of corpus {name!r} does not hold what was published ({problem}). It is made anew "
            "the next time the corpus is opened."
        )
        self.name = name
