from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.knowledge.chunks import KnowledgeChunk, NumberedRow
from backtrail.tools.knowledge.chunks import CHUNK_CHARACTERS, MOST_CELLS, MOST_ROWS
from backtrail.tools.knowledge.extractions import Chunk
from backtrail.tools.knowledge.requests import REQUEST_CELLS, REQUEST_CHARACTERS, REQUEST_ROWS, packed


def chunk(document: str, number: int, text: str = "", rows: int = 0, cells: int = 1) -> Chunk:
    held = [NumberedRow(number=n, cells=["x"] * cells) for n in range(rows)]
    inputs = KnowledgeChunk(title=document, modality="table" if rows else "text", text=text, rows=held)
    return Chunk(document, f"{document}#{number}", number, 0, inputs, bytes([number]))


texts = st.integers(1, CHUNK_CHARACTERS).map(lambda length: (length, 0, 0))
tables = st.integers(1, MOST_ROWS).map(lambda rows: (0, rows, MOST_CELLS // rows))


@given(st.lists(st.tuples(st.sampled_from("abc"), texts | tables), max_size=30))
def test_whole_chunks_of_one_document_in_order_within_the_limits(kinds: list[tuple[str, tuple[int, int, int]]]) -> None:
    chunks = [
        chunk(document, n, "x" * length, rows, cells) for n, (document, (length, rows, cells)) in enumerate(kinds)
    ]
    requests = packed(chunks)
    assert [one for request in requests for one in request] == chunks
    for request in requests:
        assert len({one.document for one in request}) == 1
        rows = [row for one in request for row in one.inputs.rows]
        assert len(rows) <= REQUEST_ROWS
        assert sum(len(row.cells) for row in rows) <= REQUEST_CELLS
        assert sum(len(one.inputs.text) for one in request) <= REQUEST_CHARACTERS


def test_two_of_the_longest_chunks_travel_together() -> None:
    long = [chunk("a", n, "x" * CHUNK_CHARACTERS) for n in range(3)]
    assert packed(long) == [long[:2], long[2:]]
    wide = [chunk("a", n, rows=MOST_ROWS, cells=MOST_CELLS // MOST_ROWS) for n in range(3)]
    assert packed(wide) == [wide[:2], wide[2:]]


def test_a_page_of_short_chunks_is_one_request() -> None:
    short = [chunk("a", n, "A line of text.") for n in range(20)]
    assert packed(short) == [short]
    assert packed([]) == []
