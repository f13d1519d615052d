"""Make a follow-up standalone: resolve pronouns and ellipses from the last question and answer."""

from __future__ import annotations

import re

from backtrail.language.current_language import reading_in, reads_english
from backtrail.language.identify import language_of
from backtrail.language.questions import analyse
from backtrail.language.spans import spans
from backtrail.language.terms import FUNCTION_WORDS, content_terms, words
from backtrail.language.vocabulary import WH_WORDS
from backtrail.rules.pronouns import asks_for_what_is_meant, defined, is_date, name_meant, replace_pronoun
from backtrail.state.answer_decisions import ContextualizeInputs, Standalone, Turn

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
_EVENT = re.compile(r"\b(?:does|did|do|will|would|can|may)\s+it\s+take\b|\bit\s+(?:takes|took)\b", re.IGNORECASE)
"""What takes time is what was asked to be done, and no name."""
_EXPLETIVE = re.compile(r"\bis it (?:true|possible|correct)\b|\bwhat time is it\b", re.IGNORECASE)
_POINTED = re.compile(r"\b(?:(?:this|that)\s+([a-z]\w+[^\Ws])|(?:these|those)\s+([a-z]\w+s))\b", re.IGNORECASE)
_THERE = re.compile(r"(?<!is )(?<!are )(?<!was )(?<!were )\bthere(?=\s*\??\s*$)", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:he|she|him|his|hers?|it|its|they|them|their|this|these|those|then|that(?=\s*\??\s*$))\b"
    rf"|{_POINTED.pattern}|{_THERE.pattern}",
    re.IGNORECASE,
)
_ABSTAINED = re.compile(r"^(?:I found (?:no|nothing)|I am not sure enough|There is no answer)\b")
_TOPIC = re.compile(r"\bthe\s+[^,?;]+", re.IGNORECASE)
_VERB_AFTER_TOPIC = re.compile(
    r"(?<!\s)\s+(?:is|are|was|were|has|have|had|do|does|did|built|founded|made|born|located|released|written)\b.*",
    re.IGNORECASE | re.DOTALL,
)


def contextualize(inputs: ContextualizeInputs) -> Standalone:
    """Complete a follow-up; a complete question is unchanged.

    Only what has exactly one antecedent is replaced. Otherwise the words stay, followed by the names of the last
    exchange, since a wrong name finds the wrong page.
    """
    question = inputs.question.strip()
    asked, answered = _last_exchange(inputs)
    if asked and question and not reads_english():
        text = _beside(question, asked)
    else:
        text = _completed(question, asked, answered, _earlier(inputs)) if asked and question else question
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
    short = len(named.split()) <= SHORT_ANSWER_WORDS and "?" not in named and named.strip(" .!")
    return replace_pronoun(question, named.strip(" .!")) if short else named


def _asked(turn: Turn) -> str:
    """Return the question of a turn, as it was understood; "" for a reply."""
    return " ".join((turn.standalone or turn.text).split()) if turn.speaker in ("human", "user") else ""


def _last_exchange(inputs: ContextualizeInputs) -> tuple[str, str]:
    """Return the last question and its reply; "" if there is none or the reply abstains."""
    asked = answered = ""
    for turn in reversed(inputs.conversation):
        if asked := _asked(turn):
            break
        answered = answered or " ".join(turn.text.split())
    return asked, "" if _ABSTAINED.match(answered) else answered


def _earlier(inputs: ContextualizeInputs) -> str:
    """Return the last question that names something, else the last one."""
    questions = [asked for turn in reversed(inputs.conversation) if (asked := _asked(turn))]
    return next((one for one in questions if _names(one)), questions[0] if questions else "")


def _beside(question: str, asked: str) -> str:
    """Append the last question to a short follow-up in a language without pronoun rules."""
    return f"{question} ({asked})" if len(words(question)) <= _FEW_WORDS else question


def _completed(question: str, asked: str, answered: str, earlier: str) -> str:
    if not answered and points_at_nothing(asked) and _is_bare_name(question):
        return filled_in(asked, question)  # the person answers a clarifying question of the chat
    replaced = _WHAT_ABOUT.match(question) or _AND_NAME.match(question)
    if replaced and not _OWNED.match(replaced.group(1)):
        return _with_topic(asked, replaced.group(1).strip()) or _with_names(question, earlier, answered)
    led = _LEAD_IN.sub("", question)
    text = f"What about {replaced.group(1)}?" if replaced else led[:1].upper() + led[1:]  # "And its weight?"
    if not content_terms(text) and len(text.split()) <= 2:  # "Why?", "Since when?"
        return f"{text.rstrip(' ?')}, about this: {asked}"
    if _EXPLETIVE.search(text) or not (led != question or _POINTS.search(text)):
        return text
    resolved = "" if _EVENT.search(text) else _resolved(text, asked, _short(answered))
    return resolved or (text if _names_before(text, len(text)) else _with_names(text, earlier, answered))


