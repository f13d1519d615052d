"""Where sentences end in other languages than English."""

from __future__ import annotations

import pytest

from backtrail.language.sentences import split_sentences

TEXTS = [
    ["Sie wurde am 3. Oktober 1887 eröffnet.", "Danach kamen viele Besucher."],
    ["Im 19. Jahrhundert wuchs die Stadt, z. B. nach Norden.", "Der 2. Weltkrieg zerstörte sie."],
    ["Es gibt Züge, d. h. Regionalzüge, bzw. Busse.", "Nr. 5 fährt nachts."],
    ["„Wer kommt?“", "Niemand kam."],
    ["Elle fut bâtie p. ex. en granit par M. Dupont.", "Le port est fermé."],
    ["« Où est-il ? »", "Personne ne répondit."],
    ["El Sr. García llegó.", "¿Quién lo vio?", "¡Nadie!"],
    ["Мост открыли в 1861 г. в присутствии губернатора.", "Он стоит в г. Кострома, т. е. на Волге."],
    ["Его построили в 1861 г.", "Инженер умер."],
    ["متى افتتحت المكتبة؟", "افتتحت عام 1926."],
    ["यह पुल है।", "नदी बड़ी है।"],
    ["橋は長い。", "「いつ？」", "川は広い！"],
]


@pytest.mark.parametrize("sentences", TEXTS, ids=lambda parts: parts[0][:20])
def test_sentences_end_where_they_do(sentences: list[str]) -> None:
    joined = "" if sentences[0].endswith("。") else " "
    assert split_sentences(joined.join(sentences)) == sentences


def test_english_numbers_still_end_sentences() -> None:
    assert split_sentences("They scored 32. The other side lost.") == ["They scored 32.", "The other side lost."]
    assert split_sentences("It was built in 1987. Later it fell.") == ["It was built in 1987.", "Later it fell."]
