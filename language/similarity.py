"""Similarity of two short answers: ROUGE-L and BLEU of HM-RAG (section 3.4, equations 13 and 14).

The usual packages compute other measures under these names: ROUGE-L as an F-measure of LCS over either length, and
BLEU with an exponential brevity penalty. The paper divides by the longer text, and multiplies by the plain ratio of
lengths.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

LONGEST_NGRAM = 4
# Words of a text used for the longest common subsequence; an answer has at most 4,000 characters.
COMPARED_WORDS = 4000
# A word, or one character of a script without spaces.
_TOKEN = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]|[^\W぀-ヿ㐀-鿿豈-﫿฀-๿]+")


def tokens(text: str) -> list[str]:
    """Split a text into case-folded words without punctuation, in order."""
    return _TOKEN.findall(text.casefold())


def similarity(first: str, second: str, rouge_weight: float = 0.5, bleu_weight: float = 0.5) -> float:
    """(w_R · R_L + w_B · BLEU) / (w_R + w_B), in [0, 1]; symmetric; 1 for equal texts, 0 if one is empty.

    Raises:
        ZeroDivisionError: both weights are 0.
    """
    rouge, bleu = rouge_l(first, second), symmetric_bleu(first, second)
    return (rouge_weight * rouge + bleu_weight * bleu) / (rouge_weight + bleu_weight)


def rouge_l(first: str, second: str) -> float:
    """R_L = LCS(S_i, S_j) / max(|S_i|, |S_j|) over words (equation 13); 0 if one is empty."""
    a, b = tokens(first), tokens(second)
    return longest_common_subsequence(a, b) / max(len(a), len(b)) if a and b else 0.0


def symmetric_bleu(first: str, second: str) -> float:
    """Mean of BLEU in both directions, since equation 14 is not symmetric (ours)."""
    a, b = tokens(first), tokens(second)
    return (bleu(a, b) + bleu(b, a)) / 2


def bleu(reference: Sequence[str], candidate: Sequence[str]) -> float:
    """BLEU = exp(Σ_n w_n log p_n) · min(1, |S_j| / |S_i|) (equation 14), S_i the reference, S_j the candidate.

    p_n is the clipped precision of n-grams, w_n = 1/N, and N = min(4, |S_i|, |S_j|): answers are often shorter
    than four words (ours; the paper leaves N open). A p_n of 0 makes it 0, as the formula says.
    """
    if not reference or not candidate:
        return 0.0
    longest = min(LONGEST_NGRAM, len(reference), len(candidate))
    precisions = [_precision(reference, candidate, n) for n in range(1, longest + 1)]
    if not all(precisions):
        return 0.0
    return math.exp(sum(map(math.log, precisions)) / longest) * min(1.0, len(candidate) / len(reference))


def _precision(reference: Sequence[str], candidate: Sequence[str], n: int) -> float:
    expected, actual = _ngrams(reference, n), _ngrams(candidate, n)
    return sum((expected & actual).values()) / sum(actual.values())


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + n]) for start in range(len(words) - n + 1))


def longest_common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence of two word lists.

    Bit-parallel algorithm of Crochemore and others (2001): one bit per word of the first text, updated at once for each
    word of the second; a 0 bit marks where the subsequence grows. Uses the first ``COMPARED_WORDS`` of each text.
    """
    first, second = first[:COMPARED_WORDS], second[:COMPARED_WORDS]
    places: dict[str, int] = defaultdict(int)
    for place, word in enumerate(first):
        places[word] |= 1 << place
    every = (1 << len(first)) - 1
    row = every
    for word in second:
        matched = row & places.get(word, 0)
        row = ((row + matched) | (row & ~matched)) & every
    return len(first) - row.bit_count()
