"""Terms of many languages: what question and page have in common, however inflected, spelled or compounded."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.compounds import SHORTEST, compound_parts, parts_of
from backtrail.language.current_language import active_language, reading_in
from backtrail.language.scripts import ngrams, normalised
from backtrail.language.terms import content_terms, coverage, terms, words

SHARED = [
    ("de", "Welche Häuser stehen an den Brücken?", "Das Haus an der Brücke", {"haus", "bruck"}),
    ("de", "Wie heißt die Strasse?", "Die Straße heißt Kärntner Straße.", {"strass"}),
    ("fr", "Quelle est la hauteur des cathédrales ?", "La cathédrale a une hauteur de 69 mètres.", {"hauteur"}),
    ("ru", "Какова длина мостов через реку?", "Длина моста через реке", {"мост", "длин", "рек"}),
    ("tr", "İSTANBUL'da", "istanbul", {"istanbul"}),
    ("zh", "长江大桥有多长？", "武汉长江大桥", {"长江", "大桥"}),
    ("ja", "東京タワーの高さは何メートルですか。", "東京タワー 高さ 333メートル", {"東京", "高さ", "タワ"}),
    ("th", "กรุงเทพมหานคร", "ในกรุงเทพ", {"กรุ", "รุง"}),
]


@pytest.mark.parametrize(("language", "question", "page", "shared"), SHARED)
def test_question_and_page_share_terms(language: str, question: str, page: str, shared: set[str]) -> None:
    assert shared <= content_terms(question, language) & content_terms(page, language)


ASKING = {
    "de": "Wer war das und wann?",
    "ru": "Кто это и когда?",
    "en": "Who was that and when?",
}


@pytest.mark.parametrize("language", ASKING)
def test_function_words_constrain_nothing(language: str) -> None:
    assert content_terms(ASKING[language], language) == frozenset()


def test_words_of_another_script_are_stemmed_by_their_own_language_or_stand_as_ngrams() -> None:
    assert content_terms("The film Мосты was shot in 東京", "en") == {"film", "мост", "shot", "東京", "東", "京"}
    assert [ngrams(word) for word in ("東京都", "水", "データ")] == [
        ["東京", "京都", "東", "京", "都"],
        ["水"],
        ["デー", "ータ"],
    ]


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("ＦａｓｔＡＰＩ １２３", "FastAPI 123", "ja"),
        ("oﬃce", "office", "en"),
        ("٢٠٢٤", "2024", "ar"),
        ("مُحَمَّد", "محمد", "ar"),
        ("Beyoncé Łódź", "Beyonce Lodz", "en"),
    ],
)
def test_spellings_of_one_word_are_one_term(one: str, other: str, language: str) -> None:
    assert content_terms(one, language) == content_terms(other, language)


def test_the_active_language_stems_both_sides_alike() -> None:
    assert active_language() == "en"
    with reading_in("de"):
        asked, said = content_terms("Brücken"), content_terms("eine Brücke")
        assert coverage(asked, said, {}) == 1.0
        with reading_in("fr"):
            assert words("les ponts") == ["ponts"]
        assert active_language() == "de"
    assert active_language() == "en"


@given(st.text(max_size=200), st.sampled_from(["en", "de", "tr", "ja", "ar", "th", "xx"]))
def test_any_text_has_terms_without_spaces(text: str, language: str) -> None:
    found = list(terms(text, language))
    assert frozenset(found) == content_terms(text, language)
    assert not any(term == "" or any(c.isspace() for c in term) for term in found)


@given(st.text(st.characters(max_codepoint=0x24F), max_size=80))
def test_composed_and_decomposed_spellings_are_one(text: str) -> None:
    assert normalised(unicodedata.normalize("NFD", text), "de") == normalised(unicodedata.normalize("NFC", text), "de")


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
