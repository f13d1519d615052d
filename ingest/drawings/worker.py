"""Worker process that renders drawings, so that a hostile one ends the worker and not the ingest.

Takes jobs (markup, width, height, whether there is text) and returns PNG bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache

import resvg_py
from PIL import Image

from backtrail.ingest.worker_process import serve

SECONDS = 20
"""Time limit of one drawing."""

MEMORY = 2 * 2**30
"""Memory limit of the process in bytes."""


_FAMILIES = ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI", "Ubuntu", "Cantarell",
             "FreeSans", "Times New Roman", "Droid Sans", "Open Sans", "Roboto")  # fmt: skip
_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><text y="14" font-size="16">H</text></svg>'


def _draw(job: tuple[str, int, int, bool], entered: Callable[[int], None]) -> bytes:
    markup, width, height, with_text = job
    return _drawn(markup, width, height, _family() if with_text else "")


def _drawn(markup: str, width: int, height: int, family: str) -> bytes:
    drawn = resvg_py.svg_to_bytes(
        svg_string=markup, width=width, height=height, background="#ffffff", skip_system_fonts=not family,
        font_family=family or None, serif_family=family or None, sans_serif_family=family or None,
    )  # fmt: skip
    return bytes(drawn)


@lru_cache(maxsize=1)
def _family() -> str:
    """Return an installed font family as a fallback, without which resvg may leave text out."""
    for family in _FAMILIES:
        with Image.open(io.BytesIO(_drawn(_LETTER, 16, 16, family))) as letter:
            if letter.convert("L").getextrema()[0] != 255:
                return family
    return ""


if __name__ == "__main__":
    serve(_draw, SECONDS, MEMORY)
