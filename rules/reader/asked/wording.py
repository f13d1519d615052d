"""Wording: what stands right around a span, and of what words it is made.

A sentence says many things, and what is asked stands near the words that ask for it ("is coached by …"). A name that
something is known by, or was born with, is told by the word before it. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from backtrail.language.questions import QuestionShape
from backtrail.language.spans import Span
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import kind_of_noun
from backtrail.language.word_places import WordPlaces
from backtrail.rules.reader.asked.relation import Relation
from backtrail.rules.reader.labels import family
from backtrail.rules.reader.support import Piece

# A word this far from the span counts half.
_HALF_DISTANCE = 4.0
# So many characters before and after a span hold the words that stand right there.
_BESIDE = 40
# Words of one root differ in so much behind it: coach, coached, coaching.
_ROOT, _SHORTEST = 6, 4
# So many words before a span its verb may stand; of other kinds of answer too much stands behind a verb.
_VERB_WORDS = 4
_TYPED = ("person", "organisation", "place", "date", "year")
# "A South American country" names no place.
_DEMONYM = re.compile(r"(?:ian|ean|can|ese|ish|ench|utch|erman|entine|wiss)$")
_NEXT = re.compile(r"\s([a-z]+)")
# What a number counts is named by one of so many words behind it, before the next clause or number.
_COUNTED_WORDS = 4
_BEFORE = 160
_PARTED = re.compile(r"[,;.()]|\s(?:and|or|of|in|from|with)\s|\d")
_ASKS_NAME = re.compile(
    r"\b(?:nick ?name[ds]?|colloquial|(?:full|real|birth|stage|former|original|other|alternat\w+) name"
    r"|formerly|previously|alias|also know\w*|known as|called|translat\w+|abbreviat\w+|acronym|stands? for"
    r"|mean(?:s|ing)?)\b",
    re.IGNORECASE,
)
_TELLS_NAME = re.compile(
    r"\b(?:as|nicknamed|dubbed|called|formerly|previously|originally|born|née|né|name|translat\w+"
    r"|abbreviated(?: as| to)?|stands for|meaning|means|short for|alias|aka|a\.k\.a\.?)\s*(?:[:,]|the|``|[\"'])?\s*$",
    re.IGNORECASE,
)


class Wording:
    """Spans of the sentences of one question's evidence."""

    def __init__(self, shape: QuestionShape, relation: Relation, rarity: Mapping[str, float]) -> None:
        self._shape, self._relation, self._rarity = shape, relation, rarity
        self._heads = frozenset(chain.from_iterable(family(head) for head in shape.heads))
        self._asks_name = bool(_ASKS_NAME.search(shape.text))
        self._verbs = {root(term) for term in relation.verb}
        self._kin = self._verbs.union(*({root(term) for term in family(verb)} for verb in relation.verb))
        self._places: dict[str, WordPlaces] = {}

    def of_span(self, piece: Piece, text: str) -> dict[str, float]:
        """Signals of a span by what stands around it in its sentence, in [0, 1]."""
        sentence = piece.text
        start = max(0, sentence.find(text))
        end = start + len(text)
        before, after = sentence[max(0, start - _BESIDE) : start], sentence[end : end + _BESIDE]
        told = bool(_TELLS_NAME.search(before))
        words = self._words(sentence)
        span = Span(text, "phrase", start, end)
        return {
            "near_verb": self._near(span, words, self._relation.verb),
            "near_head": self._near(span, words, self._shape.heads),
            "near_told": self._near(span, words, self._relation.told),
            "verb_before": self._verb_before(before),
            "head_before": float(bool(self._heads & content_terms(" ".join(re.findall(r"\w+", before)[-3:])))),
            "head_after": float(bool(self._heads & content_terms(" ".join(re.findall(r"\w+", after)[:2])))),
            "name_told": float(self._asks_name and told),
            "name_unasked": float(told and not self._asks_name),
            "counted": self._counted(text, sentence[:start], sentence[end : end + _BESIDE]),
            "demonym": float(self._shape.kind == "place" and _is_demonym(text, after)),
            "bracketed": float(sentence.count("(", 0, start) > sentence.count(")", 0, start)),
            "verb_root": len(self._verbs & {root(term) for term in piece.own}) / max(1, len(self._verbs)),
        }

    def _verb_before(self, before: str) -> float:
        """Whether a verb that is asked, or one of its family, stands right before: "was founded there in …"."""
        if self._shape.kind not in _TYPED:
            return 0.0
        last = content_terms(" ".join(re.findall(r"\w+", before)[-_VERB_WORDS:]))
        return float(bool(self._kin & {root(term) for term in last}))

    def _counted(self, text: str, before: str, after: str) -> float:
        """Whether a number counts what is asked for: 31 of "31 NCAA tournaments and ten series", and not ten.

        Where no word follows it counts what was named before: 72 of "five flights were planned; it made 72."
        """
        if self._shape.kind != "number":
            return 0.0
        following = _PARTED.split(after, maxsplit=1)[0].split()[:_COUNTED_WORDS]
        named = before[-_BEFORE:] if not following and " " not in text else " ".join(following)
        counts = f"{text} {named}"
        return float(bool(self._heads & content_terms(counts)))

    def of_text(self, text: str, title: str) -> dict[str, float]:
        """Signals of a span or cell by its own words."""
        own = content_terms(text)
        return {
            "own_head": float(bool(own & self._heads)),
            "own_said": len(own & self._shape.terms) / max(1, len(own)),
            "name_title": float(self._asks_name and bool(own) and own <= content_terms(title)),
        }

    def _words(self, sentence: str) -> WordPlaces:
        if sentence not in self._places:
            self._places[sentence] = WordPlaces(sentence)
        return self._places[sentence]

    def _near(self, span: Span, words: WordPlaces, wanted: Iterable[str]) -> float:
        """How near wanted words stand, themselves or by a word of their family, by their rarity."""
        inside = words.within(span)
        got = total = 0.0
        for term in sorted(wanted):
            weight = self._rarity.get(term, 1.0)
            total += weight
            distance = words.distance(family(term) | {term}, *inside) if inside else None
            if distance is not None:
                got += weight / (1.0 + (distance - 1) / _HALF_DISTANCE)
        return got / total if total else 0.0


def root(term: str) -> str:
    """The beginning that words of one root share, as far as it can be told without a dictionary."""
    return term[: max(_SHORTEST, min(_ROOT, len(term) - 2))] if len(term) > _SHORTEST and term.isalpha() else term


def _is_demonym(text: str, after: str) -> bool:
    """Whether it only says of the noun behind it where that is from."""
    following = _NEXT.match(after)
    return bool(following and _DEMONYM.search(text) and kind_of_noun(following[1]))
