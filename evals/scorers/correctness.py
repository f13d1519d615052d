"""Score answers as right, wrong or abstained.

EM asks for the bare value and token F1 counts words; an answer in a sentence is right here when it contains a gold
wording as whole words, and of a question with several asked-for values one wording of each. Case, markup, white space,
also before a comma, and the v of a version make no difference, nor does an article before the gold where nothing else
is said ("Winston Series" for "the Winston Series", which EM takes too). Whatever is said where there is no answer is
wrong.
"""

from __future__ import annotations

import re
import unicodedata

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer

_MARKS = re.compile(r"[*`]+")
_APART = re.compile(r"(?<!\s)\s+(?=[,;:.!?)\]])")
"""Corpora split into words write "Sanremo , Italy"."""
_ARTICLE = re.compile(r"^(?:an?|the) (?=\S)")
_VERSION = re.compile(r"(?<!\w)v(?=\d)")
_OPEN = "=([{<"
_SIGN = re.compile(r"[$€£¥%°]$")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


def right() -> Scorer:
    """1 when an answerable question was answered with the gold, else 0."""
    return Scorer("Right", lambda question, outcome: float(is_right(question, outcome)))


def wrong() -> Scorer:
    """1 when something else was answered, or anything to a question that nobody could answer."""

    def mistaken(question: Question, outcome: Outcome) -> float:
        return float(outcome.error is None and not outcome.abstained and not is_right(question, outcome))

    return Scorer("Wrong", mistaken)


def is_right(question: Question, outcome: Outcome) -> bool:
    """Whether the answer says one wording of each part, or, of a question without parts, any gold answer."""
    if outcome.abstained or outcome.error is not None:
        return False
    return says_answer(question, f"{outcome.said}\n{outcome.answer}")


def says_answer(question: Question, text: str) -> bool:
    """Whether a text says one wording of each part, or, of a question without parts, any gold answer."""
    wanted = question.parts or ((question.answers,) if question.answers else ())
    return bool(wanted) and all(any(says(text, one) or _is_all_of(text, one) for one in part) for part in wanted)


def says(answer: str, wording: str) -> bool:
    """Whether an answer contains a wording as whole words; "4.4" stands in no "14.4" and no "4.43".

    Where a wording ends in what something else is to follow ("[E=") anything may, and a word after a sign ("4 €EUR").
    """
    wanted = plain(wording)
    if not wanted:
        return False
    after = "" if wanted[-1] in _OPEN else r"(?![.,]\d)" if _SIGN.search(wanted) else r"(?!\w)(?![.,]\d)"
    return re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(wanted)}{after}", plain(answer)) is not None


def _is_all_of(text: str, wording: str) -> bool:
    """Whether a line of a text is a wording but for its article. In a sentence, "who" is not "The Who"."""
    wanted = _ARTICLE.sub("", plain(wording))
    return bool(wanted) and any(_ARTICLE.sub("", plain(line)) == wanted for line in text.splitlines())


def plain(text: str) -> str:
    """A text as wordings are compared: without markup, case, kinds of dashes and needless spaces."""
    text = unicodedata.normalize("NFKC", _MARKS.sub("", text)).translate(_DASHES)
    return _VERSION.sub("", _APART.sub("", " ".join(text.casefold().split())))
