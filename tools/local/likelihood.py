"""Likelihood of one text given another by a sequence-to-sequence checkpoint, as for BARTScore."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.errors import SettingsError

LONGEST = 1024


class SequenceLikelihood:
    """A local BART-class checkpoint, loaded once.

    Raises:
        DependencyMissing: torch or transformers is not installed.
        SettingsError: the folder has no such checkpoint.
    """

    def __init__(self, folder: Path) -> None:
        torch, transformers = import_local("torch"), import_local("transformers")
        if not (folder / "config.json").is_file():
            raise SettingsError(f"{folder} has no checkpoint (no config.json). Name the folder of a BART checkpoint.")
        try:
            here = {"local_files_only": True, "trust_remote_code": False}
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
            self._model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, **here).eval()
        except (OSError, ValueError) as error:
            raise SettingsError(f"{folder} cannot be loaded as a sequence-to-sequence checkpoint: {error}") from error
        self._torch = torch

    def mean_likelihoods(self, sources: Sequence[str], targets: Sequence[str]) -> list[float]:
        """Return exp(mean log-likelihood) of each target's tokens given its source; in (0, 1]."""
        return [self._one(source, target) for source, target in zip(sources, targets, strict=True)]

    def _one(self, source: str, target: str) -> float:
        given = self._tokenizer(source, return_tensors="pt", truncation=True, max_length=self._longest())
        labels = self._tokenizer(target, return_tensors="pt", truncation=True, max_length=self._longest())["input_ids"]
        with self._torch.inference_mode():
            loss = self._model(input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=labels).loss
        return math.exp(-float(loss))

    def _longest(self) -> int:
        return min(LONGEST, int(getattr(self._model.config, "max_position_embeddings", LONGEST)))
