"""Sync this home's mirror of a shared corpus with the published version.

Lance is imported only when there is something to copy.
"""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

from backtrail.tools.corpus.errors import CorpusDiskFull, CorpusError, MirrorDamaged, StoreUnavailable
from backtrail.tools.corpus.storage import Kept, kept_in, noted
from backtrail.tools.disk_full import is_disk_full
from backtrail.tools.home import corpus_folder

if TYPE_CHECKING:
    from backtrail.tools.corpus.store.publish_corpus import Sharing

_TRIES = 3
_log = logging.getLogger(__name__)


def sync_mirror(name: str, *, patience: float = 0.0) -> Kept | None:
    """Update the mirror to the current publication; None for a corpus that is not shared.

    A corpus without a publication gets an empty mirror: its first publication creates it.

    Args:
        patience: seconds to wait for another process of this machine that is updating it.

    Raises:
        StoreUnavailable, DatabaseUnavailable: the publication cannot be read or copied now.
        CorpusLocked, CorpusDiskFull, MirrorDamaged: see ``pull``.
    """
    kept = kept_in(name)
    if kept is None:
        return None
    for left in reversed(range(_TRIES)):
        try:
            return _bring(kept, patience)
        except StoreUnavailable:  # the version may have been cleaned up after a newer publication
            if not left:
                raise
        except MirrorDamaged:
            shutil.rmtree(corpus_folder(name), ignore_errors=True)
            kept = Kept(name, kept.address)
            if not left:
                raise
        except OSError as error:  # writing the note of the mirror failed
            if is_disk_full(error):
                raise CorpusDiskFull(name, str(corpus_folder(name))) from error
            raise
    raise AssertionError  # the last try raises


def _bring(kept: Kept, patience: float) -> Kept:
    from backtrail.tools.corpus.store.pointer import open_pointer

    name = kept.corpus
    pointer = open_pointer(kept.address)
    if kept.pointer and kept.pointer != pointer.kind:
        raise StoreUnavailable(
            str(kept.address),
            f"its publications are in {'Postgres' if kept.pointer == 'postgres' else 'its folder'}: "
            f"{'set' if kept.pointer == 'postgres' else 'unset'} BACKTRAIL_DATABASE_URL",
        )
    published = pointer.read(name)
    local = noted(name)
    if published is None:
        return _gone(kept, local, pointer.kind)
    if local is None:
        kept.note()  # marks the folder as a mirror
    elif local.number == published.number:
        if local.leaving:  # an interrupted move home did not happen
            local = local.at(local.number, pointer.kind)
            local.note()
        return local
    from backtrail.tools.corpus.store.pull import pull
    from backtrail.tools.corpus.writing.progress import Silent

    pull(local or kept, corpus_folder(name), published, Silent(), patience)
    done = kept.at(published.number, pointer.kind)
    done.note()
    return done


def _gone(kept: Kept, local: Kept | None, pointer: str) -> Kept:
    """Remove the mirror of a corpus that is no longer published."""
    folder = corpus_folder(kept.corpus)
    if local and local.leaving:  # finish an interrupted move into this home
        (folder / "store.json").unlink()
        return local
    if local and local.number:
        shutil.rmtree(folder, ignore_errors=True)
    return Kept(kept.corpus, kept.address, 0, pointer)


def open_publisher(name: str) -> Sharing:
    """The publisher of a change of a shared corpus, which starts from the mirror's current state."""
    from backtrail.tools.corpus.store.pointer import open_pointer
    from backtrail.tools.corpus.store.publish_corpus import Sharing

    kept = noted(name) or kept_in(name)
    if kept is None:
        raise CorpusError(f"Corpus {name!r} is not shared any more; run the same command again.")
    return Sharing(kept.at(kept.number, open_pointer(kept.address).kind), corpus_folder(name))
