"""Source of known documents: eight layouts of text, tables, pictures and links, from a seed."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field

from PIL import Image

_SPOKEN = {
    "en": "pump harbour lamp keeper storm valve copper winter ledger tower signal rope barrel pilot chart",
    "de": "Pumpe Hafen Leuchtturm Wärter Stürme Ventil Kupfer Wintervorrat Überblick Größe Schlüssel Straße",
    "ru": "насос гавань маяк смотритель шторм клапан медь зима журнал башня сигнал канат",
    "zh": "水泵 港口 灯塔 守护 风暴 阀门 铜管 冬季 账本 塔楼 信号 绳索",
    "ar": "مضخة ميناء منارة حارس عاصفة صمام نحاس شتاء دفتر برج إشارة حبل",
}
WORDS = {language: words.split() for language, words in _SPOKEN.items()}


@dataclass(frozen=True)
class Link:
    """A link: its words, and a URL or the name of a heading ("#…")."""

    anchor: str
    target: str


@dataclass(frozen=True)
class Text:
    """A paragraph, with an optional link after its words."""

    words: str
    link: Link | None = None


@dataclass(frozen=True)
class Grid:
    """A table; ``groups`` are an upper header row of merged cells, ``merged`` rows share a name."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    groups: tuple[tuple[str, int], ...] = ()
    merged: tuple[tuple[int, int], ...] = ()
    marked: bool = True


@dataclass(frozen=True)
class Shown:
    """A picture with its caption and alternative text."""

    png: bytes
    caption: str
    alt: str


@dataclass(frozen=True)
class Section:
    """A heading of level 1 or 2 with its content."""

    level: int
    heading: str
    blocks: tuple[Text | Grid | Shown, ...]


@dataclass(frozen=True)
class Known:
    """One document."""

    name: str
    title: str
    sections: tuple[Section, ...] = field(default_factory=tuple)


LAYOUTS = (
    "plain",
    "grouped header",
    "header by looks",
    "pictures",
    "links",
    "many tables",
    "long table",
    "five scripts",
)


def known_documents(seed: int = 7) -> list[Known]:
    """Return one document of each layout."""
    return [_Maker(random.Random(f"{seed}{name}"), name).make() for name in LAYOUTS]


class _Maker:
    def __init__(self, chance: random.Random, layout: str) -> None:
        self._chance = chance
        self._layout = layout
        self._used: set[str] = set()
        self._captions = 0

    def make(self) -> Known:
        sections: list[Section] = []
        languages = list(WORDS) if self._layout == "five scripts" else ["en"]
        for number in range(5):
            language = languages[number % len(languages)]
            level = 2 if number in (1, 3) else 1
            sections.append(Section(level, self._name(language, 3), tuple(self._blocks(number, language, sections))))
        return Known(self._layout.replace(" ", "-"), f"Report on {self._name('en', 2)}", tuple(sections))

    def _blocks(self, number: int, language: str, before: list[Section]) -> list[Text | Grid | Shown]:
        blocks: list[Text | Grid | Shown] = [Text(self._sentence(language)), Text(self._sentence(language))]
        if self._layout == "links":
            blocks.append(Text(self._sentence(language), Link(self._name(language, 2), f"https://x.example/{number}")))
            if before:
                blocks.append(Text(self._sentence(language), Link(before[0].heading, f"#{before[0].heading}")))
        if self._layout == "pictures":
            blocks.append(self._picture(number))
        for _ in range({"many tables": 2, "long table": int(number == 0)}.get(self._layout, int(number % 2 == 0))):
            blocks.append(self._table(language))
        return [*blocks, Text(self._sentence(language))]

    def _table(self, language: str) -> Grid:
        self._captions += 1
        length = 450 if self._layout == "long table" else self._chance.randint(3, 9)
        grouped = self._layout == "grouped header"
        names = [self._name(language, 1) for _ in range(4)]
        header = (names[0], *(("low", "high") * 2 if grouped else [*names[1:], self._name(language, 2)]))
        rows = [(self._name(language, 2), *(self._number() for _ in header[1:])) for _ in range(length)]
        merged: tuple[tuple[int, int], ...] = ()
        if grouped:
            rows[1] = (rows[0][0], *rows[1][1:])
            merged = ((0, 1),)
        caption = f"Table {self._captions}: {self._name(language, 3)}"
        groups = ((names[1], 2), (names[2], 2)) if grouped else ()
        return Grid(caption, tuple(header), tuple(rows), groups, merged, self._layout != "header by looks")

    def _picture(self, number: int) -> Shown:
        stream = io.BytesIO()
        Image.new("RGB", (60 + number, 40), (40 * number, 90, 200 - 30 * number)).save(stream, "PNG")
        words = self._name("en", 3)
        return Shown(stream.getvalue(), f"Figure {number + 1}: {words}", f"Drawing of {self._name('en', 2)}")

    def _name(self, language: str, words: int) -> str:
        """Return words that no other name of the document has."""
        while True:
            name = " ".join(self._chance.choice(WORDS[language]) for _ in range(words))
            number = self._chance.randint(10, 99)
            name = f"{name} {number}"
            if name not in self._used:
                self._used.add(name)
                return name

    def _sentence(self, language: str) -> str:
        return (
            " ".join(self._chance.choice(WORDS[language]) for _ in range(14)) + f" {self._chance.randint(100, 9999)}."
        )

    def _number(self) -> str:
        return str(self._chance.randint(1, 9999))
