"""From the bytes of a page to an element tree, whatever the encoding and however broken the markup."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.errors import UnreadableSource

MAX_BYTES = 64 * 1024 * 1024
"""A page above this is a data dump, and its tree would take about ten times as much memory."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})""", re.I)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")
_BLOCK_WRAPPERS = re.compile(r"</?(?:div|section|article|main|center)\b[^<>]*>", re.I)
_INLINE_WRAPPERS = re.compile(r"</?(?:span|font|b|i|u|em|strong|small|big)\b[^<>]*>", re.I)


def read_text(path: Path, what: str) -> str:
    """The text of a page or Markdown file.

    Args:
        path: the file.
        what: the format's name, for the message ("HTML page").

    Raises:
        UnreadableSource: the file cannot be opened, is empty, binary or larger than 64 MB.
    """
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise UnreadableSource(
            str(path), f"cannot be opened ({error.strerror})", "Check the path and permissions"
        ) from error
    if size > MAX_BYTES:
        problem = f"is {size / 1e6:.0f} MB, more than the {MAX_BYTES // 2**20} MB that a page may have"
        raise UnreadableSource(str(path), problem, "Split it into smaller files")
    if not content.strip():
        raise UnreadableSource(str(path), "the file is empty", "Remove it or export it again")
    text = decode(content)
    if text is None:
        advice = f"Give it the extension of its real format, or export it as an {what}"
        raise UnreadableSource(str(path), f"this is a binary file, not an {what}", advice)
    return text


def decode(content: bytes) -> str | None:
    """Text from bytes: byte order mark, declared charset, UTF-8, then Windows Latin; None for binary content.

    Bytes which are valid UTF-8 are read as such even if a Latin charset is declared: the opposite mistake is
    practically impossible for text that has any accented letter.
    """
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return content.decode(encoding, "replace").lstrip("\ufeff")
    if b"\0" in content[:8192] or content.startswith((b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")):
        return None
    for encoding in ("utf-8", _declared(content)):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("cp1252", "replace")


def _declared(content: bytes) -> str:
    """The charset that the page declares, as a codec that exists; Windows Latin where none does."""
    match = _XML_ENCODING.search(content[:200]) or _CHARSET.search(content[:4096])
    name = match.group(1).decode("ascii", "replace").lower() if match else "cp1252"
    try:
        # a declaration that could be read as ASCII cannot be true of an encoding that is not a superset of it
        usable = "<".encode(name) == b"<"
    except LookupError:
        return "cp1252"
    # browsers read these two as Windows-1252, and so were the pages written
    return name if usable and codecs.lookup(name).name not in ("ascii", "iso8859-1") else "cp1252"


def parse_markup(markup: str) -> tuple[Any, list[str]]:
    """The root element of a page, and what was lost while reading it (one sentence each).

    Markup nested deeper than the parser's limit (256) is read again without its wrappers, so that text survives.
    """
    root = _as_xhtml(markup) if _XML_DECLARATION.match(markup) else None
    if root is not None:
        return root, []
    markup = _XML_DECLARATION.sub("", markup, count=1)
    root, complete = _as_html(markup)
    if complete:
        return root, []
    flat = _INLINE_WRAPPERS.sub("", _BLOCK_WRAPPERS.sub("<hr>", markup))
    root, complete = _as_html(flat)
    if complete:
        return root, ["the markup is nested too deeply; it was read without its wrappers and their ids"]
    return root, ["the markup is nested too deeply or has an oversized element; what follows it was not read"]


def _as_html(markup: str) -> tuple[Any, bool]:
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False)
    # a NUL ends the document for libxml2
    content = markup.replace("\0", " ").encode("utf-8", "replace")
    root = None
    with suppress(etree.XMLSyntaxError):  # nothing but comments or white space
        root = etree.fromstring(content, parser)
    if root is None:
        root = etree.fromstring("<html><body></body></html>", etree.HTMLParser())
    cut = any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)
    return root, not cut


def _as_xhtml(markup: str) -> Any | None:
    """The tree of well-formed XHTML, where an empty ``<script/>`` is closed; None when it is not well-formed."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(_XML_DECLARATION.sub("", markup, count=1).encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None
    elements = list(root.iter())
    if any(not isinstance(element.tag, str) for element in elements):
        return None  # unresolved entities: the HTML parser knows their names
    for element in elements:
        element.tag = etree.QName(element).localname.lower()
    return root if root.tag == "html" else None
