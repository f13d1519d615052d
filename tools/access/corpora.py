"""Check who may read and write a corpus on a server, and set its owner.

A corpus that somebody may not read raises the same error as one that does not exist.
"""

from __future__ import annotations

import time

from backtrail.tools.access.patterns import among
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.access.policy.errors import PolicyRefused
from backtrail.tools.access.records.corpora import claim_corpus, corpus_owner, owned_corpora
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.listing import corpus_exists, list_corpora
from backtrail.tools.home import corpus_folder

CORPUS = "corpus"
NO_INGEST = "You may not ingest files here. The host of this server can grant it in the policy: ingest = true."


def may_read(corpus: str, whom: Allowed) -> bool:
    """Whether somebody may read a corpus: their own, their group's, or one without owner that is granted."""
    owner = corpus_owner(corpus)
    return among(corpus, whom.corpora) if owner is None else whom.owns(owner)


def readable_corpora(whom: Allowed) -> dict[str, str]:
    """Names of corpora that somebody may read, with their owners: empty for the host's. Blocking."""
    owners = owned_corpora()
    names = {*list_corpora(), *(name for name, owner in owners.items() if whom.owns(owner))}
    return {name: owners.get(name, "") for name in sorted(names) if may_read(name, whom)}


def check_readable(corpus: str, whom: Allowed) -> None:
    """Refuse a corpus that somebody may not read, as one that does not exist. Blocking.

    Raises:
        CorpusNotFound, SettingsError: it is missing or may not be read; the name is invalid.
    """
    corpus_folder(corpus)
    owner = corpus_owner(corpus)
    if not (among(corpus, whom.corpora) and corpus_exists(corpus) if owner is None else whom.owns(owner)):
        raise CorpusNotFound(corpus, list(readable_corpora(whom)))


def only_corpus(whom: Allowed) -> str:
    """The corpus to use when none is named: the only one that is granted; else empty."""
    return whom.corpora[0] if len(whom.corpora) == 1 and "*" not in whom.corpora[0] else ""


def check_writable(corpus: str, whom: Allowed, *, closed: bool) -> None:
    """Refuse a corpus that somebody may not write; an unused name is allowed. Blocking.

    Args:
        closed: whether the server has keys; without keys every corpus may be written.

    Raises:
        PolicyRefused: ingestion is not granted, or the name is another's or the host's.
    """
    corpus_folder(corpus)
    if not whom.ingest:
        raise PolicyRefused(NO_INGEST)
    if not closed:
        return
    owner = corpus_owner(corpus)
    if not whom.owns(owner) if owner is not None else corpus_exists(corpus):
        raise PolicyRefused(f"{corpus!r} cannot be the name of a corpus of yours: it is taken. Choose another.")


def check_ingested(corpus: str, whom: Allowed, *, closed: bool) -> None:
    """Refuse to ingest the uploads of a corpus of somebody else. Blocking.

    Raises:
        CorpusNotFound: the corpus may not be read, or has no uploads.
        PolicyRefused: as ``check_writable``.
    """
    if closed:
        check_readable(corpus, whom)
    check_writable(corpus, whom, closed=closed)


def claim(corpus: str, whom: Allowed, *, shared: bool, closed: bool) -> None:
    """Make this person or their group the owner of a corpus without one. Blocking.

    Raises:
        PolicyRefused: as ``check_writable``, also when somebody else was first; no group to share with.
    """
    check_writable(corpus, whom, closed=closed)
    if not closed:
        return
    if shared and not whom.shared:
        raise PolicyRefused("You belong to no group to share a corpus with.")
    if not whom.owns(claim_corpus(corpus, whom.shared if shared else whom.name, time.time())):
        raise PolicyRefused(f"{corpus!r} cannot be the name of a corpus of yours: it is taken. Choose another.")
