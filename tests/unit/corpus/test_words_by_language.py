"""Words are stemmed by the language of their page, and questions find pages of theirs."""

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
    eze = prepared("eze", [("Beyoncé sang in Èze with the choir of the town.", [])])
    corpus = store([*GERMAN, *ENGLISH, *CHINESE, eze])
    assert found(corpus, "Welches Haus steht in der Strasse?") == ["wien#0"]
    assert found(corpus, "Wie viele Brücke gibt es?") == ["donau#0"]
    assert found(corpus, "Which bridge crosses a river?") == ["london#0"]
    assert found(corpus, "长江上的大桥有哪些？") == found(corpus, "桥") == ["wuhan#0"]
    assert found(corpus, "beyonce eze") == ["eze#0"]


def test_words_are_those_of_the_language_of_their_document_and_names_those_of_every(store) -> None:
    corpus = store([*GERMAN, *ENGLISH])
    for question in ("Who came from Paris?", "Wer kam aus Paris?"):
        assert set(found(corpus, question)) == {"london#0", "wien#0"}
    assert found(corpus, "What is a die used for?")[0] == "die#0"
    assert {"haus", "strass"} <= corpus.component_terms(["wien#0"])["wien#0"]
    assert "die" not in corpus.component_terms(["donau#0"])["donau#0"]
    assert "die" in corpus.component_terms(["die#0"])["die#0"]
    assert corpus.rarity(["bruck"])["bruck"] < corpus.rarity(["nowhere"])["nowhere"]


def test_a_query_of_function_words_alone_is_looked_for_as_a_phrase(store) -> None:
    band = prepared("band", [("The Who are a rock band from London, with a drummer and a singer.", [])])
    verse = prepared("verse", [("Sein oder nicht sein, das ist hier die Frage, und zwar für alle.", [])])
    corpus = store([*ENGLISH, *GERMAN, band, verse])
    assert found(corpus, "The Who?") == ["band#0"]
    assert found(corpus, "„nicht sein“") == ["verse#0"]
    assert [one["id"] for one in corpus.search_lexical("the who", "component", 10, ["die"])] == []
    assert found(corpus, "?!") == []
    assert [query_tokens(query, ["en", "de"]) for query in ("   ", "?!", "the of")] == [[], [], []]


def test_german_pages_are_found_by_the_parts_of_their_compounds_and_no_english_word_is_taken_apart(tmp_path):
    german = ["Die Reichsbrücke ist neu.", "Eine Brücke im alten Reich.", "Das Haus ist alt.", "Der Wasserfall"]
    english = ["A bridge in the Reich.", "The waterfall is high.", "Water may fall."]
    build_words(tmp_path / "words", [([*german, *english], ["de"] * 4 + ["en"] * 3)])
    words = Words(tmp_path / "words", ["de", "en"])

    def found(query):
        scores = words.scores(query)
        return [row for row in range(7) if scores is not None and scores[row] > 0]

    assert found("Welche Brücken gibt es?") == [0, 1]
    assert 2 in found("Wo steht das Reichshaus?")  # which no text has
    assert found("Wo ist die Chsbrücke?") == [0]
    assert found("Where does water fall?") == [6]