def _with_topic(asked: str, topic: str) -> str:
    """'What about Mars?': repeat the last question for another topic; "" if it has several."""
    names = [span for span in _names(asked) if not _is_number_like(span)]
    if len(names) > 1:
        return ""
    if names:
        before, _, after = asked.rpartition(names[0])
        if topic.casefold().startswith("the ") and before.casefold().endswith("the "):
            before = before[:-4]
        return f"{before}{topic}{after}"
    return f"{asked.rstrip(' ?.')}, for {topic}?"


def _with_names(text: str, earlier: str, answered: str) -> str:
    """Append the names, dates and years of the last exchange; the last question if it has none."""
    found = [span.text for span in spans(earlier, phrases=False) if span.kind in ("date", "year")]
    named = list(dict.fromkeys([*_names(earlier), *_names(_short(answered)), *found]))
    return f"{text} ({'; '.join(named) or earlier})"


def _resolved(text: str, asked: str, answer: str) -> str:
    """Replace a pronoun, "that film" or "there" by its only antecedent; "" if there is none or more than one."""
    personal, neutral = _PERSONAL.search(text), _NEUTRAL.search(text)
    pronoun = personal or neutral
    if pronoun and not _names_before(text, pronoun.start()):
        meant = _antecedent(asked, answer, text)
        return replace_pronoun(text, meant) if meant else ""
    if (pointed := _POINTED.search(text)) and not _names_before(text, len(text)):
        meant, noun = _antecedent(asked, answer, "it"), pointed.group(1) or pointed.group(2)
        return f"{text[: pointed.start()]}the {noun} {meant}{text[pointed.end() :]}" if meant else ""
    if (there := _THERE.search(text)) and not _names_before(text, there.start()):
        meant = _antecedent(asked, answer, "it")
        return f"{text[: there.start()]}in {meant}{text[there.end() :]}" if meant else ""
    return ""


def _antecedent(asked: str, answer: str, text: str) -> str:
    """Return what the pronoun of ``text`` stands for; "" if several things or none may be meant.

    After "who …" a person is the answer. After "which …" a thing is the answer or a name of the question.
    """
    if named := defined(asked):
        return named
    by_person = analyse(asked).kind == "person"
    named_answer = answer if _names(answer) and not _is_number_like(answer) else ""
    if _PERSONAL.search(text):
        return named_answer if by_person else name_meant(asked, text)
    if by_person and _SEVERAL.search(text) and " and " in answer:
        return named_answer
    by_answer = asks_for_what_is_meant(asked, text) and not by_person
    if by_answer and not named_answer and (not answer or _SEVERAL.search(text)):
        return ""
    names = [_with_article(name, asked) for name in _names(asked) if not is_date(name)]
    found = dict.fromkeys([named_answer, *names] if by_answer and named_answer else names)
    return next(iter(found)) if len(found) == 1 else "" if found else _topic(asked)


def _names(text: str) -> list[str]:
    found = [span for span in spans(text, phrases=False) if span.kind in ("name", "quoted")]
    whole = [
        span
        for span in found
        if not any(other.start <= span.start and span.end <= other.end and other != span for other in found)
    ]
    return [span.text for span in whole if span.text.casefold() not in WH_WORDS | FUNCTION_WORDS]


def _names_before(text: str, end: int) -> bool:
    """Whether the question has a name before this position, which its pronouns then refer to."""
    first_space = text.find(" ")
    return any(text.find(name, first_space) not in (-1, *range(end, len(text) + 1)) for name in _names(text))


def _with_article(name: str, asked: str) -> str:
    return f"the {name}" if re.search(rf"\bthe\s+{re.escape(name)}", asked, re.IGNORECASE) else name


def _topic(asked: str) -> str:
    """Return the definite noun phrase of a question without names; "" if it has several."""
    phrases = [_VERB_AFTER_TOPIC.sub("", phrase.strip(" .")) for phrase in _TOPIC.findall(asked)]
    return phrases[0] if len(phrases) == 1 else ""


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
