"""Follow updates of shared corpora in a background thread.

Where the store or Postgres is away, or the disk here is full, readers go on with what the mirror holds.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path

from backtrail.tools.corpus.errors import CorpusDiskFull, CorpusError, CorpusLocked
from backtrail.tools.corpus.storage import is_mirror, kept_in, noted
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import default_address
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import corpus_folder

POLL = 5.0
"""Seconds between two looks at a pointer, where ``$BACKTRAIL_STORE_POLL`` names no others (ours)."""
_FIRST_MIRROR = 120.0
_FULL = 12
"""Looks that are left out when the disk was full, as each try copies until it is full again (ours)."""
_log = logging.getLogger(__name__)
_lock = threading.Lock()
_followed: dict[Path, str] = {}
_away: dict[str, type[CorpusError]] = {}
"""What is known to be wrong, by corpus or store, so that it is said once."""
_full_until: dict[str, float] = {}
_thread: threading.Thread | None = None
_quiet_until = 0.0
_registered = threading.Event()


def follow(name: str) -> None:
    """Before a corpus is read. Of one that is not shared, or that this process follows already, it does nothing.

    Raises:
        SettingsError: ``$BACKTRAIL_STORE_POLL`` is no number of seconds.
        StoreUnavailable, DatabaseUnavailable, CorpusLocked, CorpusDiskFull: there is no mirror yet and none can be
            made now.
    """
    if corpus_folder(name) in _followed or kept_in(name) is None:
        return
    seconds_between()
    held = noted(name)
    _look(name, patience=0.0 if held and held.number else _FIRST_MIRROR)
    if noted(name):
        _keep_following(name)


def _look(name: str, patience: float) -> None:
    try:
        sync_mirror(name, patience=patience)
        if _away.pop(name, None):
            _log.warning("Corpus %r can be followed again.", name)
    except CorpusError as error:
        held = noted(name)
        if held is None or not held.number:
            raise
        if isinstance(error, CorpusDiskFull):
            _full_until[name] = time.monotonic() + _FULL * _pause()
        if not isinstance(error, CorpusLocked) and _away.get(name) is not type(error):
            _away[name] = type(error)
            _log.warning("Corpus %r is read as it was mirrored, and followed again as soon as it can: %s", name, error)


def _keep_following(name: str) -> None:
    global _thread
    with _lock:
        _followed[corpus_folder(name)] = name
        _registered.set()
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_follow_all, name="backtrail-store", daemon=True)
            _thread.start()


def _follow_all() -> None:
    while True:
        _registered.wait(_pause())
        _registered.clear()
        for folder, name in list(_followed.items()):
            try:
                if not is_mirror(folder):  # removed, or this home's own now
                    del _followed[folder]
                elif time.monotonic() < _full_until.get(name, 0.0):
                    continue
                elif folder == corpus_folder(name):  # a process has one home; tests have several
                    _look(name, patience=0.0)
            except BaseException:  # noqa: BLE001 - the thread has to outlive whatever one corpus does to it
                _log.exception("Corpus %r could not be followed", name)


def _pause() -> float:
    try:
        return seconds_between()
    except SettingsError:  # whoever opens a corpus is told
        return POLL


def seconds_between() -> float:
    """How often pointers are looked at.

    Raises:
        SettingsError: ``$BACKTRAIL_STORE_POLL`` is no positive number.
    """
    named = os.environ.get("BACKTRAIL_STORE_POLL") or str(POLL)
    try:
        seconds = float(named)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise SettingsError(f"BACKTRAIL_STORE_POLL cannot be {named!r}. Use a number of seconds.")
    return seconds


def shared_names() -> list[str]:
    """Corpora in the store that ``$BACKTRAIL_STORE`` names; none, with a warning, while that cannot be said."""
    global _quiet_until
    address = default_address()
    if address is None or time.monotonic() < _quiet_until:
        return []
    from backtrail.tools.corpus.store.pointer import open_pointer

    try:
        names = list(open_pointer(address).names())
    except CorpusError as error:
        _quiet_until = time.monotonic() + seconds_between()  # a server that is away takes ten seconds to say nothing
        if str(address) not in _away:
            _away[str(address)] = type(error)
            _log.warning("Only corpora that were mirrored are listed: %s", error)
        return []
    _away.pop(str(address), None)
    return names
