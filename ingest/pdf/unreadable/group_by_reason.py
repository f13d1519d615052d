"""Group unreadable pages by reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def by_reason(notes: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pages, as "page 7" or "pages 3-12, 15", and the reason, ordered by the first page of each."""
    pages: dict[str, set[int]] = {}
    for page, reason in sorted(notes):
        pages.setdefault(reason, set()).add(page)
    for reason, numbers in pages.items():
        yield f"page{'s' * (len(numbers) > 1)} {ranges(numbers)}", reason


def ranges(numbers: Iterable[int]) -> str:
    """Format numbers as ranges: 3, 4, 5 and 8 are "3-5, 8"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)
