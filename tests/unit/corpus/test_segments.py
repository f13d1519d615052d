"""Scores by words are those of bm25s over the rows that stay, however the segments of the index came about."""

import bm25s
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from backtrail.tools.corpus.search import write_segments
from backtrail.tools.corpus.search.lexical import Base, Words, build_words
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
