"""Score answers as right, wrong or abstained.

EM requires the bare value and token F1 counts words; here an answer in a sentence is right when it contains a gold
wording as whole words, and one wording of each value where the question asks for several. Case, markup, white space,
also before a comma, and the v of a version are ignored, and so is an article before the gold where the answer is
nothing else ("Winston Series" for "the Winston Series", as in EM). Any answer to an unanswerable question is wrong.
"""

from __future__ import annotations

import re
import unicodedata

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer

_MARKS = re.compile(r"[*`]+")
_APART = re.compile(r"(?<!\s)\s+(?=[,;:.!?)\]])")
"""Tokenized corpora have spaces before punctuation: "Sanremo , Italy"."""
_ARTICLE = re.compile(r"^(?:an?|the) (?=\S)")
_VERSION = re.compile(r"(?<!\w)v(?=\d)")
_OPEN = "=([{<"
_SIGN = re.compile(r"[$€£¥%°]$")
_NO_MORE_DIGITS = r"(?:(?=\.00(?!\d))|(?![.,]\d))"
"""After a number: nothing that makes it another one, as ".00" does not."""
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


def right() -> Scorer:
    """1 when the answer has the gold, else 0."""
    return Scorer("Right", lambda question, outcome: float(is_right(question, outcome)))


def wrong() -> Scorer:
    """1 when a wrong answer was given, or any to an unanswerable question."""

    def mistaken(question: Question, outcome: Outcome) -> float:
        return float(outcome.error is None and not outcome.abstained and not is_right(question, outcome))

    return Scorer("Wrong", mistaken)


def all_parts() -> Scorer:
    """1 when the answer has every part, else 0; questions without parts are skipped."""
    return Scorer("All parts", lambda question, outcome: float(is_right(question, outcome)) if question.parts else None)


def is_right(question: Question, outcome: Outcome) -> bool:
    """Return whether the answer has one wording of each part or item, else any gold answer."""
    if outcome.abstained or outcome.error is not None:
        return False
    return contains_answer(question, f"{outcome.said}\n{outcome.answer}")


def contains_answer(question: Question, text: str) -> bool:
    """Return whether a text has one wording of each part or item, else any gold answer."""
    wanted = question.values
    return bool(wanted) and all(
        any(contains_wording(text, one) or _is_all_of(text, one) for one in part) for part in wanted
    )


def contains_wording(answer: str, wording: str) -> bool:
    """Return whether an answer contains a wording as whole words; "$120.00" contains "120", "4.43" does not "4.4".

    Anything may follow a wording that ends in an opening mark ("[E="), and a word may follow a sign ("4 €EUR").
    """
    wanted = plain(wording)
    if not wanted:
        return False
    after = "" if wanted[-1] in _OPEN else _NO_MORE_DIGITS if _SIGN.search(wanted) else rf"(?!\w){_NO_MORE_DIGITS}"
    return re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(wanted)}{after}", plain(answer)) is not None


def _is_all_of(text: str, wording: str) -> bool:
    """Return whether a line of a text equals a wording except for its article. In a sentence "who" is not "The Who"."""
    wanted = _ARTICLE.sub("", plain(wording))
    return bool(wanted) and any(_ARTICLE.sub("", plain(line)) == wanted for line in text.splitlines())


def plain(text: str) -> str:
    """Normalize a text for comparison: without markup, case, kinds of dashes and extra spaces."""
    text = unicodedata.normalize("NFKC", _MARKS.sub("", text)).translate(_DASHES)
    return _VERSION.sub("", _APART.sub("", " ".join(text.casefold().split())))
