"""What an ingest made of each uploaded file: added, changed, unchanged, or skipped with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from typing_extensions import TypedDict

from backtrail.ingest.parsed import Problem
from backtrail.ingest.report import IngestReport

MOST_FILES = 1_000
"""Results in a report; those with notes come first (ours)."""

MOST_NOTES = 5
"""Notes of one file (ours)."""


class FileResult(TypedDict):
    """Result of one file, by its path in the folder; ``notes`` say what was not read, and what to do about it."""

    file: str
    state: Literal["added", "changed", "unchanged", "skipped"]
    notes: list[str]


def file_results(
    folder: str, files: Sequence[str], before: Mapping[str, str], after: Mapping[str, str], report: IngestReport
) -> list[FileResult]:
    """Return the result of each file, those with notes first.

    Args:
        folder: path of the folder.
        files: paths in it.
        before: digest of the documents of each source before the ingest; ``after``: now.
    """
    notes = _by_file(folder, files, [*report.failed, *report.skipped, *report.warnings])
    results = [_result(f"{folder}/{file}", file, notes.get(file, []), before, after) for file in files]
    return sorted(results, key=lambda one: not one["notes"])[:MOST_FILES]


def _result(
    source: str, file: str, notes: list[str], before: Mapping[str, str], after: Mapping[str, str]
) -> FileResult:
    if source not in after:
        return {"file": file, "state": "skipped", "notes": notes}
    state = "added" if source not in before else "unchanged" if before[source] == after[source] else "changed"
    return {"file": file, "state": state, "notes": notes}


def _by_file(folder: str, files: Sequence[str], problems: Sequence[Problem]) -> dict[str, list[str]]:
    """Group the reasons of problems by the file that their source names, alone or with a part of it."""
    longest_first = sorted(files, key=len, reverse=True)
    found: dict[str, list[str]] = {}
    for problem in problems:
        named = next((file for file in longest_first if problem.source.startswith(f"{folder}/{file}")), None)
        if named is not None and len(notes := found.setdefault(named, [])) < MOST_NOTES:
            part = problem.source.removeprefix(f"{folder}/{named}").lstrip(": ,")
            notes.append(f"{part}: {problem.reason}" if part else problem.reason)
    return found
