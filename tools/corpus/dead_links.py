"""Dead links by cause, with examples, for the report of an ingest."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from backtrail.tools.corpus.tables.schema import components, documents, links

EXAMPLES = 3
_FILE = re.compile(r"\.(?!html?$|mdx?$|markdown$|xhtml$)[a-z][a-z0-9]{1,7}$", re.I)
OUTSIDE, FILE, PAGE, ANCHOR = (
    "out of the ingested folder",
    "to a file that is no document",
    "to a page that is not there",
    "to a place that its page does not have",
)


@dataclass
class DeadLinks:
    """Dead links of one cause: count, and examples as "from → to"."""

    count: int = 0
    examples: list[str] = field(default_factory=list)


def dead_links(connection: Connection) -> dict[str, DeadLinks]:
    """Dead links by cause, most frequent first, also those whose page exists but not its anchor.

    Repeated links count each time, but are an example once.
    """
    found: dict[str, DeadLinks] = {}
    for source, wanted, fragment, kind, count in _written(connection):
        cause = ANCHOR if kind == "internal" else _cause(wanted)
        dead = found.setdefault(cause, DeadLinks())
        dead.count += count
        if len(dead.examples) < EXAMPLES:
            dead.examples.append(f"{source} → {wanted}{f'#{fragment}' if fragment else ''}")
    return dict(sorted(found.items(), key=lambda entry: (-entry[1].count, entry[0])))


def _written(connection: Connection) -> list[tuple[str, str, str | None, str, int]]:
    missed = (links.c.kind == "internal") & links.c.component.is_(None) & links.c.fragment.is_not(None)
    missed &= links.c.fragment != ""
    columns = (documents.c.id, links.c.wanted, links.c.fragment, links.c.kind)
    statement = (
        select(*columns, func.count())
        .join_from(links, components, links.c.component_key == components.c.key)
        .join(documents, components.c.document_key == documents.c.key)
        .where((links.c.kind == "dead") | missed)
        .group_by(*columns)
        .order_by(func.count().desc(), *columns)
    )
    return [(row[0], row[1], row[2], row[3], row[4]) for row in connection.execute(statement)]


def _cause(wanted: str) -> str:
    path = wanted.partition("#")[0].partition("?")[0]
    if posixpath.normpath(path.replace("%2e", ".")).startswith(".."):
        return OUTSIDE
    return FILE if _FILE.search(path) else PAGE
