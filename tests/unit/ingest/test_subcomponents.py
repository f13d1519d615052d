import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.subcomponents import row_text, subcomponent_surrogate, subcomponents, surrogate
from backtrail.ingest.summaries import SUMMARY_CHARACTERS, summarize
from backtrail.state.component import Component, Document, Picture, Table

ROWS = (("Mars", "", "Phobos"), ("", "", ""), ("J", "x", "Io"))
TABLE = Table(caption="Moons", header=("Planet", "", "Moon"), rows=ROWS)


def component(number=1, section="", **content):
    modality = "table" if "table" in content else "image" if "image" in content else "text"
    return Component(id=f"d#{number}", document="d", position=number, modality=modality, section=section, **content)


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


def test_title_lead_tables_and_sections():
    components = [
        component(0, text="First sentence. Second one."),
        *(component(n, "S > T", table=Table(caption=f"C{n}")) for n in range(2, 7)),
    ]
    summary = summarize(Document(id="d", title="Title"), components)
    assert summary == "Title. First sentence. Second one. Tables: C2; C3; C4. Sections: S."
    assert summarize(Document(id="d", title="T"), [component(0, image=Picture(alt="A bridge"))]) == "T. A bridge"


@given(st.text(max_size=600), st.lists(st.text(max_size=600), max_size=4), st.text(max_size=300))
def test_never_empty_and_never_long(title, texts, section):
    components = [component(n, section, text=text) for n, text in enumerate(texts)]
    assert 0 < len(summarize(Document(id="d", title=title), components)) <= SUMMARY_CHARACTERS
