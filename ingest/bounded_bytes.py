"""Read files up to a size limit."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.errors import UnreadableSource, cannot_be_opened


def bounded_bytes(path: Path, most: int, what: str, advice: str = "Split it into smaller files") -> bytes:
    """Return the contents of a file.

    Args:
        most: maximum size in bytes.
        what: name of the kind of file with its article, for the message ("a page").
        advice: what to do with a larger file.

    Raises:
        UnreadableSource: the file cannot be opened or is larger.
    """
    try:
        size = path.stat().st_size
        if size <= most:
            return path.read_bytes()
    except OSError as error:
        raise cannot_be_opened(path, error) from error
    problem = f"is {size / 2**20:,.0f} MB, more than the {most // 2**20} MB allowed for {what}"
    raise UnreadableSource(str(path), problem, advice)
