"""Deictic phrases in German, French, Spanish, Russian and Arabic queries.

A demonstrative with its noun points, unless a clause or a period of time follows. A pronoun points if no possible
referent precedes it. Unclear cases are accepted: refusing a query costs a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from backtrail.state.vqa_planner.closed_words import LANGUAGES, ClosedWords, closed

_WORD = re.compile(r"[^\W\d_]+")
_MARK_OF_SCRIPT = {"ru": re.compile("[\u0400-\u052f]"), "ar": re.compile("[\u0600-\u06ff]")}
# Words that German, French, Spanish and English do not share.
_ENGLISH = closed("the is of was who what when where which how did does and are by to it this these")
_LATIN = {
    "de": closed("""wer wann wo wie woraus warum welche welcher welches welchen welchem der das dem den ist wurde wurden
        und von diese dieser dieses diesen diesem ihre seine"""),
    "fr": closed("""qui quand où comment combien pourquoi quel quelle quels quelles le les du des est été cette cet ces
        qu il elle dans"""),
    "es": closed("""quién quiénes cuándo dónde cómo cuánto cuántos qué cuál el los las del es fue está este esta estos
        estas su por"""),
}
_EXPLAINED_WITHIN = 4  # words after a pronoun in which its clause opens


def language_of(query: str) -> str | None:
    """Return the query's language if it has closed classes; None for English and all others."""
    for language, mark in _MARK_OF_SCRIPT.items():
        if len(mark.findall(query)) * 2 > len(query.replace(" ", "")):
            return language
    words = [word.lower() for word in _WORD.findall(query)]
    counts = {language: sum(word in own for word in words) for language, own in _LATIN.items()}
    likeliest = max(counts, key=lambda language: counts[language])
    return likeliest if counts[likeliest] > sum(word in _ENGLISH for word in words) else None


def pointing_places(query: str, language: str) -> Iterator[tuple[int, str]]:
    """Yield the positions of words that point outside the query, each with the word as written."""
    grammar = LANGUAGES[language]
    matches = list(_WORD.finditer(query))
    words = [match[0] for match in matches]
    named = [place for place in range(len(words)) if _names(words, place, grammar)]
    for place, match in enumerate(matches):
        if _is_determiner(words, place, grammar) or (
            _is_pronoun(words, place, grammar) and not _explained(words, place, named[:2], grammar)
        ):
            yield match.start(), match[0]


def _is_determiner(words: Sequence[str], place: int, grammar: ClosedWords) -> bool:
    after = words[place + 1] if place + 1 < len(words) else ""
    if words[place].lower() not in grammar.determiners or not after:
        return False
    if (place and words[place][0].isupper()) or (place and words[place - 1].lower() in _DEFINITE):
        return False
    return after.lower() not in grammar.function_words | grammar.stretches


_DEFINITE = closed("el al del")  # "en el este de": the east


def _is_pronoun(words: Sequence[str], place: int, grammar: ClosedWords) -> bool:
    """Return whether a word is a pronoun that refers to something, and not to a clause."""
    lower = words[place].lower()
    after = [word.lower() for word in words[place + 1 : place + 1 + _EXPLAINED_WITHIN]]
    if lower in grammar.determiners:  # alone it is a pronoun: "What is this?"
        if after and (after[0] not in grammar.function_words or after[0] in grammar.relatives):
            return False
    elif lower not in grammar.pronouns or (place and words[place][0].isupper()):
        return False
    beside = {word.lower() for word in words[max(0, place - 3) : place]} | set(after[:1])
    return _stands_alone(words, place, grammar) and not (grammar.impersonal & beside or grammar.relatives & set(after))


def _stands_alone(words: Sequence[str], place: int, grammar: ClosedWords) -> bool:
    """Return whether it is no article, copula or verb with the same spelling."""
    lower, last = words[place].lower(), place + 1 == len(words)
    if lower in grammar.before_nouns:  # German "das": an article, unless nothing follows
        return last
    if lower in ("sein", "son"):  # to be; "ils son", a sound
        return not last
    if lower in ("هو", "هي"):  # "what is the highest …": a copula before its noun
        return last
    return True


def _names(words: Sequence[str], place: int, grammar: ClosedWords) -> bool:
    """Return whether a word names something that a later pronoun can refer to."""
    word, before = words[place], words[place - 1].lower() if place else ""
    if word.lower() in grammar.function_words:
        return False
    if word[0].isupper() or grammar.nouns_capitalised:
        return word[0].isupper()
    return not grammar.before_nouns or before in grammar.before_nouns | grammar.determiners


def _explained(words: Sequence[str], pronoun: int, first_named: Sequence[int], grammar: ClosedWords) -> bool:
    """Return whether something is named before a pronoun; not a verb: "Steht er", "Кто построил его"."""
    verb = pronoun - 1
    is_verb = verb == 0 or (verb > 0 and words[verb - 1].lower() in grammar.who)
    return any(place < pronoun and not (is_verb and place == verb) for place in first_named)
