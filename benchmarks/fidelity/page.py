"""Write known documents as HTML pages, with their pictures beside them."""

from __future__ import annotations

from html import escape
from pathlib import Path

from fidelity.book import body_of
from fidelity.source import Known


def write_page(known: Known, path: Path) -> None:
    """Write a page with a menu and a footer, which are no content."""

    def keep(name: str, content: bytes) -> None:
        (path.parent / name).write_bytes(content)

    body = body_of(known.sections, {section.heading: "" for section in known.sections}, keep)
    menu = "<nav><ul><li><a href='https://x.example/'>Home</a></li><li><a href='https://x.example/all'>All</a></li></ul></nav>"
    head = f"<head><meta charset='utf-8'><title>{escape(known.title)}</title></head>"
    path.write_text(
        f"<!DOCTYPE html><html>{head}<body>{menu}<main>{body}</main><footer>Imprint</footer></body></html>",
        encoding="utf-8",
    )
