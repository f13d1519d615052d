"""Locators, sections and sources from the metadata of LangChain documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SOURCES = ("source", "url", "file_path", "file_name")
_TITLES = ("title", "subject")
_PLACES = (
    ("page", "page", 1),  # PyPDFLoader and the other loaders of PDFs count from 0
    ("page_number", "page", 0),  # Unstructured counts from 1
    ("slide", "slide", 0),
    ("slide_number", "slide", 0),
    ("row", "first_row", 2),  # CSVLoader counts rows below the header from 0
    ("cell", "cell", 0),
)
"""Key of the metadata, field of the locator, and the offset to count from 1."""
_SHEETS = ("sheet", "sheet_name", "page_name")
_HEADINGS = tuple(f"Header {level}" for level in range(1, 7))


def source_of(metadata: Mapping[str, Any]) -> str:
    """Return the source of a LangChain document: a path or address; empty if unnamed."""
    return _first_text(metadata, _SOURCES)


def title_of(metadata: Mapping[str, Any]) -> str:
    """Return the title in the metadata; empty if missing."""
    return _first_text(metadata, _TITLES)


def section_of(metadata: Mapping[str, Any]) -> str:
    """Return the section path that LangChain's splitters of Markdown and HTML write."""
    headings = [_first_text(metadata, (key,)) for key in _HEADINGS]
    return _first_text(metadata, ("section",)) or " > ".join(filter(None, headings))


def locator_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a locator in the metadata, 1-based."""
    place: dict[str, Any] = {}
    for key, field, offset in _PLACES:
        value = metadata.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            place.setdefault(field, value + offset)
    if sheet := _first_text(metadata, _SHEETS):
        place["sheet"] = sheet
    return place


def _first_text(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    found = (metadata.get(key) for key in keys)
    return next((" ".join(value.split()) for value in found if isinstance(value, str) and value.strip()), "")
