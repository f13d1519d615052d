"""Engine of a local model: loaded once per process, its requests batched."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backtrail.tools.local.batcher import Batcher
from backtrail.tools.local.checkpoint import read_checkpoint
from backtrail.tools.local.generate import generate
from backtrail.tools.local.grammar import can_constrain, grammar_tokens
from backtrail.tools.local.load import LoadedModel, load_checkpoint
from backtrail.tools.local.options import LocalOptions
from backtrail.tools.local.prefix_cache import Prefixes, can_share
from backtrail.tools.local.request import Request


class LocalEngine:
    """A loaded model with its queue.

    Args:
        loaded: the model.
        options: ``batch``, ``tokens`` and ``prefix`` are used.
    """

    def __init__(self, loaded: LoadedModel, options: LocalOptions) -> None:
        self.loaded = loaded
        self.options = options
        self.constrains = can_constrain(loaded.tokenizer)
        self.batcher = Batcher(self._generate, options.batch)
        # Not for models that see: pictures change the positions of their tokens.
        shares = options.prefix > 0 and not loaded.sees and can_share(loaded.model)
        self.prefixes = Prefixes(options.prefix) if shares else None  # used in the batcher's thread only
        self._tokens: Any | None = None  # used in the batcher's thread only

    def submit(self, request: Request) -> None:
        """Queue a request; its answer arrives in ``request.answer``."""
        self.batcher.submit(request)

    def _generate(self, requests: Sequence[Request]) -> None:
        if self._tokens is None and any(request.options.schema is not None for request in requests):
            width = int(self.loaded.model.get_output_embeddings().weight.shape[0])
            self._tokens = grammar_tokens(self.loaded.tokenizer, width, self.loaded.ends)
        generate(self.loaded, requests, self._tokens, self.prefixes)


_engines: dict[tuple[Path, LocalOptions], LocalEngine] = {}
_lock = threading.Lock()


def open_engine(folder: Path, options: LocalOptions) -> LocalEngine:
    """Open the engine of a checkpoint folder, shared in this process. Loading takes seconds to minutes.

    Raises:
        DependencyMissing, SettingsError, LocalModelError: see ``read_checkpoint`` and ``load_checkpoint``.
    """
    key = (folder.expanduser().resolve(), options)
    with _lock:
        if key not in _engines:
            _engines[key] = LocalEngine(load_checkpoint(read_checkpoint(folder), options), options)
        return _engines[key]


def close_engines() -> None:
    """Unload every model (for tests, or after a folder was trained again)."""
    with _lock:
        for engine in _engines.values():
            engine.batcher.close()
        _engines.clear()
