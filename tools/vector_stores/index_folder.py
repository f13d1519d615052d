"""The stores of one corpus on disk: numbered folders, of which the newest complete one is used.

A store is derived from a published version of the arrays. It is built beside the others under a separate lock, so that
readers and writers of the corpus do not wait for it, and becomes visible by a rename.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
import uuid
from collections.abc import Mapping
from concurrent.futures import thread as _pools  # noqa: F401 - see the end of this file
from pathlib import Path

from filelock import FileLock, Timeout

from backtrail.tools.vector_stores.chroma import remove_collections
from backtrail.tools.vector_stores.errors import StoreDamaged, VectorServerUnavailable
from backtrail.tools.vector_stores.folder_store import change_of, read_built
from backtrail.tools.vector_stores.kinds import chosen_kind, store_at
from backtrail.tools.vector_stores.protocol import Advance, VectorLayer, VectorStore

REBUILT_FROM = 0.1
"""Changed share of a layer from which the store is rebuilt."""
REBUILT_FROM_ROWS = 20_000
"""Or changed vectors: so many of 384 dimensions are scored in about 8 ms (measured)."""
_KEPT = 2  # the newest, and the previous one, which other processes may have open
_PAUSE = 60.0  # seconds until a failed build is retried (ours)
_log = logging.getLogger(__name__)
_lock = threading.Lock()
_building: dict[Path, threading.Thread] = {}
_failed: dict[Path, float] = {}


class IndexFolder:
    """The folder of the stores of the current layers."""

    def __init__(self, folder: Path, layers: Mapping[str, VectorLayer]) -> None:
        self.folder, self.layers = folder, {name: layer for name, layer in layers.items() if len(layer)}

    @property
    def kind(self) -> str:
        """The kind of store to use."""
        return chosen_kind(sum(map(len, self.layers.values())))

    def newest(self) -> Path | None:
        """The newest complete store."""
        complete = [folder for folder in self._folders() if not folder.suffix]
        return complete[-1] if complete else None

    def open(self, store: Path) -> VectorStore:
        """Open a store for the layers. Raises StoreDamaged or VectorServerUnavailable."""
        opened = store_at(read_built(store).kind, store, store.name)
        opened.open()
        opened.update(self.layers)
        return opened

    def is_stale(self, store: Path) -> bool:
        """Whether a store has to be rebuilt: after many changes, or if it is damaged or of another kind."""
        try:
            built = read_built(store)
            changes = [change_of(store, built, name, layer) for name, layer in self.layers.items()]
        except StoreDamaged:
            return True
        many = sum(len(change.new) + change.gone for change in changes) > REBUILT_FROM_ROWS
        return many or any(change.share > REBUILT_FROM for change in changes) or built.kind != self.kind

    def problem(self) -> str | None:
        """The problem of the newest store, if any; a missing store is built by the next search."""
        store = self.newest()
        if store is None:
            return None
        try:
            self.open(store).close()
        except (StoreDamaged, VectorServerUnavailable) as error:
            return str(error)
        return None

    def build(self, corpus: str, advance: Advance, patience: float = -1) -> None:
        """Build a store of the layers, which becomes the newest. A failure is logged as a warning.

        Args:
            corpus: name for the warning.
            patience: seconds to wait for another process that builds one; forever if negative.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self.folder / "lock", timeout=patience):
                before = self._folders()
                number = int(before[-1].name.partition("-")[0]) + 1 if before else 1
                store = self.folder / f"{number:06d}-{uuid.uuid4().hex[:8]}"
                opened = store_at(self.kind, store, store.name)
                opened.build(self.layers, advance)
                opened.close()
                self.keep(_KEPT)
        except Timeout:
            return
        except Exception as error:  # noqa: BLE001 - stores raise unrelated types; searches work without one
            _failed[self.folder] = time.monotonic()
            _log.warning("Corpus %r: its vector index was not built, all vectors are scored: %s", corpus, error)

    def build_in_background(self, corpus: str) -> None:
        """Build a store in a thread, unless one is being built anywhere. The process waits for it at exit."""
        with _lock:
            running = self.folder in _building and _building[self.folder].is_alive()
            if not running and time.monotonic() - _failed.get(self.folder, -_PAUSE) >= _PAUSE:
                thread = threading.Thread(target=self.build, args=(corpus, lambda _: None, 0), name="vector index")
                _building[self.folder] = thread
                thread.start()

    def keep(self, count: int) -> None:
        """Remove all but the newest ``count`` complete stores, and those of killed processes."""
        complete = [folder for folder in self._folders() if not folder.suffix]
        kept = complete[len(complete) - count :] if count else []
        obsolete = [folder for folder in self._folders() if folder not in kept]
        remove_collections([folder.stem for folder in obsolete])
        for folder in obsolete:
            shutil.rmtree(folder, ignore_errors=True)

    def _folders(self) -> list[Path]:
        """Folders of stores, the newest last; those with a suffix are incomplete."""
        return sorted(entry for entry in self.folder.iterdir() if entry.is_dir()) if self.folder.is_dir() else []


def stored_kind(folder: Path) -> str:
    """The kind of the newest store; empty if it is missing or damaged."""
    newest = IndexFolder(folder, {}).newest()
    try:
        return read_built(newest).kind if newest else ""
    except StoreDamaged:
        return ""


def wait_for_builds() -> None:
    """Wait for all stores that this process builds in the background."""
    for thread in list(_building.values()):
        thread.join()


# Chroma works in thread pools, which refuse work once the interpreter exits. Their own hook is registered when they are
# imported, and hooks run in reverse order: builds that are under way are finished before it.
threading._register_atexit(wait_for_builds)  # pyright: ignore[reportAttributeAccessIssue]
