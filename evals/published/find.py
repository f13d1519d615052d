"""Find published tables by paper and number, or a user's table by its path."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from backtrail.evals.errors import TableUnknown
from backtrail.evals.published.table import Table, read_table


@cache
def published() -> tuple[Table, ...]:
    """Return all tables of the package, in the order of papers and numbers."""
    tables = (read_table(file) for file in Path(__file__).parent.glob("*.toml"))
    return tuple(sorted(tables, key=lambda table: (table.paper, int(table.number))))


def find_tables(paper: str, number: str | None = None) -> tuple[Table, ...]:
    """Return the tables of a paper, or one of them; ``paper`` may be the path of a TOML file.

    Raises:
        TableUnknown: there is none; lists the existing ones.
        TableError: the file cannot be used.
    """
    if paper.endswith(".toml"):
        return (read_table(Path(paper)),)
    name = paper.replace("-", "_")
    named = (number or "").lower().removeprefix("table").strip()
    found = tuple(table for table in published() if table.paper == name and named in ("", table.number))
    if not found:
        raise TableUnknown(f"{paper} {number or ''}".strip(), [f"{one.paper} {one.number}" for one in published()])
    return found
