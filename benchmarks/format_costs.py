"""Measure the seconds and megabytes for parsing 100 pages, by format.

    python benchmarks/format_costs.py [--pages 100]

A page is 400 words in five paragraphs under a heading; every third has a table of seven rows and four columns, every
fifth a picture of 800 by 600 pixels. The same document is written in every format and read in a new process, after two
small ones. Seconds are processor time of that process and its children; megabytes are the growth of both. Storing and
embedding are excluded, as they do not depend on the format.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import random
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path

from fidelity.book import write_book
from fidelity.page import write_page
from fidelity.slides import write_slides
from fidelity.source import WORDS, Grid, Known, Section, Shown, Text
from fidelity.word import write_word
from fidelity.workbook import write_workbook
from PIL import Image as Pictures
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Image, PageBreak, Paragraph, SimpleDocTemplate, Table

from backtrail.ingest.discover import Source
from backtrail.ingest.kinds import kind_of
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument


def document(pages: int) -> Known:
    """Return a document of so many pages."""
    chance = random.Random(pages)

    def words(count: int) -> str:
        return " ".join(chance.choice(WORDS["en"]) for _ in range(count))

    sections: list[Section] = []
    for number in range(1, pages + 1):
        blocks: list[Text | Grid | Shown] = [Text(f"{words(79)} {number}.") for _ in range(5)]
        if number % 3 == 0:
            rows = tuple((f"{words(1)} {n}", *(str(chance.randint(1, 999)) for _ in range(3))) for n in range(7))
            blocks.append(Grid(f"Table {number}: {words(3)}", ("name", "low", "high", "mean"), rows))
        if number % 5 == 0:
            stream = io.BytesIO()
            Pictures.effect_noise((800, 600), number).convert("RGB").save(stream, "PNG", compress_level=1)
            blocks.append(Shown(stream.getvalue(), f"Figure {number}: {words(3)}", words(2)))
        sections.append(Section(1, f"{words(2)} {number}", tuple(blocks)))
    return Known("costs", words(3), tuple(sections))


def write_pdf(known: Known, path: Path) -> None:
    """Write a PDF with a page per section."""
    styles, flow = getSampleStyleSheet(), []
    for section in known.sections:
        flow.append(Paragraph(section.heading, styles["Heading1"]))
        for block in section.blocks:
            if isinstance(block, Text):
                flow.append(Paragraph(block.words, styles["BodyText"]))
            elif isinstance(block, Grid):
                lines = ("GRID", (0, 0), (-1, -1), 1, "black")
                flow += [
                    Paragraph(block.caption, styles["BodyText"]),
                    Table([block.header, *block.rows], style=[lines]),
                ]
            else:
                flow += [Image(io.BytesIO(block.png), 240, 180), Paragraph(block.caption, styles["BodyText"])]
        flow.append(PageBreak())
    SimpleDocTemplate(str(path)).build(flow)


def write_markdown(known: Known, path: Path) -> None:
    """Write Markdown with pipe tables, and pictures beside the file."""
    lines = [f"# {known.title}\n"]
    for section in known.sections:
        lines.append(f"## {section.heading}\n")
        for block in section.blocks:
            if isinstance(block, Text):
                lines.append(f"{block.words}\n")
            elif isinstance(block, Grid):
                rows = (block.header, ("---",) * len(block.header), *block.rows)
                lines.append("\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n")
            else:
                name = f"{block.caption.split()[1].rstrip(':')}.png"
                (path.parent / name).write_bytes(block.png)
                lines.append(f"![{block.alt}]({name})\n")
    path.write_text("\n".join(lines))


WRITERS: dict[str, Callable[[Known, Path], None]] = {
    ".html": write_page, ".md": write_markdown, ".epub": write_book, ".docx": write_word, ".pptx": write_slides,
    ".xlsx": write_workbook, ".pdf": write_pdf,
}  # fmt: skip


def main() -> None:
    """Write and read each format, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100)
    pages = parser.parse_args().pages
    print("| format | MB of file | components | s | MB |\n|---|--:|--:|--:|--:|")
    for ending, write in WRITERS.items():
        with tempfile.TemporaryDirectory() as folder:
            small, large = Path(folder, f"small{ending}"), Path(folder, f"large{ending}")
            write(document(3), small)
            write(document(pages), large)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                components, seconds, megabytes = pool.apply(_cost, (small, large))
            size = large.stat().st_size / 1e6
        print(f"| `{ending}` | {size:.1f} | {components} | {seconds * 100 / pages:.2f} | {megabytes:.0f} |", flush=True)


def _cost(small: Path, large: Path) -> tuple[int, float, float]:
    _read(small), _read(small)
    before = _used()
    components = _read(large)
    after = _used()
    return components, after[0] - before[0], after[1] - before[1]


def _read(path: Path) -> int:
    found = list(parse(Source(kind_of(path) or "text", path, path.name, path.parent)))
    assert all(isinstance(one, ParsedDocument) for one in found), found
    return sum(len(one.components) for one in found if isinstance(one, ParsedDocument))


def _used() -> tuple[float, float]:
    """Return processor seconds and peak megabytes so far. The process that reads PDF counts once it has ended."""
    from backtrail.ingest.pdf import isolated_reader

    isolated_reader.stop()
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    return seconds, (own.ru_maxrss + children.ru_maxrss) / 1024


if __name__ == "__main__":
    main()
