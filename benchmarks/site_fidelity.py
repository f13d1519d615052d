"""Count what parsing keeps and loses of site pages: titles, tables, generator syntax, pictures, links.

    python benchmarks/site_fidelity.py FOLDER…

Each folder is parsed as by an ingest, and nothing is stored. Marks and raw tables are counted in components, including
intended ones in code, so that a site that documents a generator never has zero.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument

RAW_TABLE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|[ \t|:-]*$", re.M)
MARK = re.compile(
    r"\A[ \t]*(?::{3,}|/{3,}|!!!|\?\?\?\+?|===[+!]?[ ]+\"|~{3,}|`{3,})|\{\{[<%#]|\{!|--8<--"
    r"|^import [^\n]+ from ['\"]@|\{[ ]*[#.:][\w-]+[^}\n]*\}[ ]*$",
    re.M,
)


def main() -> None:
    """Print a line of counts per folder, and what was left out."""
    for folder in sys.argv[1:]:
        counts, left_out = count(Path(folder))
        print(f"{folder}: " + ", ".join(f"{counts[name]} {name}" for name in NAMES))
        named = ", ".join(f"{name}: {count}" for name, count in left_out.most_common(8))
        print(f"  left out: {sum(left_out.values())} ({named})" if left_out else "  left out: 0")


NAMES = (
    "pages",
    "components",
    "titled by their file",
    "tables",
    "raw tables",
    "marks",
    "pictures stored",
    "pictures refused",
    "internal links",
    "dead links",
    "missed places",
)


def count(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Count the contents of the parsed pages of a folder (``NAMES``), and what was left out by kind."""
    counts: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    documents: dict[str, ParsedDocument] = {}
    sources = [source for source in discover([folder]) if source.kind in ("markdown", "html", "restructured")]
    for source in sources:
        for entry in parse(source):
            if isinstance(entry, ParsedDocument):
                documents[entry.document.id] = entry
                counts["pages"] += 1
                counts["titled by their file"] += entry.document.title == source.path.stem
                left_out.update(entry.left_out)
                _count_components(entry, counts)
    known = {source.document_id for source in discover([folder])}
    for document in documents.values():
        _count_links(document, documents, known, counts)
    return counts, left_out


def _count_components(parsed: ParsedDocument, counts: Counter[str]) -> None:
    counts["components"] += len(parsed.components)
    for component in parsed.components:
        text = component.text or ""
        counts["tables"] += component.table is not None
        counts["raw tables"] += bool(RAW_TABLE.search(text))
        counts["marks"] += bool(MARK.search(text) or MARK.search(component.section))
        counts["pictures stored"] += bool(component.image and component.image.blob)
    counts["pictures refused"] += sum(1 for part in parsed.skipped if part.picture)


def _count_links(
    parsed: ParsedDocument, documents: dict[str, ParsedDocument], known: set[str], counts: Counter[str]
) -> None:
    links = [link for component in parsed.components for link in component.links]
    for link in links:
        if link.kind == "dead" or (link.kind == "internal" and link.target not in known):
            counts["dead links"] += 1
        elif link.kind == "internal":
            counts["internal links"] += 1
            target = documents.get(link.target)
            counts["missed places"] += bool(link.component and target and link.component not in target.fragments)


if __name__ == "__main__":
    main()
