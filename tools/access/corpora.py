"""Who may read and write which corpus on a server, and making one somebody's.

A corpus that somebody may not read is answered in the same words as one that does not exist.
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
NO_INGEST = "Files are not ingested for you here. Whoever hosts this server can grant it in the policy: ingest = true."


def may_read(corpus: str, whom: Allowed) -> bool:
    """Whether somebody may read a corpus: one's own or one's group's, and of those that are nobody's the granted."""
    owner = corpus_owner(corpus)
    return among(corpus, whom.corpora) if owner is None else whom.owns(owner)


def readable_corpora(whom: Allowed) -> dict[str, str]:
    """Corpora that somebody may read, each with its owner: empty for the host's. Blocking."""
    owners = owned_corpora()
    names = {*list_corpora(), *(name for name, owner in owners.items() if whom.owns(owner))}
    return {name: owners.get(name, "") for name in sorted(names) if may_read(name, whom)}


def check_readable(corpus: str, whom: Allowed) -> None:
    """Refuse a corpus that somebody may not read, as one that there is not. Blocking.

    Raises:
        CorpusNotFound, SettingsError: it is not theirs to see, or no name.
    """
    corpus_folder(corpus)
    owner = corpus_owner(corpus)
    if not (among(corpus, whom.corpora) and corpus_exists(corpus) if owner is None else whom.owns(owner)):
        raise CorpusNotFound(corpus, list(readable_corpora(whom)))


def only_corpus(whom: Allowed) -> str:
    """The corpus that is meant when none is named, where only one can be."""
    return whom.corpora[0] if len(whom.corpora) == 1 and "*" not in whom.corpora[0] else ""


def check_writable(corpus: str, whom: Allowed, *, closed: bool) -> None:
    """Refuse a corpus that somebody may not write; a name that is free may be. Blocking.

    Args:
        closed: whether there are keys; without, every corpus may be written.

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
    """Refuse to ingest the uploads of a corpus that is not theirs. Blocking.

    Raises:
        CorpusNotFound: they may not read it, or nobody brought files for it.
        PolicyRefused: as ``check_writable``.
    """
    if closed:
        check_readable(corpus, whom)
    check_writable(corpus, whom, closed=closed)


def claim(corpus: str, whom: Allowed, *, shared: bool, closed: bool) -> None:
    """Make a corpus that is nobody's this person's, or their group's. Blocking.

    Raises:
        PolicyRefused: as ``check_writable``, also when somebody else was first; or there is no group to share with.
    """
    check_writable(corpus, whom, closed=closed)
    if not closed:
        return
    if shared and not whom.shared:
        raise PolicyRefused("You are in no group that a corpus could be shared with.")
    if not whom.owns(claim_corpus(corpus, whom.shared if shared else whom.name, time.time())):
        raise PolicyRefused(f"{corpus!r} cannot be the name of a corpus of yours: it is taken. Choose another.")
