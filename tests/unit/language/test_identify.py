"""Which language questions and pages are in, and what stays English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.identify import LANGUAGES, language_of, language_of_page

QUESTIONS = {
    "de": "Wie hoch ist der Turm am Ende der Brücke?",
    "fr": "En quelle année la cathédrale a-t-elle été achevée ?",
    "es": "¿Quién diseñó el puente de la ciudad?",
    "ru": "В каком году открыли этот мост?",
    "zh": "这座大桥是哪一年建成的？",
    "ja": "この橋はいつ完成しましたか。",
    "ar": "متى افتتح هذا الجسر في المدينة؟",
    "en": "In which year was the bridge over the river opened?",
    "ko": "이 다리는 언제 완공되었습니까?",
    "th": "สะพานนี้สร้างเมื่อใด",
}


@pytest.mark.parametrize("language", QUESTIONS)
def test_a_question_is_told(language: str) -> None:
    assert language_of(QUESTIONS[language]) == language
    assert language_of(QUESTIONS[language], [language]) == language


@pytest.mark.parametrize("text", ["", "   ", "42", "?!", "OAuth2 JWT", "x", "The Beatles", "BIOS"])
def test_what_cannot_be_told_is_english(text: str) -> None:
    assert language_of(text) == "en"


SHORT = "Höhe in Meter"
AMONG = [
    (SHORT, ["de"], "de"),
    (QUESTIONS["de"], ["en"], "en"),
    ("When was the Reichsbrücke opened?", None, "en"),
    ("When was Linden Hill School opened?", None, "en"),  # "was" and "school" are Dutch words, too
]


@pytest.mark.parametrize(("text", "languages", "language"), AMONG)
def test_short_questions_and_foreign_names_are_told_by_the_languages_of_the_corpus(text, languages, language) -> None:
    assert (language_of(text, languages) if languages else language_of(text)) == language


PAGES = [
    ("Miroslava Jánošíková (born 28 April 1969) is a former Czechoslovak Olympic judoka. Born in Bratislava.", "en"),
    (
        "Football Club Karpaty Lviv (Ukrainian: Футбольний клуб «Карпати» Львів) is a professional football club.",
        "en",
    ),
    ("FastAPI を使うと async def で path operation を定義できます。pip install fastapi。", "ja"),
    ("Mit dem Python-Paket FastAPI wird die API im Browser unter /docs angezeigt.", "de"),
]


@pytest.mark.parametrize(("page", "language"), PAGES)
def test_pages_may_be_full_of_foreign_names_and_of_code(page: str, language: str) -> None:
    assert language_of_page(page) == language


@given(st.text(max_size=300))
def test_any_text_has_one_of_the_languages(text: str) -> None:
    assert language_of(text) in LANGUAGES
    assert language_of_page(text) in LANGUAGES
