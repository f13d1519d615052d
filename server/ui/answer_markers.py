"""Numbers of sources behind the sentences of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.state.answer import Answer
from backtrail.state.answer_structure import one_line, structure_markdown, structure_of

_NUMBER = re.compile(r"(?<!\\)\[(\d{1,4})\]")
_ACTIVE = re.compile(r"[\\`*_\[\]<>|~]|^(?=[#+-])", re.MULTILINE)


def is_markdown(answer: Answer) -> bool:
    """Return whether a model wrote the text of an answer; text of rules is as in the documents."""
    return "calibrated" not in answer and answer.get("grounds") != "quotes"


def cited_quotes(answer: Answer) -> dict[int, str]:
    """Return the quotes of an answer by the number of their source, but for those that its structure alone cites."""
    structure = structure_markdown(structure_of(answer), prose=_without_numbers, inline=_without_numbers)
    elsewhere = {int(number) for number in _NUMBER.findall(structure)}
    return {number: one["quote"] for number, one in enumerate(answer["citations"], 1) if number not in elsewhere}


def structure_text(answer: Answer, mark: Callable[[int], str] = "[{}]".format) -> str:
    """Return the items, table or sections of an answer as Markdown, with marks of the sources that they cite."""
    literal = _literal_numbers if is_markdown(answer) else escaped
    structure = structure_markdown(
        structure_of(answer), prose=lambda text: literal(text.strip()), inline=lambda text: literal(one_line(text))
    )
    return _NUMBER.sub(lambda found: mark(int(found[1])), structure)


def escaped(text: str) -> str:
    """Escape a text of a document for Markdown."""
    return _ACTIVE.sub(r"\\\g<0>", text)


def _literal_numbers(text: str) -> str:
    """Escape what looks like a number of a source in Markdown of a model, which sets none."""
    return _NUMBER.sub(r"\\[\1]", text)


def _without_numbers(text: str) -> str:
    return _NUMBER.sub("", text)


def numbered(text: str, cited: Mapping[int, str], mark: Callable[[int], str] = "[{}]".format) -> str:
    """Insert a mark of each source behind the sentence that shares most words with its quote.

    A source that shares no word is marked behind the last sentence.
    """
    ends = _sentence_ends(text)
    terms = [content_terms(sentence) for sentence, _ in ends]
    marks: dict[int, list[int]] = {}
    for number, quote in cited.items():
        wanted = content_terms(quote)
        shared = [len(wanted & one) for one in terms]
        best = shared.index(max(shared)) if any(shared) else -1
        marks.setdefault(ends[best][1] if ends else len(text), []).append(number)
    for end in sorted(marks, reverse=True):
        text = f"{text[:end]} {''.join(map(mark, marks[end]))}{text[end:]}"
    return text


def _sentence_ends(text: str) -> Sequence[tuple[str, int]]:
    """Return the sentences with their ends in the text, without headings and rows of tables."""
    found: list[tuple[str, int]] = []
    at = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, at)
        if start >= 0:
            at = start + len(sentence)
            if not sentence.startswith(("#", "|")):
                found.append((sentence, at))
    return found
