"""Cache of built ONNX graphs on disk.

A file's name has the key of its sources and the hash of its content (``minilm-<key>-<content>.onnx``): one
atomic rename publishes both, and damage is noticed on reading.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from backtrail.tools.atomic_file import write_atomically


def cached_graph(cache_folder: Path, key: str, build: Callable[[], bytes]) -> bytes:
    """Return the serialised graph of ``key``: from the cache if it is intact, else built and stored.

    Args:
        key: identifies weights, precision and builder version; safe in a file name.
        build: makes the serialised graph; called only if no intact file exists.

    A file whose content does not match its name is deleted and built again.
    """
    for path in sorted(cache_folder.glob(f"{key}-*.onnx")):
        content = path.read_bytes()
        if path.name == _name(key, content):
            return content
        path.unlink(missing_ok=True)
    content = build()
    write_atomically(cache_folder / _name(key, content), content)
    return content


def _name(key: str, content: bytes) -> str:
    return f"{key}-{hashlib.sha256(content).hexdigest()[:16]}.onnx"
