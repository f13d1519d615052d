"""Words are stemmed by the language of their page, and questions find pages of theirs."""

from __future__ import annotations

import pytest
from fixtures.both_stores import both_stores
from fixtures.tiny_corpora import prepared

from backtrail.tools.corpus.search.lexical import Words, build_words, query_tokens

GERMAN = [
    prepared("wien", [("Die Häuser an der alten Straße wurden von einem Baumeister aus Paris errichtet.", [])]),
    prepared("donau", [("Über die Donau führen mehrere Brücken, und die längste ist aus Stahl.", [])]),
]
ENGLISH = [
    prepared("london", [("The bridges over the river were built by an engineer from Paris and his sons.", [])]),
    prepared("die", [("A die is a metal block that is used for forming materials in the workshop.", [])]),
]
CHINESE = [prepared("wuhan", [("武汉长江大桥是中国第一座跨越长江的公路铁路两用桥，于一九五七年建成通车。", [])])]


def found(corpus, query: str, layer: str = "component") -> list[str]:
    return [scored["id"] for scored in corpus.search_lexical(query, layer, 10)]


@both_stores
def test_inflected_words_of_each_language_meet(store) -> None:
    corpus = store([*GERMAN, *ENGLISH, *CHINESE])
    assert found(corpus, "Welches Haus steht in der Strasse?") == ["wien#0"]
    assert found(corpus, "Wie viele Brücke gibt es?") == ["donau#0"]
    assert found(corpus, "Which bridge crosses a river?") == ["london#0"]
    assert found(corpus, "长江上的大桥有哪些？") == ["wuhan#0"]


def test_words_are_those_of_the_language_of_their_document_and_names_those_of_every(store) -> None:
    corpus = store([*GERMAN, *ENGLISH])
    for question in ("Who came from Paris?", "Wer kam aus Paris?"):
        assert set(found(corpus, question)) == {"london#0", "wien#0"}
    assert found(corpus, "What is a die used for?")[0] == "die#0"
    assert {"haus", "strass"} <= corpus.component_terms(["wien#0"])["wien#0"]
    assert "die" not in corpus.component_terms(["donau#0"])["donau#0"]
    assert "die" in corpus.component_terms(["die#0"])["die#0"]
    assert corpus.rarity(["bruck"])["bruck"] < corpus.rarity(["nowhere"])["nowhere"]


def test_questions_are_read_in_a_language_of_the_corpus(store) -> None:
    german = store(GERMAN, "german")
    assert german.language("Höhe der Brücke") == "de"
    assert german.language("Quelle est la hauteur du pont ?") in ("de", "en")
    mixed = store([*GERMAN, *ENGLISH], "mixed")
    assert mixed.language("Wie hoch ist die Brücke?") == "de"
    assert mixed.language("How high is the bridge over the river?") == "en"


def test_a_single_character_and_a_name_without_its_accents_are_found(store) -> None:
    corpus = store([*ENGLISH, *CHINESE, prepared("eze", [("Beyoncé sang in Èze with the choir of the town.", [])])])
    assert found(corpus, "桥") == ["wuhan#0"]
    assert found(corpus, "beyonce eze") == ["eze#0"]


def test_a_query_of_function_words_alone_is_looked_for_as_a_phrase(store) -> None:
    band = prepared("band", [("The Who are a rock band from London, with a drummer and a singer.", [])])
    verse = prepared("verse", [("Sein oder nicht sein, das ist hier die Frage, und zwar für alle.", [])])
    corpus = store([*ENGLISH, *GERMAN, band, verse])
    assert found(corpus, "The Who?") == ["band#0"]
    assert found(corpus, "„nicht sein“") == ["verse#0"]
    assert [one["id"] for one in corpus.search_lexical("the who", "component", 10, ["die"])] == []
    assert found(corpus, "?!") == []


@pytest.mark.parametrize("query", ["", "   ", "?!", "the of"])
def test_queries_without_content(query: str) -> None:
    assert query_tokens(query, ["en", "de"]) == []


def test_pages_are_found_by_the_parts_of_their_compounds(tmp_path):
    texts = ["Die Reichsbrücke ist neu.", "Eine Brücke im alten Reich.", "Das Haus ist alt.", "A bridge in the Reich."]
    build_words(tmp_path / "words", [(texts, ["de", "de", "de", "en"])])
    words = Words(tmp_path / "words", ["de", "en"])
    bridge = words.scores("Welche Brücken gibt es?")
    assert bridge is not None
    assert [row for row in range(4) if bridge[row] > 0] == [0, 1]
    unseen = words.scores("Wo steht das Reichshaus?")  # which no text has
    assert unseen is not None
    assert unseen[2] > 0
    ending = words.scores("Wo ist die Chsbrücke?")
    assert ending is not None
    assert [row for row in range(4) if ending[row] > 0] == [0]


def test_english_words_are_never_taken_apart(tmp_path):
    texts = ["The waterfall is high.", "Water may fall.", "Der Wasserfall"]
    build_words(tmp_path / "words", [(texts, ["en", "en", "de"])])
    scores = Words(tmp_path / "words", ["en", "de"]).scores("Where does water fall?")
    assert scores is not None
    assert scores[1] > 0
    assert scores[0] == scores[2] == 0
