import pytest

from backtrail.ingest.subcomponents import row_text, subcomponent_surrogate, subcomponents, surrogate
from backtrail.state.component import Component, Picture, Table

ROWS = (("Mars", "", "Phobos"), ("", "", ""), ("J", "x", "Io"))
TABLE = Table(caption="Moons", header=("Planet", "", "Moon"), rows=ROWS)


def component(**content):
    modality = "table" if "table" in content else "image" if "image" in content else "text"
    return Component(**({"id": "d#1", "document": "d", "position": 0, "modality": modality} | content))


def test_sentences_of_a_text_that_has_several():
    found = subcomponents(component(text="One. Two."))
    sentences = [("d#1/s0", "sentence", 0, "One."), ("d#1/s1", "sentence", 1, "Two.")]
    assert [(sub.id, sub.kind, sub.index, sub.text) for sub in found] == sentences
    assert subcomponents(component(text="Only one.")) == []


def test_rows_keep_their_number_and_skip_empty_cells():
    found = subcomponents(component(table=TABLE))
    assert [(sub.id, sub.kind, sub.text) for sub in found] == [
        ("d#1/r0", "row", "Moons: Planet is Mars; Moon is Phobos"),
        ("d#1/r2", "row", "Moons: Planet is J; x; Moon is Io"),
    ]
    with pytest.raises(IndexError):
        row_text(TABLE, 3)
    assert row_text(Table(header=("", ""), rows=(("all", "all"),)), 0) == "all", "a cell across nameless columns"
    assert subcomponents(component(image=Picture(alt="a"))) == []


def test_surrogates():
    assert surrogate("T", component(text="x", section="A > B")) == "T > A > B: x"
    assert surrogate("", component(text="x")) == "x"
    assert surrogate("T", component(table=TABLE)) == "T, Moons: Planet | Moon; Mars | Phobos; J | x | Io"
    picture = Picture(title="Io", caption="Io, a moon.", alt="io", nearby="Text!", recognized="A moon")
    assert surrogate("T", component(image=picture)) == "T: Io. Io, a moon. Text!"
    assert surrogate("T", component(image=Picture())) == "T"
    assert subcomponent_surrogate("T", subcomponents(component(text="One. Two."))[1]) == "T: Two."
    big = Table(header=("h",), rows=(("word " * 9,),) * 100_000)
    assert len(surrogate("T", component(table=big))) <= 2000
    assert len(surrogate("T", component(text="x" * 9000), limit=100)) == 100
