"""Write a file so that a reader sees the old content or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: Path, content: bytes | str, *, durable: bool = False) -> None:
    """Replace the content of a file, with the guarantees of ``replacing``; text is encoded as UTF-8."""
    with replacing(path, durable=durable) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Yield a temporary file temporary the target that replaces it when the block ends.

    After an error the target is unchanged. Missing folders are created. Of concurrent writers the last one wins.

    Args:
        durable: flush the content to the disk before the replacement, so that it survives a power cut.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
