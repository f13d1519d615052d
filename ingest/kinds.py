"""Supported kinds of files by extension, and advice for unsupported ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from backtrail.state.extensions import load_extensions

if TYPE_CHECKING:
    from backtrail.ingest.parsed import ParsedDocument

SourceKind = str
"""Name of a kind."""


@dataclass(frozen=True)
class Kind:
    """Kind of file: its name in code, its label for people, and its extensions."""

    name: str
    label: str
    extensions: tuple[str, ...]


@dataclass(frozen=True)
class Parser(Kind):
    """Kind of file that another package parses; the object of an entry point in ``backtrail.parsers``.

    Args:
        parse: yields the documents of a file from its path and the id of its first document, each made by
            ``backtrail.ingest.finish.finish``. For a file that cannot be read it raises
            ``backtrail.ingest.errors.UnreadableSource``.
        version: version of the parser. Files are parsed again when it changes.
    """

    parse: Callable[[Path, str], Iterable[ParsedDocument]]
    version: str


KINDS = (
    Kind("html", "HTML page", (".html", ".htm", ".xhtml")),
    Kind("markdown", "Markdown file", (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")),
    Kind("restructured", "reStructuredText file", (".rst", ".rest")),
    Kind("notebook", "Jupyter notebook", (".ipynb",)),
    Kind("pdf", "PDF", (".pdf",)),
    Kind("epub", "e-book", (".epub",)),
    Kind("word", "Word document", (".docx", ".docm", ".dotx", ".dotm")),
    Kind("slides", "PowerPoint deck", (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")),
    Kind("xlsx", "Excel workbook", (".xlsx", ".xlsm", ".xltx", ".xltm")),
    Kind("odt", "OpenDocument text", (".odt", ".ott")),
    Kind("odp", "OpenDocument presentation", (".odp", ".otp")),
    Kind("ods", "OpenDocument spreadsheet", (".ods", ".ots")),
    Kind("old_excel", "workbook in a binary format of Excel", (".xls", ".xlt", ".xlsb")),
    Kind("mail", "e-mail", (".eml",)),
    Kind("mailbox", "box of e-mail", (".mbox", ".mbx")),
    Kind("outlook", "message of Outlook", (".msg",)),
    Kind("delimited", "delimited table", (".csv", ".tsv", ".tab")),
    Kind("text", "plain text", (".txt", ".text")),
    Kind("image", "picture",
         (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".svg")),
)  # fmt: skip

PAGES: frozenset[SourceKind] = frozenset({"html", "markdown", "restructured"})
"""Kinds that show picture files beside them."""

_VOWELS = ("e-", "Excel", "HTML", "Open")
"""Beginnings of labels with the article "an"."""


@cache
def installed_parsers() -> dict[str, Parser]:
    """Return the parsers of other packages by the name of their kind."""
    return {parser.name: parser for parser in load_extensions("parsers", Parser).values()}


@cache
def _by_extension() -> dict[str, Kind]:
    """Return kinds by extension; ours take precedence over those of other packages."""
    return {extension: kind for kind in (*installed_parsers().values(), *KINDS) for extension in kind.extensions}


_NOT_READ = {
    (".doc", ".dot", ".wps"): "the old format of Word is not read; save it as .docx",
    (".ppt", ".pps", ".pot"): "the old format of PowerPoint is not read; save it as .pptx",
    (".rtf", ".pages", ".wpd"): "this word processor's format is not read; save it as .docx",
    (".numbers",): "this spreadsheet's format is not read; save it as .xlsx",
    (".key",): "this presentation's format is not read; save it as .pptx",
    (".adoc", ".asciidoc"): "AsciiDoc is not read; convert it to HTML with asciidoctor",
    (".heic", ".heif"): "this camera's format is not read; save it as .jpg",
    (".tex", ".latex"): "LaTeX is not read; ingest its PDF, or convert it to HTML with pandoc",
    (".org",): "Org is not read; convert it to .md with pandoc",
    (".mp3", ".m4a", ".wav", ".mp4", ".mov", ".mkv", ".webm"): "sound and film are not read; give a transcript as .txt",
    (".one", ".vsd", ".vsdx", ".pub"): "this office format is not read; export it as .pdf",
    (".pst", ".ost"): "this mailbox of Outlook is not read; export it as .mbox, or its messages as .msg",
    (".mobi", ".azw", ".azw3"): "this e-book's format is not read; convert it to .epub",
    (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar", ".zst"): "archives are not opened; unpack it",
}
_ADVICE = {extension: advice for extensions, advice in _NOT_READ.items() for extension in extensions}


def kind_of(path: Path) -> SourceKind | None:
    """Return the kind of a file's extension; None if it is not supported."""
    kind = _by_extension().get(path.suffix.lower())
    return kind.name if kind else None


def label_of(name: SourceKind) -> str:
    """Return the label of a kind."""
    return next((kind.label for kind in _by_extension().values() if kind.name == name), name)


def named_like(name: SourceKind) -> str:
    """Return the label of a kind with its article: "an e-book"."""
    return with_article(label_of(name))


def with_article(label: str) -> str:
    """Prepend the article to a label: "a PDF", "an HTML page"."""
    return f"{'an' if label.startswith(_VOWELS) else 'a'} {label}"


def why_not_read(path: Path) -> str:
    """Return the reason why a file of an unsupported kind is skipped."""
    if ".jsonl" in path.suffixes:
        return "for a corpus bundle give the folder with documents.jsonl and components.jsonl"
    extension = path.suffix.lower()
    return _ADVICE.get(extension) or f"{path.suffix or 'files without an extension'}: not a supported kind"


def supported() -> str:
    """List all kinds with their extensions, for messages."""
    kinds = (*KINDS, *installed_parsers().values())
    return ", ".join(f"{kind.label} ({' '.join(kind.extensions)})" for kind in kinds)
