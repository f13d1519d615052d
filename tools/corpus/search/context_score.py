"""Score a component's context: its section by words, its document by words and vectors.

A table or a short paragraph shares few words with a colloquial question. Its document is about the subject: the summary
is similar to the question, and the components together contain its words.
"""

from __future__ import annotations

import numpy as np

from backtrail.tools.corpus.search.lexical import Scores

# They add up to 1. The section by words has most weight; the document's similarity finds other wordings, and its
# coverage ranks a document that only resembles the question below one with its words. From 0.2 to 0.5 and from 0.15 to
# 0.45 the gold in the first ten stays the same, within a question or two, on each corpus tried.
SECTION = 0.45
DOCUMENT_SIMILARITY = 0.3
DOCUMENT_COVERAGE = 0.25


def context_fit(sections: Scores, similarity: Scores, covered: Scores) -> Scores:
    """Context scores of n components, in [0, 1] [n].

    Args:
        sections: BM25 of their sections, relative to the best one, in [0, 1].
        similarity: similarity of their documents' summaries, in [-1, 1].
        covered: coverage of the text's terms by their documents, in [0, 1].
    """
    near = np.clip(similarity, 0.0, 1.0)
    return (SECTION * sections + DOCUMENT_SIMILARITY * near + DOCUMENT_COVERAGE * covered).astype(np.float32)
