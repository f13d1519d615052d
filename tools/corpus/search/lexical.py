"""Lexical search: BM25 per layer, words stemmed by the language of their document, mapped from disk."""

from __future__ import annotations

import threading
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import Stemmer
from numpy.typing import NDArray

from backtrail.language.compounds import JOINTS, compound_parts, parts_of
from backtrail.language.current_language import ENGLISH
from backtrail.language.identify import language_of
from backtrail.language.scripts import UNSPACED, WORD, ngrams, plain_letters
from backtrail.language.terms import terms
from backtrail.tools.arrays.vector_rows import Rows
from backtrail.tools.corpus.search.postings import Postings, count_words
from backtrail.tools.corpus.search.segments import open_segments
from backtrail.tools.corpus.search.write_segments import SegmentsWriter

with warnings.catch_warnings():  # in notebooks tqdm warns of a progress bar that is not used here
    warnings.filterwarnings("ignore", "IProgress not found")
    import bm25s

Scores = NDArray[np.float32]
WORDS = "words"
"""The folder of a generation with a lexical index of each layer, and one of sections."""
_SHORTEST_ENDING = 5  # letters of an unknown query word, to match words by their ending
_MOST_ENDINGS = 10
_local = threading.local()


def _stemmer() -> Any:
    # stemmers have a cache and are not thread-safe
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer


Block = tuple[Sequence[str], Sequence[str]]
"""Texts by row, and the ISO 639-1 code of each text's language."""
BLOCK = 100_000
"""Rows of a block in memory; languages whose compounds are split need all rows in one block."""


class Base(NamedTuple):
    """An earlier index to reuse: its folder, the rows that stay, whether to erase the others."""

    folder: Path
    stay: NDArray[np.bool_]
    forget: bool = False


def build_words(folder: Path, blocks: Iterable[Block], base: Base | None = None) -> None:
    """Index texts, row by row, into a folder.

    Args:
        folder: created here.
        blocks: new rows after those of a base; one block where compounds are split.
        base: an index whose rows precede the texts; only for languages whose compounds are not split.

    Raises:
        LookupError: the base does not match its mask.
    """
    earlier = open_segments(base.folder) if base else None
    if base and earlier and earlier.held and earlier.rows != len(base.stay):
        raise LookupError(f"{base.folder} cannot be reused")
    if earlier and base and len(base.stay) and not earlier.held:
        raise LookupError(f"{base.folder} has no number of rows")
    out = SegmentsWriter(folder, earlier)
    if base and earlier:
        out.take_over(base.folder, earlier, base.stay, forget=base.forget)
    for texts, languages in blocks:
        out.add(_counted(texts, languages))
    out.finish()


def _counted(texts: Sequence[str], languages: Sequence[str]) -> Postings:
    tokens = _tokenized(texts, languages)
    return count_words(tokens.ids, tokens.vocab)


def _tokenized(texts: Sequence[str], languages: Sequence[str]) -> bm25s.tokenization.Tokenized:
    """Numbered tokens of every text. English texts are split in one call, which is several times faster."""
    english = [row for row, language in enumerate(languages) if language == ENGLISH]
    ids: list[list[int]] = [[] for _ in texts]
    vocabulary: dict[str, int] = {}
    if english:
        some = _english([texts[row] for row in english])
        vocabulary = dict(some.vocab)
        for row, numbers in zip(english, some.ids, strict=True):
            ids[row] = numbers
    for row, (text, language) in enumerate(zip(texts, languages, strict=True)):
        if language != ENGLISH:
            ids[row] = [vocabulary.setdefault(token, len(vocabulary)) for token in terms(text, language)]
        elif not text.isascii() and UNSPACED.search(text):
            ids[row] += [vocabulary.setdefault(gram, len(vocabulary)) for gram in _grams(text)]
    for language in JOINTS.keys() & set(languages):
        _add_parts([ids[row] for row, one in enumerate(languages) if one == language], vocabulary, language)
    return bm25s.tokenization.Tokenized(ids, vocabulary)


