"""Convert GGUF files once, and cache them as checkpoint folders.

Reading such a file takes a minute for a vocabulary of 262,000 words, mostly for the words; the cached folder loads in
seconds. It is as large as the unpacked weights and can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.home import cache_folder

_LOG = logging.getLogger(__name__)
_SPARE = 2
"""Required free space as a multiple of the unpacked weights, so that the copy does not fill the disk."""
_reading = threading.RLock()
_parsed: dict[tuple[str, int], Any] = {}


def unpacked_folder(file: Path, dtype: str) -> Path:
    """Return the cache folder of a file's checkpoint. A replaced file or another dtype has another folder."""
    state = file.stat()
    key = f"{file.resolve()}\n{state.st_size}\n{state.st_mtime_ns}\n{import_local('transformers').__version__}"
    return cache_folder() / "gguf" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}-{dtype}"


def unpacked_before(file: Path) -> Path | None:
    """Return a cached checkpoint folder of this file, of any dtype; None if there is none."""
    name = unpacked_folder(file, "").name
    return next((found.parent for found in sorted((cache_folder() / "gguf").glob(f"{name}*/config.json"))), None)


def keep_unpacked(folder: Path, model: Any, tokenizer: Any) -> Path | None:
    """Write a model read from a GGUF file into its cache folder; None, and a warning, if that fails.

    The next process then reads the file again.
    """
    size = sum(weight.numel() * weight.element_size() for weight in model.parameters())
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder.parent).free < _SPARE * size:
            _LOG.warning("The disk has too little space to cache an unpacked GGUF file; it is read each time.")
            return None
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            _write(Path(made) / folder.name, model, tokenizer)
            (Path(made) / folder.name).rename(folder)
    except OSError as error:  # no permission, a full disk; or another process was first
        if not folder.is_dir():
            _LOG.warning("An unpacked GGUF file cannot be cached (%s); it is read each time.", error)
            return None
    return folder


def _write(folder: Path, model: Any, tokenizer: Any) -> None:
    folder.mkdir()
    # The model's own save fails, as it is still marked as quantised although its weights are unpacked.
    import_local("safetensors.torch").save_model(model, str(folder / "model.safetensors"), metadata={"format": "pt"})
    config = model.config.to_diff_dict()
    config.pop("quantization_config", None)
    config["architectures"] = [type(model).__name__]
    type(model.config).from_dict(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@contextmanager
def read_once() -> Iterator[None]:
    """Parse a GGUF file once within the block, although transformers opens it six times.

    The last parsed file stays in memory until ``forget_read``.
    """
    gguf = import_local("gguf")
    with _reading:
        reader = gguf.GGUFReader

        def parsed(file: Any, *more: Any) -> Any:
            key = (str(file), Path(file).stat().st_mtime_ns)
            if key not in _parsed:
                _parsed.clear()
                _parsed[key] = reader(file, *more)
            return _parsed[key]

        gguf.GGUFReader = parsed
        try:
            yield
        finally:
            gguf.GGUFReader = reader


def forget_read() -> None:
    """Release the last parsed file, half a gigabyte for a large vocabulary."""
    with _reading:
        _parsed.clear()
