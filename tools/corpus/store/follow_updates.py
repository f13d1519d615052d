"""Follow updates of shared corpora in a background thread.

If the store or Postgres is away, or the disk is full, readers continue with the mirror.
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
"""Seconds between two polls of a pointer, unless ``$BACKTRAIL_STORE_POLL`` is set (ours)."""
_FIRST_MIRROR = 120.0
_FULL = 12
"""Polls skipped after a full disk, because each attempt copies until it is full again (ours)."""
_log = logging.getLogger(__name__)
_lock = threading.Lock()
_followed: dict[Path, str] = {}
_away: dict[str, type[CorpusError]] = {}
"""Current error by corpus or store, so that it is logged once."""
_full_until: dict[str, float] = {}
_thread: threading.Thread | None = None
_quiet_until = 0.0
_registered = threading.Event()


def follow(name: str) -> None:
    """Sync and follow a shared corpus before it is read; otherwise, and if followed already, do nothing.

    Raises:
        SettingsError: ``$BACKTRAIL_STORE_POLL`` is not a number of seconds.
        StoreUnavailable, DatabaseUnavailable, CorpusLocked, CorpusDiskFull: there is no mirror and none can be made.
    """
    if corpus_folder(name) in _followed or kept_in(name) is None:
        return
    seconds_between()
    kept = noted(name)
    _look(name, patience=0.0 if kept and kept.number else _FIRST_MIRROR)
    if noted(name):
        _keep_following(name)


def _look(name: str, patience: float) -> None:
    try:
        sync_mirror(name, patience=patience)
        if _away.pop(name, None):
            _log.warning("Corpus %r can be followed again.", name)
    except CorpusError as error:
        kept = noted(name)
        if kept is None or not kept.number:
            raise
        if isinstance(error, CorpusDiskFull):
            _full_until[name] = time.monotonic() + _FULL * _pause()
        if not isinstance(error, CorpusLocked) and _away.get(name) is not type(error):
            _away[name] = type(error)
            _log.warning("Corpus %r is read from its mirror, and followed again as soon as possible: %s", name, error)


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
                if not is_mirror(folder):  # removed, or local now
                    del _followed[folder]
                elif time.monotonic() < _full_until.get(name, 0.0):
                    continue
                elif folder == corpus_folder(name):  # a process has one home; tests have several
                    _look(name, patience=0.0)
            except BaseException:  # noqa: BLE001 - one corpus must not end the thread
                _log.exception("Corpus %r could not be followed", name)


def _pause() -> float:
    try:
        return seconds_between()
    except SettingsError:  # reported when a corpus is opened
        return POLL


def seconds_between() -> float:
    """Seconds between two polls of a pointer.

    Raises:
        SettingsError: ``$BACKTRAIL_STORE_POLL`` is not a positive number.
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
    """Names of corpora in ``$BACKTRAIL_STORE``; none, with a warning, while it cannot be reached."""
    global _quiet_until
    address = default_address()
    if address is None or time.monotonic() < _quiet_until:
        return []
    from backtrail.tools.corpus.store.pointer import open_pointer

    try:
        names = list(open_pointer(address).names())
    except CorpusError as error:
        _quiet_until = time.monotonic() + seconds_between()  # an unreachable server takes ten seconds to time out
        if str(address) not in _away:
            _away[str(address)] = type(error)
            _log.warning("Only mirrored corpora are listed: %s", error)
        return []
    _away.pop(str(address), None)
    return names
