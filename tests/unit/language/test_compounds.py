import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.compounds import SHORTEST, compound_parts, parts_of
from backtrail.language.terms import content_terms

TEXT = """Fehler Behandlung Reich Brücke Frauen Haus Ministern Stern Datei Pfad Verwaltung Speicher Ergebnis Suche
Arbeit Woche Datenbank Daten Bank Zeile Kommando"""


@pytest.fixture
def known():
    return dict.fromkeys(content_terms(TEXT, "de"), 3)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Fehlerbehandlung", "Fehler Behandlung"),
        ("Reichsbrücke", "Reich Brücke"),  # with a joint
        ("Kommandozeilendatei", "Kommando Zeile Datei"),
        ("Datenbankdatei", "Datenbank Datei"),  # the longest of those that are as frequent
    ],
)
def test_compounds_are_taken_apart_into_words_of_the_corpus(known, word, parts):
    (stem,) = content_terms(word, "de")
    assert set(parts_of(stem, known, "de")) == content_terms(parts, "de")


def test_a_word_that_is_more_frequent_than_its_parts_is_no_compound(known):
    (stem,) = content_terms("Fehlerbehandlung", "de")
    assert stem in compound_parts({**known, stem: 2}, "de")
    assert stem not in compound_parts({**known, stem: 4}, "de")
    for word, language in ((stem, "en"), (stem, "fr"), ("x" * 90, "de")):  # other languages and endless words
        assert parts_of(word, {**known, "x" * 45: 9}, language) == ()


@given(st.text("abns", max_size=40), st.dictionaries(st.text("abns", min_size=1, max_size=6), st.integers(1, 9)))
def test_parts_are_words_of_the_corpus_in_their_order(stem, known):
    parts = parts_of(stem, known, "de")
    place = 0
    for part in parts:
        assert part in known
        assert len(part) >= SHORTEST
        place = stem.index(part, place) + len(part)
    assert len(parts) != 1
