"""Load torch and transformers on first use: they belong to the extra ``backtrail[local]``."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from backtrail.tools.embedders.errors import EmbedderUnsupported, EmbedderWeightsMissing
from backtrail.tools.errors import DependencyMissing

EXTRA = "local"


def import_local(name: str) -> Any:
    """Import a module. Raises DependencyMissing, naming the extra, if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise DependencyMissing(error.name or name, EXTRA) from error


def load_local(auto_class: str, folder: Path) -> Any:
    """Load a transformers auto class from a folder, without downloads or running the folder's code.

    Raises DependencyMissing, EmbedderWeightsMissing or EmbedderUnsupported.
    """
    if not folder.is_dir():
        raise EmbedderWeightsMissing(f"The checkpoint folder {str(folder)!r} does not exist.")
    loader = getattr(import_local("transformers"), auto_class)
    try:
        return loader.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError, ImportError) as error:  # an ImportError names the package to install
        problem = " ".join(str(error).split())
        raise EmbedderUnsupported(f"transformers' {auto_class} cannot read {str(folder)!r}: {problem}") from error


def load_model(folder: Path, device: str | None) -> tuple[Any, str]:
    """Load the encoder in float32; return it and its device ("cuda" if available, else "cpu")."""
    chosen = default_device(device)
    return load_local("AutoModel", folder).to(device=chosen, dtype=import_local("torch").float32).eval(), chosen


def default_device(device: str | None) -> str:
    """Return a torch device, "cuda" if none is named and there is one, else "cpu"."""
    return device or ("cuda" if import_local("torch").cuda.is_available() else "cpu")


def weight_files(folder: Path) -> list[Path]:
    """Return the files that transformers reads weights from: safetensors if there are any, else .bin.

    Raises EmbedderWeightsMissing if there are neither.
    """
    for pattern in ("model*.safetensors", "pytorch_model*.bin"):
        if found := sorted(folder.glob(pattern)):
            return found
    raise EmbedderWeightsMissing(f"{str(folder)!r} has no model*.safetensors and no pytorch_model*.bin.")
