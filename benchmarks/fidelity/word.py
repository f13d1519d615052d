"""Write known documents as Word files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from fidelity.source import Grid, Known, Link, Shown, Text


def write_word(known: Known, path: Path) -> None:
    """Write headings and captions by style (tables above, pictures below), real links and bookmarks."""
    paper: Any = docx.Document()
    paper.add_heading(known.title, 0)
    for number, section in enumerate(known.sections):
        heading = paper.add_heading(section.heading, section.level)
        mark = f'<w:bookmarkStart {nsdecls("w")} w:id="{number}" w:name="s{number}"/>'
        heading._p.insert(1, parse_xml(mark))
        for block in section.blocks:
            if isinstance(block, Text):
                _paragraph(paper, block, known)
            elif isinstance(block, Grid):
                paper.add_paragraph(block.caption, style="Caption")
                _table(paper, block)
            else:
                _picture(paper, block)
    paper.save(str(path))


def _paragraph(paper: Any, text: Text, known: Known) -> None:
    paragraph = paper.add_paragraph(text.words)
    if text.link is None:
        return
    paragraph.add_run(" ")
    run = f"<w:r><w:t>{escape(text.link.anchor)}</w:t></w:r>"
    paragraph._p.append(
        parse_xml(f"<w:hyperlink {nsdecls('w', 'r')} {_where(paper, text.link, known)}>{run}</w:hyperlink>")
    )


def _where(paper: Any, link: Link, known: Known) -> str:
    if link.target.startswith("#"):
        headings = [section.heading for section in known.sections]
        return f'w:anchor="s{headings.index(link.target[1:])}"'
    return f"r:id={quoteattr(paper.part.relate_to(link.target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))}"


def _table(paper: Any, grid: Grid) -> None:
    top = 2 if grid.groups else 1
    table = paper.add_table(top + len(grid.rows), len(grid.header))
    cells = [list(row.cells) for row in table.rows]  # access cell by cell takes quadratic time
    if grid.groups:
        column = 1
        for name, width in grid.groups:
            merged = cells[0][column].merge(cells[0][column + width - 1])
            merged.text = name
            column += width
        cells[0][0].merge(cells[1][0])
    for column, name in enumerate(grid.header):
        cells[0 if grid.groups and column == 0 else top - 1][column].text = name
    for number, row in enumerate(grid.rows):
        for column, text in enumerate(row):
            cells[top + number][column].text = text
    for first, last in grid.merged:
        held = cells[top + first][0].merge(cells[top + last][0])
        held.text = grid.rows[first][0]
    for row in table.rows[:top]:
        if grid.marked:
            row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))


def _picture(paper: Any, shown: Shown) -> None:
    paper.add_picture(io.BytesIO(shown.png))
    paper.element.body.findall(".//{*}docPr")[-1].set("descr", shown.alt)
    paper.add_paragraph(shown.caption, style="Caption")
