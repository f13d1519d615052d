"""Sync this home's mirror of a shared corpus with the published version.

Light to import: Lance is opened where there is something to copy.
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
    """Make the mirror hold what is published now; None for a corpus that is not shared.

    A corpus that is in no store yet gets an empty mirror: the first publication makes it.

    Args:
        patience: seconds to wait for another process of this machine that is at it.

    Raises:
        StoreUnavailable, DatabaseUnavailable: it cannot be said, or copied, now.
        CorpusLocked, CorpusDiskFull, MirrorDamaged: see ``pull``.
    """
    kept = kept_in(name)
    if kept is None:
        return None
    for left in reversed(range(_TRIES)):
        try:
            return _bring(kept, patience)
        except StoreUnavailable:  # what was being copied may have been cleaned up: then there is a newer one
            if not left:
                raise
        except MirrorDamaged:
            shutil.rmtree(corpus_folder(name), ignore_errors=True)
            kept = Kept(name, kept.address)
            if not left:
                raise
        except OSError as error:  # of the note that says what is mirrored
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
            f"what is published there stands in {'Postgres' if kept.pointer == 'postgres' else 'its folder'}: "
            f"{'set' if kept.pointer == 'postgres' else 'unset'} BACKTRAIL_DATABASE_URL",
        )
    published = pointer.read(name)
    held = noted(name)
    if published is None:
        return _gone(kept, held, pointer.kind)
    if held is None:
        kept.note()  # from now on the folder is a mirror, whose tables are its own
    elif held.number == published.number:
        if held.leaving:  # it was to be taken back, and was not
            held = held.at(held.number, pointer.kind)
            held.note()
        return held
    from backtrail.tools.corpus.store.pull import pull
    from backtrail.tools.corpus.writing.progress import Silent

    pull(held or kept, corpus_folder(name), published, Silent(), patience)
    done = kept.at(published.number, pointer.kind)
    done.note()
    return done


def _gone(kept: Kept, held: Kept | None, pointer: str) -> Kept:
    """Nothing is published under that name: a mirror of what was is removed."""
    folder = corpus_folder(kept.corpus)
    if held and held.leaving:  # it was taken back into this home, which was interrupted
        (folder / "store.json").unlink()
        return held
    if held and held.number:
        shutil.rmtree(folder, ignore_errors=True)
    return Kept(kept.corpus, kept.address, 0, pointer)


def open_publisher(name: str) -> Sharing:
    """What publishes a change of a shared corpus, which begins with what the mirror holds now."""
    from backtrail.tools.corpus.store.pointer import open_pointer
    from backtrail.tools.corpus.store.publish_corpus import Sharing

    kept = noted(name) or kept_in(name)
    if kept is None:
        raise CorpusError(f"Corpus {name!r} is not shared any more; run the same command again.")
    return Sharing(kept.at(kept.number, open_pointer(kept.address).kind), corpus_folder(name))
