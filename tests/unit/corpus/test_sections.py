"""Sections: what a heading and its neighbours say counts for what stands under it."""

from pathlib import Path

import pytest
from fixtures.both_stores import both_stores
from fixtures.tiny_corpora import prepared

from backtrail.tools.corpus.generation import generation_folder
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.search import sections
from backtrail.tools.corpus.tables.prepared import PreparedDocument

QUESTION = "how are herons ringed"


def page(id_: str, *placed: tuple[str, str]) -> PreparedDocument:
    """A document of (section, text)."""
    return prepared(id_, [(text, []) for _, text in placed], sections=[section for section, _ in placed])


BIRDS = page(
    "birds",
    ("Herons", "Herons are ringed in spring."),
    ("Herons", "A band of steel goes round the left leg."),
    ("Owls", "A band of steel goes round the right leg."),
    ("Owls", "They are ringed in autumn."),
)


def test_what_stands_beside_counts(store) -> None:
    corpus = store([BIRDS])
    contexts = corpus.contexts(QUESTION, ["birds#0", "birds#1", "birds#2", "gone"])
    assert contexts["birds#0"] == contexts["birds#1"] > contexts["birds#2"] > 0.0
    assert contexts["birds#0"] <= 1.0
    assert "gone" not in contexts
    assert [found["id"] for found in corpus.search_in_context(QUESTION, 2)] == ["birds#0", "birds#1"]


@both_stores
def test_headings_are_searched_and_the_document_counts_beside_the_section(store) -> None:
    """Of two sections that say the same the one counts more whose document says the rest of what is asked."""
    same = ("Sizes", "Forty centimetres at the shoulder.")
    goats = page("goats", ("Zebra stripes", "Alpine goats give milk."), same)
    corpus = store([goats, page("dogs", ("Work", "They herd."), same)])
    assert corpus.search_in_context("zebra", 5)[0]["id"] == "goats#0"
    assert corpus.search_in_context("zebra", 5, ["dogs"]) == []
    contexts = corpus.contexts("how big are alpine goats", ["goats#1", "dogs#1"])
    assert contexts["goats#1"] > contexts["dogs#1"]
    assert corpus.contexts("how big are alpine goats", ["gone"]) == {}


def test_a_text_without_headings_is_divided(store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "SECTION_CHARACTERS", 60)
    corpus = store([page("long", *[("", f"{word} " * 8) for word in ("alpha", "beta", "gamma")])])
    contexts = corpus.contexts("alpha", ["long#0", "long#1", "long#2"])
    assert contexts["long#0"] > contexts["long#1"] == contexts["long#2"]


def test_a_damaged_index_of_sections_is_told_of(store, home: Path) -> None:
    store([BIRDS])
    starts = generation_folder(home / "corpora" / "tiny", 1) / "words" / "sections.start.npy"
    starts.write_bytes(b"damaged")
    assert any("sections" in problem for problem in check("tiny"))
