"""Multiple choice: the options of a question, and the option that an answer selects.

Options are labelled with letters or numbers: "(A) wife (B) hide", "1. wife 2. hide".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Most labels tried as the first option, from the last; questions of benchmarks have one or two.
MOST_STARTS = 20


@dataclass(frozen=True)
class Offered:
    """A question without its options, and the options as (label, text)."""

    stem: str
    options: tuple[tuple[str, str], ...]


_MARKS = (
    re.compile(r"(?:^|(?<=[\s;,]))\(([A-Za-z]|\d{1,2})\)\s*"),
    re.compile(r"(?:^|(?<=[\s;,]))([A-Za-z]|\d{1,2})[.):]\s+"),
)
_HEADING = re.compile(r"(?:answer\s+)?(?:options|choices)\s*:", re.IGNORECASE)
_AFTER = re.compile(r"\n[^\S\n]*(?:answer|context|hint|question|solution)\s*:", re.IGNORECASE)
# Possessive quantifiers: no backtracking over runs of white space.
_DANGLING = re.compile(r"\banswer\s*+:\s*$", re.IGNORECASE)
_NO_CONTEXT = re.compile(
    r"^[ \t]*context\s*+:[ \t]*+(?:(?:\n\s*+)?(?:n/?a|none))?[ \t.]*+$", re.IGNORECASE | re.MULTILINE
)
_LEAD = re.compile(r"^[^\S\n]*(?:question|context)\s*:\s*", re.IGNORECASE | re.MULTILINE)


def offered(question: str) -> Offered:
    """Parse the options of a question; fewer than two count as none."""
    found = _labelled(question)
    if found and len({text for _, text in found.options}) == len(found.options):
        return Offered(_tidy(found.stem), found.options)
    return Offered(_tidy(question) or question.strip(), ())


def _labelled(question: str) -> Offered | None:
    """Find the last run of labels from A, a or 1 without a gap; labels in brackets first."""
    for pattern in _MARKS:
        marks = list(pattern.finditer(question))
        starts = [place for place, mark in enumerate(marks) if mark[1] in ("A", "a", "1")]
        for first in reversed(starts[-MOST_STARTS:]):
            run = _run(marks, first)
            if len(run) > 1 and (found := _cut(question, run)):
                return found
    return None


def _cut(question: str, run: Sequence[re.Match[str]]) -> Offered | None:
    """Separate the question from its labelled options; None if an option has no text."""
    end = _AFTER.search(question, run[-1].end())
    stops = [*(mark.start() for mark in run[1:]), end.start() if end else len(question)]
    texts = [" ".join(question[mark.end() : stop].split()) for mark, stop in zip(run, stops, strict=True)]
    if all(text[-1:] in (";", ",") for text in texts[:-1]) and texts[-1][-1:] not in (";", ","):
        texts = [text.rstrip(";,") for text in texts]  # they separate
    if not all(texts):
        return None
    stem = _HEADING.sub("", question[: run[0].start()]) + (question[end.start() :] if end else "")
    return Offered(stem, tuple(zip((mark[1].upper() for mark in run), texts, strict=True)))


def _run(marks: Sequence[re.Match[str]], first: int) -> list[re.Match[str]]:
    """Collect the marks that continue the first one; other marks ("type A. or") are text."""
    run = [marks[first]]
    for mark in marks[first + 1 :]:
        if mark[1] == _next(run[-1][1]):
            run.append(mark)
    return run


def _next(label: str) -> str:
    return str(int(label) + 1) if label.isdigit() else chr(ord(label) + 1)


def _tidy(stem: str) -> str:
    lines = _LEAD.sub("", _NO_CONTEXT.sub("", _DANGLING.sub("", stem))).split("\n")
    return "\n".join(line for line in lines if line).strip()


def shown(label: str, text: str) -> str:
    """Format an option as in answers: "(B) hide"."""
    return f"({label}) {text}"


_SAID = re.compile(
    r"\b(?:[Aa]nswer|[Oo]ption|[Cc]hoice)\s*(?:is|:)?\s*(?:\(([A-Za-z]|\d{1,2})\)|([A-Z]|\d{1,2})(?=\s*(?:[.,;:)]|$)))"
)
_FIRST = re.compile(r"\s*(?:\(([A-Za-z]|\d{1,2})\)|([A-Za-z]|\d{1,2})(?:[.):](?=\s|$)|\s*$))")


def meant(answer: str, options: Sequence[tuple[str, str]]) -> str | None:
    """Return the label of the option that an answer selects; None if ambiguous.

    In this order: the option with the same text; a label at the start or named as the answer; the only option whose
    words are in the first sentence or in the whole answer. A number that is no label counts from 1.
    """
    labels = [label for label, _ in options]
    same = [label for label, text in options if text.split() == answer.split()]
    if len(same) == 1:
        return same[0]
    stated = [match[1] or match[2] for match in _SAID.finditer(answer)]
    first = _FIRST.match(answer)
    for label in [*([first[1] or first[2]] if first else []), *stated[-1:]]:
        if label.upper() in labels:
            return label.upper()
        if label.isdigit() and 1 <= int(label) <= len(labels) and label not in (text for _, text in options):
            return labels[int(label) - 1]
    plain = [(label, _plain(text)) for label, text in options]
    parts = (_SENTENCE_END.split(answer.strip(), 1)[0], answer)
    return next((label for part in parts if (label := _by_text(_plain(part), plain))), None)


_SENTENCE_END = re.compile(r"[.;:](?=\s)|\n")


def _by_text(stated: str, options: Sequence[tuple[str, str]]) -> str | None:
    """Return the option with exactly these words, else the only one that they contain."""
    equal = [label for label, text in options if text == stated]
    if equal:
        return equal[0] if len(equal) == 1 else None
    inside = [(label, text) for label, text in options if text and f" {text} " in f" {stated} "]
    # An option contained in another one ("cell" in "cell wall") does not count if the longer one matches.
    longest = [
        label for label, text in inside if not any(f" {text} " in f" {other} " and text != other for _, other in inside)
    ]
    return longest[0] if len(longest) == 1 else None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w°%]+", text.casefold()))
