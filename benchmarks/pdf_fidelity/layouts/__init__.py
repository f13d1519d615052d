"""Seventeen layouts with known contents."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.pdf_fidelity.layouts.columns import mixed, one_column, three_columns, two_columns, woven_columns
from benchmarks.pdf_fidelity.layouts.pages import boxed, figures, footnotes, linked, turned
from benchmarks.pdf_fidelity.layouts.scripts import cjk, odd_letters, right_to_left
from benchmarks.pdf_fidelity.layouts.tables import continued_table, part_ruled_table, ruled_tables, unruled_table
from benchmarks.pdf_fidelity.sheet import Sheet

Layout = Callable[[Sheet], None]
LAYOUTS: tuple[Layout, ...] = (
    one_column, two_columns, woven_columns, three_columns, mixed, ruled_tables, part_ruled_table, unruled_table,
    continued_table, figures, footnotes, turned, right_to_left, cjk, odd_letters, linked, boxed,
)  # fmt: skip
