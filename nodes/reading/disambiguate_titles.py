"""Disambiguation of cited documents that have the same title."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping

from backtrail.state.answer import Answer, Citation, DuplicateSource


def disambiguate_titles(reply: Answer) -> Answer:
    """Add a distinguishing part of the path to equal titles: "Revision History (gtfs-realtime)"."""
    cited = [*reply["citations"], *reply.get("quotes", [])]
    named: dict[str, set[str]] = defaultdict(set)
    for one in (*cited, *(other for citation in cited for other in citation.get("duplicates", []))):
        named[one["title"].casefold()].add(one["document"])
    parts = {document: part for same in named.values() for document, part in _parts(same).items()}
    if not parts:
        return reply

    result: Answer = {**reply, "citations": [_named(one, parts) for one in reply["citations"]]}
    if "quotes" in reply:
        result["quotes"] = [_named(one, parts) for one in reply["quotes"]]
    return result


def _named(one: Citation, parts: Mapping[str, str]) -> Citation:
    named: Citation = {**one, "title": _titled(one, parts)}
    if "duplicates" in one:
        named["duplicates"] = [{**other, "title": _titled(other, parts)} for other in one["duplicates"]]
    return named


def _titled(one: Citation | DuplicateSource, parts: Mapping[str, str]) -> str:
    part = parts.get(one["document"])
    return f"{one['title']} ({part})" if part else one["title"]


def _parts(documents: set[str]) -> dict[str, str]:
    """Return the part of each document's path that no other has; the whole path without one."""
    if len(documents) < 2:
        return {}
    paths = {document: posixpath.splitext(document)[0].split("/") for document in documents}
    found: dict[str, str] = {}
    for document, path in paths.items():
        others = {part for other, parts in paths.items() if other != document for part in parts}
        found[document] = next((part for part in path if part and part not in others), document)
    return found
