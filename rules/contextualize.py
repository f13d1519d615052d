"""Make a follow-up standalone: resolve pronouns and ellipses from the last question and answer."""

from __future__ import annotations

import re

from backtrail.language.current_language import reading_in, reads_english
from backtrail.language.identify import language_of
from backtrail.language.questions import analyse
from backtrail.language.spans import spans
from backtrail.language.terms import FUNCTION_WORDS, content_terms, words
from backtrail.language.vocabulary import WH_WORDS
from backtrail.rules.pronouns import asks_for_what_is_meant, defined, is_date, replace_pronoun
from backtrail.state.answer_decisions import ContextualizeInputs, Standalone

QUESTION_CHARACTERS = 2000  # limit of a standalone question
# A longer answer is an explanation; its first name replaces it.
SHORT_ANSWER_WORDS = 8

# In other languages, a question of at most this many content words may refer to the last one.
_FEW_WORDS = 2

_LEAD_IN = re.compile(r"^\s*(?:(?:and|but|so|ok(?:ay)?|then)\b|no(?=[,.;:!]))[\s,.;:!]*", re.IGNORECASE)
_WHAT_ABOUT = re.compile(
    r"^\s*(?:(?:and|but|so|no)\b[\s,]*)?(?:(?:what|how)\s+about|i\s+meant?)\s+(.+?)\s*[.?!]?\s*$", re.IGNORECASE
)
_AND_NAME = re.compile(
    r"^\s*(?:and|or)\s+(?!(?:who|what|when|where|why|how|which|whose|is|are|was|were|did|do|does|can)\b)"
    r"(\S+(?:\s+\S+){0,5}?)\s*\?\s*$",
    re.IGNORECASE,
)
_OWNED = re.compile(r"^(?:its|his|her|their)\s+\w", re.IGNORECASE)
_PERSONAL = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_NEUTRAL = re.compile(r"\b(?:it|its|they|them|their)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)
_EXPLETIVE = re.compile(r"\bis it (?:true|possible|correct)\b|\bwhat time is it\b", re.IGNORECASE)
_POINTED = re.compile(r"\b(?:(?:this|that)\s+([a-z]\w+[^\Ws])|(?:these|those)\s+([a-z]\w+s))\b", re.IGNORECASE)
_THERE = re.compile(r"(?<!is )(?<!are )(?<!was )(?<!were )\bthere(?=\s*\??\s*$)", re.IGNORECASE)
_ABSTAINED = re.compile(r"^(?:I found (?:no|nothing)|I am not sure enough|There is no answer)\b")
_TOPIC = re.compile(r"\bthe\s+[^,?;]+", re.IGNORECASE)
_VERB_AFTER_TOPIC = re.compile(
    r"(?<!\s)\s+(?:is|are|was|were|has|have|had|do|does|did|built|founded|made|born|located|released|written)\b.*",
    re.IGNORECASE | re.DOTALL,
)


def contextualize(inputs: ContextualizeInputs) -> Standalone:
    """Complete a follow-up; a complete question is unchanged."""
    question = inputs.question.strip()
    asked, answered = _last_exchange(inputs)
    if asked and question and not reads_english():
        text = _beside(question, asked)
    else:
        text = _completed(question, asked, answered) if asked and question else question
    return Standalone(question=text[:QUESTION_CHARACTERS] or "?")


def points_at_nothing(question: str) -> str:
    """Return the unresolvable pronoun of a first question; "" if there is none, or if not in English."""
    with reading_in(language_of(question)):
        if not reads_english() or _EXPLETIVE.search(question):
            return ""
        found = _PERSONAL.search(question) or _NEUTRAL.search(question)
        return found.group() if found and not _names_before(question, found.start()) else ""


def filled_in(question: str, named: str) -> str:
    """Insert a name for the pronoun that a person was asked about; a reply that is a question replaces it."""
    short = len(named.split()) <= SHORT_ANSWER_WORDS and "?" not in named
    return _replaced(question, named.strip(" .!")) if short else named


def _last_exchange(inputs: ContextualizeInputs) -> tuple[str, str]:
    """Return the last question and its reply; "" if there is none or the reply abstains."""
    asked = answered = ""
    for turn in reversed(inputs.conversation):
        if turn.speaker in ("human", "user"):
            asked = " ".join(turn.text.split())
            break
        answered = answered or " ".join(turn.text.split())
    return asked, "" if _ABSTAINED.match(answered) else answered


def _beside(question: str, asked: str) -> str:
    """Append the last question to a short follow-up in a language without pronoun rules."""
    return f"{question} ({asked})" if len(words(question)) <= _FEW_WORDS else question


def _completed(question: str, asked: str, answered: str) -> str:
    if not answered and points_at_nothing(asked) and _is_bare_name(question):
        return filled_in(asked, question)  # the person answers a clarifying question of the chat
    replaced = _WHAT_ABOUT.match(question) or _AND_NAME.match(question)
    if replaced and _OWNED.match(replaced.group(1)):  # "And its weight?" is about the same thing
        return _pronouns_resolved(f"What about {replaced.group(1)}?", asked, answered)
    if replaced:
        return _with_topic(asked, replaced.group(1).strip())
    text = _LEAD_IN.sub("", question)
    text = text[:1].upper() + text[1:]
    if not content_terms(text) and len(text.split()) <= 2:  # "Why?", "Since when?"
        return f"{text.rstrip(' ?')}, about this: {asked}"
    return _pronouns_resolved(text, asked, answered)


def _with_topic(asked: str, topic: str) -> str:
    """'What about Mars?': repeat the last question for another topic."""
    names = [span for span in _names(asked) if not _is_number_like(span)]
    if names:
        before, _, after = asked.rpartition(names[-1])
        if topic.casefold().startswith("the ") and before.casefold().endswith("the "):
            before = before[:-4]
        return f"{before}{topic}{after}"
    return f"{asked.rstrip(' ?.')}, for {topic}?"


def _pronouns_resolved(text: str, asked: str, answered: str) -> str:
    answer = _short(answered)
    by_person = analyse(asked).kind == "person"
    pointed = _POINTED.search(text)
    personal, neutral = _PERSONAL.search(text), _NEUTRAL.search(text)
    if personal and not _names_before(text, personal.start()):
        person = defined(asked) or (answer if by_person else _last_name(asked) or answer)
        return _replaced(text, person, asked)
    if neutral and not _EXPLETIVE.search(text) and not _names_before(text, neutral.start()):
        return _replaced(text, _meant(text, asked, answer, by_person=by_person), asked)
    if pointed and not _EXPLETIVE.search(text) and not _names_before(text, len(text)):
        thing = _topic(asked) if by_person or not answer or _is_number_like(answer) else answer
        noun = pointed.group(1) or pointed.group(2)
        return f"{text[: pointed.start()]}the {noun} {thing}{text[pointed.end() :]}" if thing else text
    there = _THERE.search(text)
    place = answer if answer and not _is_number_like(answer) else _topic(asked)
    if there and place and not _names_before(text, there.start()):
        return f"{text[: there.start()]}in {place}{text[there.end() :]}"
    return text


def _meant(text: str, asked: str, answer: str, *, by_person: bool) -> str:
    """Resolve "it" or "they": the answer to "which …" or "what is the …", otherwise the last topic.

    Returns "" if ambiguous: "they" after "who" or "how many", or a thing that no answer named ("its" after "what is the
    capital of France").
    """
    if named := defined(asked):
        return named
    shape = analyse(asked)
    thing = bool(shape.heads) and shape.kind in ("entity", "place", "organisation")
    several = _SEVERAL.search(text) is not None
    if several and by_person and " and " in answer:
        return answer
    if (several and asks_for_what_is_meant(asked, text)) or (thing and not answer and " of " in asked):
        return ""
    by_answer = thing and bool(_names(answer)) and not by_person and not _is_number_like(answer)
    return answer if by_answer else _topic(asked)


def _replaced(text: str, name: str, asked: str = "") -> str:
    """Replace the pronoun by a name; without a name, append the last question."""
    return replace_pronoun(text, name) if name else f"{text} ({asked})" if asked else text


def _names(text: str) -> list[str]:
    found = [span for span in spans(text, phrases=False) if span.kind in ("name", "quoted")]
    whole = [
        span
        for span in found
        if not any(other.start <= span.start and span.end <= other.end and other != span for other in found)
    ]
    return [span.text for span in whole if span.text.casefold() not in WH_WORDS | FUNCTION_WORDS]


def _last_name(text: str) -> str:
    return next((name for name in reversed(_names(text)) if not is_date(name)), "")


def _names_before(text: str, end: int) -> bool:
    """Whether the question has a name before this position, which its pronouns then refer to."""
    first_space = text.find(" ")
    return any(text.find(name, first_space) not in (-1, *range(end, len(text) + 1)) for name in _names(text))


def _topic(asked: str) -> str:
    """Return a question's topic: its last name, with its "the", else its first definite noun phrase."""
    name = _last_name(asked)
    if name:
        return f"the {name}" if re.search(rf"\bthe\s+{re.escape(name)}", asked, re.IGNORECASE) else name
    phrase = _TOPIC.search(asked)
    return _VERB_AFTER_TOPIC.sub("", phrase.group().strip(" .")) if phrase else ""


def _short(answer: str) -> str:
    """Return the answer, or the first name of a long one."""
    if len(answer.split()) <= SHORT_ANSWER_WORDS:
        return answer.strip(" .")
    return next(iter(_names(answer)), "")


def _is_bare_name(text: str) -> bool:
    return len(text.split()) <= SHORT_ANSWER_WORDS and "?" not in text and bool(_names(text))


def _is_number_like(text: str) -> bool:
    wide = [span for span in spans(text, phrases=False) if 2 * len(span.text) >= len(text)]
    return any(span.kind in ("date", "year", "number") for span in wide) or not any(map(str.isalpha, text))
