"""Reference contents of files by independent programs: pandoc, LibreOffice, poppler, Python's email.

Kinds of content that they do not report are None and not compared. They are not perfect: parts of a reference that are
no content (a running head that LibreOffice prints, a word that poppler glues) count against us.
"""

from __future__ import annotations

import csv
import email
import email.policy
import html
import json
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PANDOC = {".docx": "docx", ".epub": "epub", ".html": "html", ".md": "gfm", ".rst": "rst", ".ipynb": "ipynb"}
_SCHEME = re.compile(r"https?://")


@dataclass
class Reference:
    """Words in order; cells with the name of their column; URLs of links; headings; number of pictures."""

    words: list[str]
    cells: list[tuple[str, str]] | None = None
    links: list[str] | None = None
    headings: list[str] | None = None
    captions: list[str] | None = None
    pictures: int | None = None


def words_of(text: str) -> list[str]:
    """Return the words in lower case, for comparison."""
    return re.findall(r"\w+", text.casefold())


def reference(path: Path) -> Reference:
    """Return the reference of a file by its type."""
    ending = path.suffix.lower()
    if ending in _PANDOC:
        return _by_pandoc(path, _PANDOC[ending])
    if ending in (".xlsx", ".xls", ".ods"):
        return _by_calc(path)
    if ending in (".pptx", ".odp"):
        return _by_impress(path)
    if ending == ".pdf":
        return _by_poppler(path)
    if ending == ".eml":
        return _by_email(path)
    raise ValueError(f"{path}: there is no reference program for {ending}")


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True, timeout=300).stdout.decode("utf-8", "replace")


# --- pandoc --------------------------------------------------------------------------------------------------


def _by_pandoc(path: Path, kind: str) -> Reference:
    tree = json.loads(_run("pandoc", "-f", kind, "-t", "json", str(path)))
    if path.suffix == ".md":  # front matter, shown as the title
        tree = json.loads(_run("pandoc", "-f", "gfm+yaml_metadata_block", "-t", "json", str(path)))
    blocks = tree["blocks"]
    nodes = list(_nodes(blocks))
    cells: list[tuple[str, str]] = []
    for node in nodes:
        if node.get("t") == "Table":
            cells += _table(node["c"])
    links = [node["c"][2][0] for node in nodes if node.get("t") == "Link"]
    return Reference(
        words_of(_text(blocks)),
        cells,
        [link for link in links if _SCHEME.match(link)],
        [_text(node["c"][2]) for node in nodes if node.get("t") == "Header"],
        list(filter(str.strip, map(_text, _captions(nodes)))),
        len({node["c"][2][0] for node in nodes if node.get("t") == "Image" and not _SCHEME.match(node["c"][2][0])}),
    )


