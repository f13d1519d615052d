"""Score a component's context: its section by words, its document by words and vectors.

A table or a short paragraph says little by itself, and a colloquial question shares few words with it. The document
was written about what is asked: its summary is near the question, and between them its components say its words.
"""

from __future__ import annotations

import numpy as np

from backtrail.tools.corpus.search.lexical import Scores

# They add up to 1. The section by words counts for most; of the document similarity finds other wordings, and coverage
# keeps a document that only resembles the question below one that says it. From 0.2 to 0.5 and from 0.15 to 0.45 the
# gold found in the first ten stays the same, within a question or two, on each corpus at hand.
SECTION = 0.45
DOCUMENT_SIMILARITY = 0.3
DOCUMENT_COVERAGE = 0.25


def context_fit(sections: Scores, similarity: Scores, covered: Scores) -> Scores:
    """Fit of the surroundings of n components, in [0, 1] [n].

    Args:
        sections: BM25 of their sections, as shares of the best one's, in [0, 1].
        similarity: of their documents' summaries, in [-1, 1].
        covered: shares of the text's terms that their documents say, in [0, 1].
    """
    near = np.clip(similarity, 0.0, 1.0)
    return (SECTION * sections + DOCUMENT_SIMILARITY * near + DOCUMENT_COVERAGE * covered).astype(np.float32)
