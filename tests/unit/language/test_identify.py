"""Which language questions and pages are in, and what stays English."""

from __future__ import annotations

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
    "tr": "Köprü hangi yıl açıldı ve kaç metre uzunluğunda?",
    "el": "Πότε χτίστηκε η γέφυρα;",
    "he": "מתי נבנה הגשר בעיר?",
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


def test_a_corpus_in_one_language_tells_short_questions() -> None:
    assert language_of("Höhe Meter") == "en"
    assert language_of("Höhe in Meter", ["de"]) == "de"


def test_only_the_languages_of_a_corpus_are_told() -> None:
    assert language_of(QUESTIONS["de"], ["fr"]) in ("fr", "en")
    assert language_of(QUESTIONS["de"], ["en"]) == "en"


@pytest.mark.parametrize(
    "page",
    [
        "Miroslava Jánošíková (born 28 April 1969) is a former Czechoslovak Olympic judoka. Born in Bratislava.",
        "Football Club Karpaty Lviv (Ukrainian: Футбольний клуб «Карпати» Львів) is a Ukrainian professional club.",
        "Fortune Street (いただきストリート) is a party video game series originally created by Yuji Horii.",
        "2004–05 Copa Federación de España was the 12th staging of the Copa Federación de España, a competition.",
    ],
)
def test_english_pages_may_be_full_of_foreign_names(page: str) -> None:
    assert language_of_page(page) == "en"


def test_pages_of_other_languages_may_be_full_of_code_and_english_names() -> None:
    assert (
        language_of_page("FastAPI を使うと async def で path operation を定義できます。pip install fastapi。") == "ja"
    )
    assert language_of_page("Mit dem Python-Paket FastAPI wird die API im Browser unter /docs angezeigt.") == "de"


@given(st.text(max_size=300))
def test_any_text_has_one_of_the_languages(text: str) -> None:
    assert language_of(text) in LANGUAGES
    assert language_of_page(text) in LANGUAGES


def test_a_foreign_name_makes_no_question_foreign() -> None:
    assert language_of("When was the Reichsbrücke opened?") == "en"
    assert language_of("When was Linden Hill School opened?") == "en"  # "was" and "school" are Dutch words, too
    assert language_of("Who designed the Café Müller in Düsseldorf?") == "en"
    assert language_of("Wann wurde die Reichsbrücke eröffnet?") == "de"
