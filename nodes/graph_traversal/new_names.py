"""Names in components that the question does not contain: candidates for the next search."""

from __future__ import annotations

import math
from collections.abc import Mapping

from backtrail.language.current_language import reading_in
from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import new_names, terms_of_names
from backtrail.tools.corpus.protocol import CorpusReader


def names_not_in_question(corpus: CorpusReader, question: str, texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return names by text id, distinguished from common words by rarity. Reads the corpus (blocking)."""
    with reading_in(corpus.language(question)):
        return _names_said(corpus, question, texts)


def _names_said(corpus: CorpusReader, question: str, texts: Mapping[str, str]) -> dict[str, list[str]]:
    wanted = content_terms(question).union(*(terms_of_names(text) for text in texts.values()))
    unknown = ""  # no component contains it, so its rarity gives the number of components
    rarity = corpus.rarity({*wanted, unknown})
    components = math.expm1(rarity[unknown])
    return {key: new_names(text, question, rarity, components) for key, text in texts.items()}
