"""Written spans: candidates that are written as what is asked for is written, with how surely each is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from backtrail.language.questions import QuestionShape
from backtrail.language.spans import Span
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import MAGNITUDES, NUMBER_WORDS
from backtrail.rules.reader.asked.relation import asked_phrase
from backtrail.rules.reader.measures import dimension, measured_in, measures
from backtrail.rules.reader.support import Piece, covered, told_more
from backtrail.rules.reader.written.code_lines import asks_command, commands, told_by_lead
from backtrail.rules.reader.written.defaults import asks_default, defaults
from backtrail.rules.reader.written.entries import told_by_entry
from backtrail.rules.reader.written.forms import asked_form
from backtrail.rules.reader.written.label_lines import label_values
from backtrail.state.answer_decisions import AnswerInputs

# A default of another kind than the question asks for, and one that it does not ask for as such.
_OTHER_KIND, _UNASKED = 0.3, 0.3
# A bare number where seconds or metres are asked for: its unit may stand before it.
_UNMEASURED = 0.5
# What is written as is asked, in a sentence that tells a default of another form.
_SAME_SENTENCE = 0.7
# What a default for a number may say without a digit.
_COUNTED = frozenset(
    (*NUMBER_WORDS, *MAGNITUDES, "unlimited", "infinite", "infinity", "none", "no", "never", "disabled")
)
# From so sure on a form says what a thing is.
_PLAIN = 0.8
_WORD = re.compile(r"[\w’'-]+")
_PLURAL = re.compile(r"[^su'’i]s$")
_ASKS_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
# A line of code that is read whole is at most as long.
_LINE_CHARACTERS = 120
# A longer sentence is a page without stops, of which its beginning is enough.
_CHARACTERS = 4000


class Written:
    """What is written like code in the evidence of one question; nothing, where the question asks for nothing such."""

    def __init__(self, inputs: AnswerInputs, shape: QuestionShape) -> None:
        self._inputs, self._shape = inputs, shape
        self._command = asks_command(shape)
        self._default = asks_default(shape)
        self._asked = None if self._command == 1.0 else asked_form(shape)
        self._form = None if self._default else self._asked

    @property
    def is_one(self) -> bool:
        """Whether one thing is asked for, and no list: "which option", "which algorithm"."""
        if self._asked:
            return f"{self._asked.noun}s" not in self._shape.text.casefold()
        heads = [word for word in _WORD.findall(self._shape.text.casefold()) if content_terms(word) & self._shape.heads]
        return bool(heads) and _ASKS_WHICH.search(self._shape.text) is not None and not any(map(_PLURAL.search, heads))

    def told(self, listed: list[Piece]) -> list[Piece]:
        """The pieces, lines of code with the words of what announces them."""
        if self._default:
            listed = [told_by_entry(piece) for piece in listed]
        if self._command:
            listed = told_by_lead(listed, self._inputs)
        elif self._form:
            listed = told_by_lead(listed, self._inputs, self._is_whole)
        noun = asked_phrase(self._shape) & self._shape.focus if self._command == 1.0 or self._form else frozenset[str]()
        return [told_more(piece, noun) if self._is_written(piece) else piece for piece in listed] if noun else listed

    def _is_whole(self, line: str) -> bool:
        """Whether a line is nothing but what is asked for: `KEY="value"` in a block of its own."""
        return len(line) <= _LINE_CHARACTERS and self.suits(line.strip()) >= _PLAIN

    def _is_written(self, piece: Piece) -> bool:
        """Whether a sentence holds what is plainly of the kind asked for: `--limit` need not be called an option."""
        if piece.row is not None:
            return False
        text = piece.text[:_CHARACTERS]
        found = self._form.spans(text) if self._form else commands(text)
        return any(sure >= _PLAIN for _, sure in found)

    def commands(self, piece: Piece, rarity: Mapping[str, float]) -> Iterator[tuple[str, dict[str, float]]]:
        """The commands of a sentence or line, where one may be asked for, each with its own signals."""
        if self._command:
            near = {
                "near": covered(self._shape.focus, piece.own, rarity),
                "near_any": covered(self._shape.terms, piece.own, rarity),
            }
            for text, sure in commands(piece.text[:_CHARACTERS]):
                yield text, {"fit": 1.0, "named": 1.0, "echo": self.echo(text), "written": self._command * sure, **near}

    def rules_out(self, text: str) -> bool:
        """Whether what a question asks for is never written like this text."""
        return self._asked is not None and self._asked.rules_out(text)

    def suits(self, text: str) -> float:
        """How surely a text is written as what is asked for."""
        return self._form.suits(text) if self._form else 0.0

    def spans(self, text: str) -> dict[Span, float]:
        """What of a sentence is written as what is asked for, with how surely."""
        text = text[:_CHARACTERS]
        if self._default:
            return self._defaults(text)
        found = dict(self._form.spans(text)) if self._form else {}
        if self._shape.kind == "number":
            found |= {span: sure * _UNASKED for span, sure in defaults(text) if self._is_counted(span.text)}
        return found

    def labelled(self, text: str) -> list[tuple[int, int]]:
        """Where values stand in a sentence whose labels are asked for."""
        return [] if self._default or self._command == 1.0 else list(label_values(text[:_CHARACTERS], self._shape))

    def _defaults(self, text: str) -> dict[Span, float]:
        """The defaults of a sentence; where the noun tells how they are written, what is written so."""
        told = {span: sure * self._of_kind(span.text) for span, sure in defaults(text) if self._is_counted(span.text)}
        written = dict(self._asked.spans(text)) if self._asked and told else {}
        within = {
            span: sure
            for span, sure in written.items()
            if any(value.start <= span.start and span.end <= value.end for value in told)
        }
        if within or not written:
            return within or told
        return dict.fromkeys(told, _OTHER_KIND) | {span: _SAME_SENTENCE * sure for span, sure in written.items()}

    def _is_counted(self, text: str) -> bool:
        """Whether a default says how many, where that is asked: a number, or that there is no limit."""
        if self._shape.kind != "number":
            return True
        return any(map(str.isdigit, text)) or any(word in _COUNTED for word in text.casefold().split())

    def _of_kind(self, text: str) -> float:
        """How well a default is of the kind asked for, as far as that shows: 60 seconds are no number of nodes."""
        if self._shape.kind in ("date", "year"):
            return 1.0 if any(map(str.isdigit, text)) else _OTHER_KIND
        own, asked = dimension(text), measured_in(self._shape)
        if not asked or measures(text, asked):
            return 1.0
        return _UNMEASURED if own is None else _OTHER_KIND

    def near(self, piece: Piece, rarity: Mapping[str, float]) -> dict[str, float]:
        """How much of the question is said near what stands alone, a default or a line of code; else nothing."""
        alone = (self._default and piece.beside) or (self._form and self._is_whole(piece.text))
        if not alone:
            return {}
        return {
            "near": covered(self._shape.focus, piece.own, rarity),
            "near_any": covered(self._shape.terms, piece.own, rarity),
        }

    def echo(self, text: str) -> float:
        """Whether a question says this as it is written: `--data-dir` does not repeat "the data directory"."""
        return float(text.casefold() in self._shape.text.casefold())