def _captions(nodes: Sequence[dict[str, Any]]) -> Iterator[Any]:
    """Yield captions of tables and of pictures that are alone in their block."""
    for node in nodes:
        is_figure = node.get("t") == "Image" and node["c"][2][1].startswith("fig:")
        if is_figure or node.get("t") == "Table":
            yield node["c"][1]


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        if "t" in tree:
            yield tree
        for value in tree.values():
            yield from _nodes(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _nodes(value)


def _text(tree: Any) -> str:
    """Return the text of a tree, without attributes and URLs."""
    if isinstance(tree, list):
        return "".join(map(_text, tree))
    if not isinstance(tree, dict):
        return ""
    kind, content = tree.get("t"), tree.get("c")
    if kind == "Str":
        return content
    if kind in ("Space", "SoftBreak", "LineBreak"):
        return " "
    if kind in ("Code", "CodeBlock", "Math"):
        return f" {content[1]} "
    if kind in ("RawInline", "RawBlock"):
        return " "
    if kind in ("Link", "Image", "Span", "Div"):
        inner = _text(content[1])
        return inner if kind in ("Link", "Span") else f" {inner} "
    if kind == "Header":
        return f" {_text(content[2])} "
    if kind == "Table":
        return " ".join(cell for row in _rows(content) for cell in row) + " "
    if kind == "DefinitionList":
        return " ".join(f"{_text(term)} {' '.join(map(_text, told))}" for term, told in content) + " "
    if kind in ("OrderedList", "Cite", "Quoted"):
        return _text(content[1]) + (" " if kind == "OrderedList" else "")
    inner = _text(content)
    return f" {inner} " if kind in ("Para", "Plain", "BulletList", "BlockQuote", "LineBlock", "Note") else inner


def _rows(table: list[Any]) -> list[list[str]]:
    head, bodies, foot = table[3], table[4], table[5]
    rows = [*head[1], *(row for body in bodies for row in (*body[2], *body[3])), *foot[1]]
    return [[" ".join(_text(cell[4]).split()) for cell in row[1]] for row in rows]


def _table(table: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield cells with the name of their column; the first row is the header where pandoc reports none."""
    rows = _rows(table)
    spans = any(cell[2] != 1 or cell[3] != 1 for body in table[4] for row in body[3] for cell in row[1])
    if spans or len(rows) < 2:
        return
    for row in rows[1:]:
        yield from ((name, cell) for name, cell in zip(rows[0], row, strict=False) if cell)


# --- LibreOffice ---------------------------------------------------------------------------------------------


def _converted(path: Path, to: str, folder: str) -> list[Path]:
    profile = f"-env:UserInstallation=file://{folder}/profile"
    _run("soffice", profile, "--headless", "--convert-to", to, "--outdir", f"{folder}/out", str(path))
    return sorted(Path(folder, "out").iterdir())


def _by_calc(path: Path) -> Reference:
    """Return all sheets as shown; cells without a column name, as headers are not marked."""
    with tempfile.TemporaryDirectory() as folder:
        sheets = _converted(
            path, "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", folder
        )
        rows = [row for sheet in sheets for row in csv.reader(sheet.read_text(errors="replace").splitlines())]
    cells = [" ".join(cell.split()) for row in rows for cell in row if cell.strip()]
    return Reference(words_of(" ".join(cells)), [("", cell) for cell in cells])


def _by_impress(path: Path) -> Reference:
    with tempfile.TemporaryDirectory() as folder:
        (sheet,) = _converted(path, "pdf", folder)
        found = _by_poppler(sheet)
    with zipfile.ZipFile(path) as archive:
        slides = [name for name in archive.namelist() if re.fullmatch(r"ppt/slides/_rels/slide\d+\.xml\.rels", name)]
        shown = {
            name
            for slide in slides
            for name in re.findall(
                r'Target="\.\./media/([^"]+\.(?:png|jpe?g|gif|bmp|tiff?))"', archive.read(slide).decode()
            )
        }
    return Reference(found.words, links=found.links, pictures=len(shown))


# --- poppler -------------------------------------------------------------------------------------------------


_CAPTION = re.compile(
    r"^[ \t]*((?:Figure|Fig\.|Table|Abbildung|Abb\.|Tabelle)[ \xa0]\d+(?:\.\d+)*[.:][ \t]+\S.{10,})$", re.M
)
_OUTLINE = re.compile(r"<item page=\"\d+\">(.*?)</item>", re.S)


def _by_poppler(path: Path) -> Reference:
    """Return captions by their first words, headings by the outline, pictures of at least 16 pixels a side."""
    links = [line.split()[-1] for line in _run("pdfinfo", "-url", str(path)).splitlines() if _SCHEME.search(line)]
    text = _run("pdftotext", "-enc", "UTF-8", str(path), "-").replace("\u00ad", "")
    outline = _OUTLINE.findall(_run("pdftohtml", "-xml", "-i", "-stdout", str(path)))
    listed = [line.split() for line in _run("pdfimages", "-list", str(path)).splitlines()[2:]]
    pictures = {row[10] for row in listed if row[2] == "image" and min(int(row[3]), int(row[4])) >= 16}
    return Reference(
        words_of(text), links=links, headings=list(map(html.unescape, outline)), captions=_CAPTION.findall(text),
        pictures=len(pictures),
    )  # fmt: skip


# --- e-mail --------------------------------------------------------------------------------------------------


def _by_email(path: Path) -> Reference:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.compat32)
    for wanted in ("text/html", "text/plain"):
        for part in message.walk():
            if part.get_content_type() == wanted and not part.get_filename():
                raw = part.get_payload(decode=True) or b""
                text = raw.decode(part.get_content_charset() or "utf-8", "replace")
                with tempfile.NamedTemporaryFile("w", suffix=".html") as page:
                    page.write(text if wanted == "text/html" else text.replace("<", "&lt;"))
                    page.flush()
                    return _by_pandoc(Path(page.name), "html")
    return Reference([])
