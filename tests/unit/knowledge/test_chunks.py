from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.component import Component, Link, Picture, Table
from backtrail.state.knowledge.chunks import KnowledgeChunk, NumberedRow
from backtrail.state.knowledge.replies import KnowledgeReply
from backtrail.tools.knowledge.chunks import CHUNK_CHARACTERS, MOST_CELLS, MOST_ROWS, chunks_of, content_hash
from backtrail.tools.knowledge.extractions import Chunk
from backtrail.tools.knowledge.requests import REQUEST_CELLS, REQUEST_CHARACTERS, REQUEST_ROWS, packed

words = st.lists(st.sampled_from(["river", "Ondra.", "1884", "x" * 700, "Velm,", "lit"]), max_size=60).map(" ".join)
cells = st.sampled_from(["", "a", "Ora Lind", "7:32", "long " * 120, "y" * 3000])
tables = st.lists(st.lists(cells, min_size=3, max_size=3).map(tuple), max_size=70).map(tuple)


def text(content: str, links: tuple[Link, ...] = ()) -> Component:
    return Component(id="c", document="d", position=0, modality="text", text=content, links=links)


def table(rows: tuple[tuple[str, ...], ...], links: tuple[Link, ...] = ()) -> Component:
    held = Table(caption="Final", header=("Rower", "Club", "Time"), rows=rows)
    return Component(id="c", document="d", position=0, modality="table", table=held, links=links)


@given(words)
def test_prose_is_cut_and_nothing_is_left_out(content: str) -> None:
    chunks = chunks_of("Port Ondra", text(content))
    assert " ".join(chunk.text for chunk in chunks).split() == content.split()
    assert all(0 < len(chunk.text) <= CHUNK_CHARACTERS for chunk in chunks)


@given(tables)
def test_every_cell_of_every_row_is_in_a_chunk(rows: tuple[tuple[str, ...], ...]) -> None:
    chunks = chunks_of("Regatta", table(rows))
    numbers = [row.number for chunk in chunks for row in chunk.rows]
    assert numbers == sorted(numbers)
    assert all(chunk.header == ["Rower", "Club", "Time"] and chunk.caption == "Final" for chunk in chunks)
    shown: dict[tuple[int, int], set[str]] = {}
    for chunk in chunks:
        assert 0 < len(chunk.rows) <= MOST_ROWS
        for row in chunk.rows:
            for column, cell in enumerate(row.cells):
                shown.setdefault((row.number, column), set()).update(cell.split())
    wanted = {(r, c): cell.split() for r, row in enumerate(rows) for c, cell in enumerate(row) if len(cell) < 3000}
    assert all(set(parts) <= shown.get(place, set()) for place, parts in wanted.items())
    long = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if len(cell) == 3000]
    assert all(sum(len(part) for part in shown[place]) > 0 for place in long)


def test_long_cells_and_rows_of_many_are_cut_and_each_part_of_a_row_keeps_its_first() -> None:
    story = " ".join(f"word{n}" for n in range(2_000))
    pieces = [row.cells[1] for one in chunks_of("Regatta", table((("Ora Lind", story, "7:32"),))) for row in one.rows]
    assert " ".join(filter(None, pieces)) == story
    row = ("Ora Lind", *(f"value {n}" for n in range(1_000)))
    wide = Component(id="c", document="d", position=0, modality="table", table=Table(header=(), rows=(row,)), links=())
    parts = [row for chunk in chunks_of("Regatta", wide) for row in chunk.rows]
    assert all(part.cells[0] == "Ora Lind" and part.number == 0 for part in parts)
    assert all(sum(1 for cell in part.cells if cell) <= MOST_CELLS for part in parts)
    assert {cell for part in parts for cell in part.cells if cell} == set(row)


def test_anchors_go_with_the_rows_that_hold_them() -> None:
    rows = tuple((f"Rower {n}", "Velm", "1") for n in range(30))
    links = (Link(target="a", anchor="Rower 2", row=2, column=0), Link(target="b", anchor="Rower 29", row=29, column=0))
    first, second = chunks_of("Regatta", table(rows, links))
    assert [(anchor.text, anchor.row) for anchor in first.anchors] == [("Rower 2", 2)]
    assert [(anchor.text, anchor.row) for anchor in second.anchors] == [("Rower 29", 29)]


def test_what_a_link_leads_to_is_not_shown() -> None:
    one = chunks_of("T", text("See Velm.", (Link(target="/velm", anchor="Velm", kind="internal"),)))
    other = chunks_of("T", text("See Velm.", (Link(target="nowhere", anchor="Velm", kind="dead"),)))
    assert [content_hash(chunk) for chunk in one] == [content_hash(chunk) for chunk in other]


def test_pictures_are_known_by_their_words_and_wordless_ones_have_no_chunk() -> None:
    def shown(**words: object) -> Component:
        picture = Picture.model_validate(words)
        return Component(id="c", document="d", position=0, modality="image", image=picture)

    assert chunks_of("T", shown()) == chunks_of("T", text("   ")) == chunks_of("T", table((("", " ", ""),))) == []
    (chunk,) = chunks_of("T", shown(title="Plan", caption="The docks", alt="map", nearby="map", objects=("crane",)))
    assert (chunk.name, chunk.caption, chunk.text, chunk.objects) == ("Plan", "The docks", "map.", ["crane"])


# --- requests: what an extractor is asked at once ---------------------------------------------------------
def chunk(document: str, number: int, text: str = "", rows: int = 0, cells: int = 1) -> Chunk:
    held = [NumberedRow(number=n, cells=["x"] * cells) for n in range(rows)]
    inputs = KnowledgeChunk(title=document, modality="table" if rows else "text", text=text, rows=held)
    return Chunk(document, f"{document}#{number}", number, 0, inputs, bytes([number]))


lengths = st.integers(1, CHUNK_CHARACTERS).map(lambda length: (length, 0, 0))
shapes = st.integers(1, MOST_ROWS).map(lambda rows: (0, rows, MOST_CELLS // rows))


@given(st.lists(st.tuples(st.sampled_from("abc"), lengths | shapes), max_size=30))
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


def test_a_chunk_whose_entry_breaks_its_form_costs_no_other() -> None:
    sound = {"chunk": 1, "entities": [["Orrin", "person"]], "statements": []}
    broken = {"chunk": 2, "entities": [[]], "statements": []}
    assert [one.chunk for one in KnowledgeReply.model_validate({"chunks": [broken, sound]}).chunks] == [1]
