from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.summaries import SUMMARY_CHARACTERS, summarize
from backtrail.state.component import Component, Document, Picture, Table


def component(number, section="", **content):
    modality = "table" if "table" in content else "image" if "image" in content else "text"
    return Component(id=f"d#{number}", document="d", position=number, modality=modality, section=section, **content)


def test_title_lead_tables_and_sections():
    components = [
        component(0, text="What follows:"),
        component(1, text="First sentence. Second one."),
        *(component(n, "S > T", table=Table(caption=f"C{n}")) for n in range(2, 7)),
    ]
    summary = summarize(Document(id="d", title="Title"), components)
    assert summary == "Title. First sentence. Second one. Tables: C2; C3; C4. Sections: S."
    assert summarize(Document(id="d", title="T"), [component(0, image=Picture(alt="A bridge"))]) == "T. A bridge"


@given(st.text(max_size=600), st.lists(st.text(max_size=600), max_size=4), st.text(max_size=300))
def test_never_empty_and_never_long(title, texts, section):
    components = [component(n, section, text=text) for n, text in enumerate(texts)]
    assert 0 < len(summarize(Document(id="d", title=title), components)) <= SUMMARY_CHARACTERS