def _add_parts(ids: list[list[int]], vocabulary: dict[str, int], language: str) -> None:
    """Add the parts of compounds to every text, where each part is a word of its language's texts."""
    names = list(vocabulary)
    frequency = Counter(number for numbers in ids for number in set(numbers))
    parts = compound_parts({names[number]: count for number, count in frequency.items()}, language)
    added = {vocabulary[whole]: [vocabulary[part] for part in found] for whole, found in parts.items()}
    for numbers in ids:
        numbers += [part for number in numbers if number in added for part in added[number]]


def _english(texts: list[str]) -> bm25s.tokenization.Tokenized:
    spelled = [text if text.isascii() else plain_letters(UNSPACED.sub(" ", text)) for text in texts]
    tokens = bm25s.tokenize(spelled, stopwords="en", stemmer=_stemmer(), show_progress=False)
    assert isinstance(tokens, bm25s.tokenization.Tokenized)
    return tokens


def _grams(text: str) -> list[str]:
    """The n-grams of scripts without spaces within an English text."""
    return [gram for run in UNSPACED.finditer(text) for gram in ngrams(run.group())]


class Words:
    """The lexical index of one layer. Thread-safe."""

    def __init__(self, folder: Path, languages: Collection[str] = (ENGLISH,)) -> None:
        """Open the index.

        Args:
            folder: folder of the index.
            languages: languages of the indexed texts.
        """
        self._index = open_segments(folder)
        self._languages = tuple(languages)

    @property
    def count(self) -> int:
        """Rows indexed."""
        return self._index.rows

    def scores(self, query: str) -> Scores | None:
        """BM25 score of every row [n]; None when no word of the query occurs in the layer."""
        tokens = query_tokens(query, self._languages)
        own = language_of(query, self._languages)
        if own in JOINTS:
            tokens = [part for token in tokens for part in self._known_parts(token, own)]
        return self._index.scores(tokens)

    def _known_parts(self, token: str, language: str) -> Sequence[str]:
        """A known word itself; for an unknown one its parts, else the shortest words with that ending."""
        if token in self._vocabulary:
            return (token,)
        parts = parts_of(token, self._vocabulary, language)
        if parts or len(token) < _SHORTEST_ENDING:
            return parts
        ending = sorted((word for word in self._vocabulary if word.endswith(token)), key=lambda word: (len(word), word))
        return ending[:_MOST_ENDINGS]

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        """The tokens of the index, with equal weight."""
        return dict.fromkeys(self._index.vocabulary(), 1)


def query_tokens(query: str, languages: Collection[str]) -> list[str]:
    """The tokens of a query, with repetitions.

    Stemmed by the query's language if there are texts in it, else by the texts' first language. Names and numbers are
    also stemmed by the other languages, so that a name finds pages of every language.
    """
    own = language_of(query, languages)
    if own not in languages and languages:
        own = next(iter(languages))
    tokens = list(_tokens(query, own))
    names = " ".join(word for word in WORD.findall(query) if not word.islower())
    for language in languages:
        if language != own and names:
            tokens += [token for token in dict.fromkeys(_tokens(names, language)) if token not in tokens]
    return tokens


def _tokens(text: str, language: str) -> list[str]:
    if language != ENGLISH:
        return list(terms(text, language))
    spelled = _english([text])
    words = {number: token for token, number in spelled.vocab.items()}
    return [words[number] for number in spelled.ids[0]] + _grams(text)


def shares(scores: Scores | None, count: int) -> Scores:
    """Scores of ``count`` rows relative to the highest, in [0, 1]; zeros where no word occurs."""
    most = float(scores.max(initial=0.0)) if scores is not None else 0.0
    if scores is None or most <= 0.0:
        return np.zeros(count, np.float32)
    return (np.maximum(scores, 0.0) / most).astype(np.float32)


def matching(scores: Scores | None, rows: Rows | None) -> tuple[Rows, Scores]:
    """Rows with a positive score, among ``rows`` (None: all), and their scores."""
    if scores is None:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    candidates = np.flatnonzero(scores > 0) if rows is None else rows[scores[rows] > 0]
    return candidates, scores[candidates]
