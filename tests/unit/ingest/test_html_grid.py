from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.html.grid import MAX_COLUMNS, Span, parse_span, resolve_grid

spans = st.builds(Span, st.integers(1, 1200) | st.integers(1, 4), st.integers(0, 70000) | st.integers(0, 4))


@given(st.lists(st.lists(spans, max_size=5), max_size=6), st.randoms())
def test_any_spans_resolve_to_a_rectangle_in_which_every_cell_stands(rows, random):
    groups = sorted(random.randrange(3) for _ in rows)
    grid = resolve_grid(rows, groups)
    assert len(grid) == len(rows)
    assert len({len(row) for row in grid}) <= 1
    assert all(len(row) <= MAX_COLUMNS for row in grid)
    placed = {slot for row in grid for slot in row if slot is not None}
    count = sum(map(len, rows))
    assert placed <= set(range(count))
    # a cell can only be lost beyond the last column that a row may have
    assert len(placed) == count or any(span.columns > 100 for row in rows for span in row)


def test_rowspan_pushes_the_next_row_to_the_right():
    assert resolve_grid([[Span(1, 2), Span()], [Span()]]) == [[0, 1], [0, 2]]


def test_overlapping_spans_leave_the_slot_to_the_first():
    # cell 2 spans two columns, the second of which cell 1 already covers from above
    assert resolve_grid([[Span(), Span(1, 2), Span()], [Span(2, 1)]]) == [[0, 1, 2], [3, 1, None]]


def test_rowspan_zero_runs_to_the_end_of_its_group_only():
    assert resolve_grid([[Span(1, 0), Span()], [Span()], [Span(), Span()]], [0, 0, 1]) == [[0, 1], [0, 2], [3, 4]]


def test_a_colspan_that_claims_too_much_adds_no_columns():
    assert resolve_grid([[Span(10000, 1)], [Span(), Span()]]) == [[0, 0], [1, 2]]


def test_spans_cannot_fill_the_memory():
    grid = resolve_grid([[Span(1, 65534)] for _ in range(4000)])
    assert len(grid) == 4000
    assert len(grid[0]) <= MAX_COLUMNS


def test_spans_are_read_as_browsers_do():
    assert [parse_span(value) for value in (None, "", "3", " 2px", "x", "-4", "0", "²", "99999999")] == [
        1, 1, 3, 2, 1, 1, 1, 1, 999999,
    ]  # fmt: skip
    assert parse_span("0", zero=0) == 0
