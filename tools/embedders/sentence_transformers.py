"""Embedder of sentence-transformers folders (Transformer, Pooling[, Dense …][, Normalize]) on torch.

The sentence-transformers package itself is not needed. Vectors are always L2-normalised, as ``Embedder``
requires. torch is imported when a folder is opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from backtrail.tools.embedders.batches import token_batches
from backtrail.tools.embedders.dense_layer import load_dense
from backtrail.tools.embedders.embed_unique import distinct_texts
from backtrail.tools.embedders.normalise import normalise_rows
from backtrail.tools.embedders.pooling import pool
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.sentence_modules import SentenceModules, read_modules
from backtrail.tools.embedders.torch_local import import_local, load_local, load_model, weight_files
from backtrail.tools.embedders.weights_hash import files_sha256

BATCH_TOKENS = 8192
FALLBACK_MOST_TOKENS = 512


class SentenceTransformerFolder:
    """A sentence-transformers checkpoint folder. Implements ``Embedder``."""

    def __init__(self, folder: Path, *, cache_folder: Path, device: str | None = None) -> None:
        """Open the folder.

        Args:
            cache_folder: folder of the hashes of weights.
            device: torch device; None means cuda if available.

        Raises DependencyMissing (torch, transformers), EmbedderWeightsMissing, EmbedderUnsupported.
        """
        self._torch = import_local("torch")
        self._modules = read_modules(folder)
        self._dense = [load_dense(path) for path in self._modules.dense]
        self._model, self._device = load_model(self._modules.transformer, device)
        self._tokenizer = load_local("AutoTokenizer", self._modules.transformer)
        self._tokenizer.padding_side = "right"  # required by pooling
        self._most_tokens = self._modules.max_tokens or _most_tokens(self._tokenizer, self._model.config)
        # Truncating fast tokenizers are not thread-safe.
        self._tokenising = Lock()
        self._dense = [layer.to(self._device) for layer in self._dense]
        self.dimension = self._dense[-1].out_features if self._dense else int(self._model.config.hidden_size)
        self.prompts = self._modules.prompts
        self.fingerprint = _fingerprint(folder, self._modules, self._most_tokens, cache_folder)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension], rows L2-normalised, in input order."""
        return self.embed_with(self._modules.prompt, texts)

    def embed_with(self, prompt: str, texts: Sequence[str]) -> Vectors:
        """The same with another prompt before every text."""
        distinct, positions = distinct_texts(texts)
        tokens = self._tokenise(prompt, distinct)
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)
        for rows in token_batches([len(row) for row in tokens], BATCH_TOKENS):
            vectors[rows] = self._forward([tokens[row] for row in rows])
        return vectors[positions]

    def _tokenise(self, prompt: str, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        full = [prompt + (text.lower() if self._modules.lower_case else text) for text in texts]
        with self._tokenising:
            encoded = self._tokenizer(full, truncation=True, max_length=self._most_tokens, verbose=False)
        # A tokenizer without special tokens gives no token for an empty text; the model needs one.
        filler = self._tokenizer.eos_token_id or self._tokenizer.pad_token_id or 0
        return [list(ids) or [filler] for ids in encoded["input_ids"]]

    def _forward(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        torch = self._torch
        longest = max(len(row) for row in tokens)
        padding = self._tokenizer.pad_token_id or 0
        ids = torch.tensor([[*row, *[padding] * (longest - len(row))] for row in tokens], device=self._device)
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in tokens], device=self._device)
        with torch.inference_mode():
            hidden = self._model(input_ids=ids, attention_mask=mask).last_hidden_state
            vectors = pool(hidden, mask, self._modules.pooling)
            for layer in self._dense:
                vectors = layer(vectors)
            return normalise_rows(vectors.cpu().numpy())


def _most_tokens(tokenizer: Any, config: Any) -> int:
    """The lower limit of tokenizer and model; tokenizers without a limit report a huge number."""
    limits = [tokenizer.model_max_length, getattr(config, "max_position_embeddings", FALLBACK_MOST_TOKENS)]
    return min(int(limit) for limit in limits)


def _fingerprint(folder: Path, modules: SentenceModules, most_tokens: int, cache_folder: Path) -> str:
    files = [*weight_files(modules.transformer), *modules.definition]
    files += [file for path in modules.dense for file in weight_files(path)]
    digest = files_sha256(files, cache_folder=cache_folder)
    parts = [folder.resolve().name, digest[:12], "fp32", str(most_tokens)]
    if modules.prompt:
        parts.append(f"prompt-{hashlib.sha256(modules.prompt.encode()).hexdigest()[:8]}")
    return ":".join(parts)
