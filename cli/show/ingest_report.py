"""Summary of an ingest for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backtrail.ingest.pages.embed_pages import PagesReport
    from backtrail.ingest.report import IngestReport, Problem

PROBLEMS_SHOWN = 20
NAMED_ALIKE = 3  # sources of one reason


def show_report(report: IngestReport) -> None:
    """Print the counts, what was read, and what failed or was skipped."""
    from rich.markup import escape

    from backtrail.cli.show.console import out
    from backtrail.cli.show.crawl_lines import crawl_lines
    from backtrail.cli.show.ingest_lines import contents_lines
    from backtrail.cli.show.knowledge_lines import progress_lines
    from backtrail.ingest.parsed import RefusedPicture

    out.print(
        f"[bold]{report.corpus}[/]: [green]{report.added} added[/], {report.changed} changed, "
        f"{report.unchanged} unchanged, {report.deleted} deleted, "
        f"[{'red' if report.failed else 'default'}]{len(report.failed)} failed[/]"
    )
    for line in (line for site in report.sites for line in crawl_lines(site)):
        out.print(escape(line), style="dim", soft_wrap=True)
    for line in contents_lines(report):
        out.print(escape(line), style="dim", soft_wrap=True)
    if report.ocr.get("pictures") or report.ocr.get("left"):
        out.print(_ocr_line(report.ocr), style="dim", soft_wrap=True)
    for note in filter(None, (report.ocr_note, report.pages_note)):
        out.print(escape(note), style="yellow", soft_wrap=True)
    for line in progress_lines(report.knowledge) if report.knowledge else []:
        out.print(escape(line), style="dim" if "stale" not in line else "yellow", soft_wrap=True)
    for pages in (pages for pages in report.pages if not pages.problem):
        out.print(escape(pages_line(pages)), style="dim", soft_wrap=True)
    _show_problems("failed", "red", report.failed)
    _show_problems("skipped", "yellow", report.skipped)
    _show_problems("warning", "yellow", [part for part in report.warnings if not isinstance(part, RefusedPicture)])


def pages_line(report: PagesReport) -> str:
    """Return the counts of a page model, with a document and a page that are not embedded and why; or its problem."""
    if report.problem:
        return f"New pages are not embedded ({report.model}). {report.problem}"
    line = f"{report.pages} page pictures, {report.embedded} embedded now ({report.model})"
    if report.without:
        first, reason = next(iter(report.without.items()))
        line += f"; documents without: {len(report.without)}, the first is {first}: {reason}"
    return f"{line}; pages not drawn: {len(report.failed)}, the first is {report.failed[0]}" if report.failed else line


def _show_problems(title: str, style: str, problems: Sequence[Problem]) -> None:
    """Print problems with their reasons; of many with the same reason, name some and count the rest."""
    from rich.markup import escape

    from backtrail.cli.show.console import err

    alike: dict[str, list[Problem]] = {}
    for problem in problems:
        alike.setdefault(problem.reason, []).append(problem)
    lines: list[tuple[str, int]] = []  # with the number of problems in each
    for reason, same in alike.items():
        named = same if len(same) <= NAMED_ALIKE + 1 else same[:NAMED_ALIKE]
        lines += [(f"{problem.source}: {reason}", 1) for problem in named]
        if rest := len(same) - len(named):
            lines.append((f"{rest} more for the same reason; --json lists all.", rest))
    for line, _ in lines[:PROBLEMS_SHOWN]:
        one_line = line.replace("\n", "\\n")  # line breaks in a file name could fake other lines
        err.print(f"[{style}]{title}[/] {escape(one_line)}", soft_wrap=True)
    if rest_count := sum(number for _, number in lines[PROBLEMS_SHOWN:]):
        err.print(f"… and {rest_count} more {title}; --json lists all.", style=style)


def _ocr_line(counts: dict[str, Any]) -> str:
    failed = f", {counts['failed']} failed" if counts["failed"] else ""
    left = (
        f"; {counts['left']} pictures are left for the next ingest; --ocr reads all at once" if counts["left"] else ""
    )
    read = f"words read in {counts['with_words']} of {counts['pictures']} pictures{failed}"
    return f"{read} ({counts['reader']}, {counts['seconds']:.1f} s){left}"
