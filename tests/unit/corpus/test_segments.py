"""Words are stemmed by the language of their page; scores are those of bm25s however the segments came about."""

import bm25s
import numpy as np
import pytest
from fixtures.both_stores import both_stores
from fixtures.tiny_corpora import prepared
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from backtrail.tools.corpus.search import write_segments
from backtrail.tools.corpus.search.lexical import Base, Words, build_words, query_tokens
from backtrail.tools.corpus.search.segments import open_segments

WORDS = ["river", "pond", "crater", "lake", "moon", "king", "star"]  # their own stems
rows = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=8)
changes = st.lists(st.tuples(rows, st.lists(st.booleans(), min_size=40, max_size=40)), min_size=1, max_size=5)


def by_bm25s(texts: list[str], query: list[str]) -> list[float]:
    """Scores of rows, computed by the library."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    index = bm25s.BM25()
    index.index(
        bm25s.tokenization.Tokenized([[vocabulary[word] for word in text.split()] for text in texts], vocabulary),
        show_progress=False,
    )
    return index.get_scores_from_ids([vocabulary[word] for word in query]).tolist()


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(steps=changes, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), forget=st.booleans())
def test_scores_are_those_of_the_library(steps, query, forget, tmp_path_factory):
    home = tmp_path_factory.mktemp("words")
    held: list[str] = []
    base = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write_segments, "_TIER", 2)  # several segments stand beside each other
        for number, (added, mask) in enumerate(steps):
            blocks = [(part, ["en"] * len(part)) for part in (added[:3], added[3:])]
            stay = np.array(mask[: len(held)], np.bool_)
            build_words(home / str(number), blocks, base and Base(base, stay, forget))
            held = [text for text, stays in zip(held, stay, strict=True) if stays] + added
            base = home / str(number)
    found = open_segments(home / str(len(steps) - 1))
    assert found.rows == len(held)
    scores = found.scores(query)
    said = {word for text in held for word in text.split()}
    assert (scores is None) == (not said & set(query))
    if scores is not None:
        assert scores.tolist() == by_bm25s(held, query)


def test_segments_that_stay_are_shared_and_small_ones_merged(tmp_path):
    texts = [f"{WORDS[n % 7]} number{n}q" for n in range(400)]
    build_words(tmp_path / "0", [(texts, ["en"] * 400)])
    for step in range(30):
        stay = np.arange(400 + step if not step else 399 + step) != (5 if not step else -1)
        base = Base(tmp_path / str(step), stay)
        build_words(tmp_path / str(step + 1), [([f"lake {step}"], ["en"])], base)
    last = tmp_path / "30"
    assert (last / "s000000" / "rows.npy").samefile(tmp_path / "0" / "s000000" / "rows.npy")
    assert len(list(last.glob("s*/"))) <= 4
    assert Words(last).count == 429
    build_words(tmp_path / "forgot", [], Base(last, np.arange(429) != 7, forget=True))
    assert [file for file in last.rglob("*.utf8") if b"number8q" in file.read_bytes()]
    assert not [file for file in (tmp_path / "forgot").rglob("*.utf8") if b"number8q" in file.read_bytes()]
    assert open_segments(tmp_path / "forgot").rows == 428


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
