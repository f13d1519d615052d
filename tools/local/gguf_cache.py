"""Convert GGUF files once, and cache them as checkpoint folders.

Reading such a file takes a minute for a vocabulary of 262,000 words, most of it spent on the words and not on the
weights; the folder that is kept loads in seconds. It is as large as the unpacked weights and can be deleted any time.
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
"""How often the unpacked weights must fit onto the disk: a copy that fills it would cost others their work."""
_reading = threading.RLock()
_parsed: dict[tuple[str, int], Any] = {}


def unpacked_folder(file: Path, dtype: str) -> Path:
    """Where a file's checkpoint is kept, or would be: another file at its place, or another type of number, is
    kept elsewhere."""
    state = file.stat()
    told = f"{file.resolve()}\n{state.st_size}\n{state.st_mtime_ns}\n{import_local('transformers').__version__}"
    return cache_folder() / "gguf" / f"{hashlib.sha256(told.encode()).hexdigest()[:24]}-{dtype}"


def unpacked_before(file: Path) -> Path | None:
    """A checkpoint folder of this file, whatever its type of number; None where it was never unpacked."""
    made = unpacked_folder(file, "").name
    return next((held.parent for held in sorted((cache_folder() / "gguf").glob(f"{made}*/config.json"))), None)


def keep_unpacked(folder: Path, model: Any, tokenizer: Any) -> Path | None:
    """Write a model that was read from a GGUF file into its folder; None where it cannot be kept, which is logged.

    Nothing depends on it: the next process then reads the file again.
    """
    size = sum(weight.numel() * weight.element_size() for weight in model.parameters())
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder.parent).free < _SPARE * size:
            _LOG.warning("The disk has too little room to keep a GGUF file unpacked; it is read anew each time.")
            return None
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            _write(Path(made) / folder.name, model, tokenizer)
            (Path(made) / folder.name).rename(folder)
    except OSError as error:  # no right to write, a full disk; or another process was first
        if not folder.is_dir():
            _LOG.warning("A GGUF file cannot be kept unpacked (%s); it is read anew each time.", error)
            return None
    return folder


def _write(folder: Path, model: Any, tokenizer: Any) -> None:
    folder.mkdir()
    # The model itself refuses to be saved, as it calls itself quantised; its weights no longer are.
    import_local("safetensors.torch").save_model(model, str(folder / "model.safetensors"), metadata={"format": "pt"})
    config = model.config.to_diff_dict()
    config.pop("quantization_config", None)
    config["architectures"] = [type(model).__name__]
    type(model.config).from_dict(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@contextmanager
def read_once() -> Iterator[None]:
    """Within it a GGUF file is parsed once, however often transformers asks for its words: it does so six times.

    What was parsed last stays for the next reading of the same file, until ``forget_read``.
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
    """Let go of what was parsed, half a gigabyte for a large vocabulary."""
    with _reading:
        _parsed.clear()
