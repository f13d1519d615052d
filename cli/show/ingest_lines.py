"""Lines that report an ingest's contents: links and dead links by cause, pictures, left-out parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from backtrail.cli.show.edge_names import edge_names

if TYPE_CHECKING:
    from backtrail.ingest.change.documents_of_files import DocumentsOfFiles
    from backtrail.ingest.report import IngestReport

NAMES_SHOWN = 12


def contents_lines(report: IngestReport) -> Iterator[str]:
    """Yield lines on divided files, links, causes of dead links, pictures and left-out parts."""
    yield from _files_lines(report.documents_by_file)
    links = ", ".join(
        f"{report.links[kind]} {kind}" for kind in ("internal", "dead", "external") if kind in report.links
    )
    placed = report.links.get("parent", 0)
    above = f"; {placed} pages have their place in a site" if placed else ""
    yield f"links: {links or 'none'}{above}; {report.embedded} texts embedded; {report.seconds:.1f} s"
    if report.edges:
        yield f"edges between documents: {edge_names(report.edges)}"
    for cause, dead in report.dead_links.items():
        yield f"  {dead.count} {cause}: {'; '.join(dead.examples)}"
    if report.pictures or report.refused:
        refused = sum(report.refused.values())
        causes = f" ({counted(report.refused)}; --json names them)" if refused else ""
        unshown = f", {report.unreferenced_pictures} of them shown by no page" if report.unreferenced_pictures else ""
        yield f"pictures: {report.pictures} stored{unshown}, {refused} refused{causes}"
    if report.remote:
        yield f"  on the web, not fetched: {counted(report.remote)}"
    if report.left_out:
        yield f"not evaluated, left out: {counted(report.left_out)}"
    if report.duplicates:
        yield f"files with the bytes of another: {_duplicates(report.duplicates)}"
    if report.unknown:
        yield f"files of kinds that are not read: {counted(report.unknown)}"


def _files_lines(of_files: DocumentsOfFiles) -> Iterator[str]:
    """Explain why there are more documents than files, if mail was read or files were divided."""
    if not (of_files.divided or of_files.mail):
        return
    yield f"{of_files.files} files became {of_files.documents} documents:"
    if of_files.divided:
        yield f"  divided because of their length: {_by_name(of_files.divided)}"
    if of_files.mail:
        yield f"  mail with attachments: {_by_name(of_files.mail)}"
    if of_files.bundles:
        yield f"  bundles of many: {_by_name(of_files.bundles)}"


def _by_name(counts: Mapping[str, int]) -> str:
    """Count by file name, or by path if two files have the same name."""
    names = Counter(Path(path).name for path in counts)
    return counted({name if names[name := Path(path).name] == 1 else path: count for path, count in counts.items()})


def _duplicates(repeated: Mapping[str, str]) -> str:
    shown = [f"{Path(path).name} = {first}" for path, first in [*repeated.items()][:NAMES_SHOWN]]
    rest = len(repeated) - len(shown)
    return "; ".join(shown) + (f"; {rest} more, --json lists all" if rest else "")


def counted(counts: Mapping[str, int]) -> str:
    """List names with their counts, most frequent first, and the sum of the rest."""
    listed = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    named = ", ".join(f"{name}: {count}" for name, count in listed[:NAMES_SHOWN])
    rest = sum(count for _, count in listed[NAMES_SHOWN:])
    return f"{named}, {rest} others" if rest else named
