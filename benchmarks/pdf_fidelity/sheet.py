"""Drawing sheet that records its contents: words, headings, tables, captions, pictures, links."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen import canvas

WIDTH, HEIGHT = 612.0, 792.0
MARGIN = 60.0

_PROSE = tuple(
    word
    for line in (
        "river water carries sand stone slope basin harbour current season measure follow between under along across",
        "settle gather remain increase observe describe reach travel border valley meadow channel estuary sediment",
        "erosion granite transport velocity deposit gradient surface shallow volume narrow winter summer annual steady",
    )
    for word in line.split()
)


@dataclass
class KnownTable:
    """A drawn table: column heads (outermost first, joined by " / "), and rows with their head first."""

    caption: str
    heads: list[str]
    rows: list[list[str]]


@dataclass
class Truth:
    """Contents of the sheets. ``pictures`` are (page, box); ``links`` (anchor, words of the target)."""

    paragraphs: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    tables: list[KnownTable] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    pictures: list[tuple[int, tuple[float, float, float, float]]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    running: list[str] = field(default_factory=list)


class Sheet:
    """Draws with reportlab; lengths in points, y from the top of the page."""

    def __init__(self, path: Path, seed: int) -> None:
        self.canvas = canvas.Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
        self.truth = Truth()
        self.page = 1
        self._words = random.Random(seed)

    def next_page(self) -> None:
        """Start a new page."""
        self.canvas.showPage()
        self.page += 1

    def save(self) -> Truth:
        """Write the file and return its contents."""
        self.canvas.save()
        return self.truth

    def prose(self, words: int) -> str:
        """Return sentences of the prose vocabulary, which headings, tables and captions do not use."""
        text: list[str] = []
        while len(text) < words:
            sentence = [self._words.choice(_PROSE) for _ in range(self._words.randint(7, 14))]
            text += [sentence[0].capitalize(), *sentence[1:-1], sentence[-1] + "."]
        return " ".join(text)

    def line(self, x: float, y: float, text: str, size: float = 10, font: str = "Times-Roman", **how: Any) -> None:
        """Draw a line of text with its baseline at y."""
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HEIGHT - y, text, **how)

    def heading(self, x: float, y: float, text: str, size: float = 14, font: str = "Times-Bold") -> None:
        """Draw a heading."""
        self.line(x, y, text, size, font)
        self.truth.headings.append(text)

    def caption(self, x: float, y: float, text: str, size: float = 9) -> None:
        """Draw a caption of one line."""
        self.line(x, y, text, size, "Times-Italic")
        self.truth.captions.append(text)

    def wrap(self, text: str, width: float, size: float, font: str, *, hyphens: bool = False) -> list[str]:
        """Return lines of at most that width; with hyphens long words are divided."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if stringWidth(longer, font, size) <= width:
                lines[-1] = longer
                continue
            if hyphens and len(word) > 6 and word.isalpha():
                head = f"{lines[-1]} {word[:4]}-".strip()
                if stringWidth(head, font, size) <= width:
                    lines[-1] = head
                    word = word[4:]
            lines.append(word)
        return lines

    def paragraph(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        *,
        size: float = 10,
        font: str = "Times-Roman",
        justify: bool = True,
        hyphens: bool = False,
        known: bool = True,
    ) -> float:
        """Draw a paragraph; return the y below it."""
        lines = self.wrap(text, width, size, font, hyphens=hyphens)
        for number, line in enumerate(lines):
            spaces = line.count(" ")
            spare = width - stringWidth(line, font, size)
            stretch = spare / spaces if justify and spaces and number < len(lines) - 1 else 0
            self.line(x, y + size, line, size, font, wordSpace=stretch)
            y += 1.2 * size
        if known:
            self.truth.paragraphs.append(text)
        return y + 0.6 * size

    def picture(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a raster picture with its upper left corner at x, y."""
        noise = Image.effect_noise((120, 90), 60).convert("RGB")
        stream = io.BytesIO()
        noise.save(stream, format="PNG")
        stream.seek(0)
        self.canvas.drawImage(ImageReader(stream), x, HEIGHT - y - height, width, height)
        self.truth.pictures.append((self.page, (x, y, x + width, y + height)))

    def chart(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a vector line chart with axes, ticks and labels."""
        sheet, bottom = self.canvas, HEIGHT - y - height
        sheet.line(x, bottom, x, bottom + height)
        sheet.line(x, bottom, x + width, bottom)
        for n in range(1, 6):
            sheet.line(x + n * width / 6, bottom, x + n * width / 6, bottom + 4)
            self.line(x + n * width / 6 - 4, HEIGHT - bottom - 6, f"q{n}", 7, "Helvetica")
        path = sheet.beginPath()
        path.moveTo(x, bottom + 5)
        for n in range(1, 13):
            path.lineTo(x + n * width / 12, bottom + height * (0.2 + 0.7 * self._words.random()))
        sheet.drawPath(path)
        for n in range(6):
            sheet.circle(x + n * width / 6 + 8, bottom + height * self._words.random(), 3, fill=1)
        self.truth.pictures.append((self.page, (x, y, x + width, y + height)))
