"""Write a file so that a reader sees the old content or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: Path, content: bytes | str, *, durable: bool = False) -> None:
    """Write a file as ``replacing`` does; a text in UTF-8."""
    with replacing(path, durable=durable) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file beside the target, which takes its place when the block ends; after an error the target is as it was.

    Missing folders are made. Processes that write the same target side by side do not meet: the last one stays.

    Args:
        durable: whether it has to outlive a power cut too: it is on the disk before it takes its place.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
