"""Write known documents as e-books, and their chapters as HTML for mails and notebooks."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from fidelity.source import Grid, Known, Section, Shown, Text

_CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf"/></rootfiles></container>"""


def write_book(known: Known, path: Path) -> None:
    """Write a chapter per section of level 1, with those of level 2 within it."""
    chapters: list[list[Section]] = []
    for section in known.sections:
        if section.level == 1 or not chapters:
            chapters.append([])
        chapters[-1].append(section)
    places = {one.heading: f"c{number}.xhtml" for number, chapter in enumerate(chapters) for one in chapter}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", _CONTAINER)
        items = "".join(
            f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
        )
        spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
        title = f"<metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>{escape(known.title)}</dc:title></metadata>"
        manifest = f"<manifest>{items}</manifest><spine>{spine}</spine>"
        archive.writestr("book.opf", f'<package xmlns="http://www.idpf.org/2007/opf">{title}{manifest}</package>')
        for number, chapter in enumerate(chapters):
            body = body_of(chapter, places, archive.writestr)
            page = f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'
            archive.writestr(f"c{number}.xhtml", page)


def body_of(sections: Iterable[Section], places: dict[str, str], keep: Callable[[str, bytes], object]) -> str:
    """Return sections as HTML.

    Args:
        places: file of each heading.
        keep: function that stores a picture under a name.
    """
    return "".join(_section(one, places, keep) for one in sections)


def _section(section: Section, places: dict[str, str], keep: Callable[[str, bytes], object]) -> str:
    name = _name(section.heading)
    heading = f'<h{section.level} id="{name}">{escape(section.heading)}</h{section.level}>'
    return heading + "".join(_block(block, places, keep) for block in section.blocks)


def _name(heading: str) -> str:
    return heading.replace(" ", "-")


def _block(block: Text | Grid | Shown, places: dict[str, str], keep: Callable[[str, bytes], object]) -> str:
    if isinstance(block, Text):
        link = ""
        if block.link is not None:
            inside = block.link.target.startswith("#")
            heading = block.link.target[1:]
            href = f"{places[heading]}#{_name(heading)}" if inside else block.link.target
            link = f' <a href="{escape(href)}">{escape(block.link.anchor)}</a>'
        return f"<p>{escape(block.words)}{link}</p>"
    if isinstance(block, Grid):
        return _table(block)
    picture = f"{block.caption.split()[1].rstrip(':')}.png"
    keep(picture, block.png)
    caption = f"<figcaption>{escape(block.caption)}</figcaption>"
    return f'<figure><img src="{picture}" alt="{escape(block.alt)}"/>{caption}</figure>'


def _table(grid: Grid) -> str:
    mark = "th" if grid.marked else "td"
    names = grid.header[1:] if grid.groups else grid.header
    top = "".join(f"<{mark}>{escape(name)}</{mark}>" for name in names)
    rows = f"<tr>{top}</tr>"
    if grid.groups:
        over = "".join(f'<{mark} colspan="{width}">{escape(name)}</{mark}>' for name, width in grid.groups)
        rows = f'<tr><{mark} rowspan="2">{escape(grid.header[0])}</{mark}>{over}</tr>{rows}'
    tall = {first: last - first + 1 for first, last in grid.merged}
    covered = {number for first, last in grid.merged for number in range(first + 1, last + 1)}
    for number, row in enumerate(grid.rows):
        tall_cell = f'<td rowspan="{tall[number]}">' if number in tall else "<td>"
        cells = "".join(
            f"{'<td>' if column else tall_cell}{escape(text)}</td>"
            for column, text in enumerate(row)
            if column or number not in covered
        )
        rows += f"<tr>{cells}</tr>"
    return f"<table><caption>{escape(grid.caption)}</caption>{rows}</table>"
