"""Clause readings: a question that asks different things, clause by clause, each with the names that it leaves out.

"Where does it put that file, and what switch prints a bcrypt hash?" is two questions. "When is Penny's birthday, and
who is her mother?" is two of Penny.
"""

from __future__ import annotations

import re

from backtrail.language.questions import analyse
from backtrail.language.stop_words import FUNCTION_WORDS
from backtrail.language.vocabulary import AnswerKind
from backtrail.rules.reader.parts import clauses_asked
from backtrail.state.answer_decisions import AnswerInputs
from backtrail.state.offline.extract import AskedClause, ExtractInputs

_AND = re.compile(r"^(?:and|or|but|so)\s+", re.IGNORECASE)
# Words that name something wherever they stand: with a capital or a digit, or written like code.
_NAMING = re.compile(r"`[^`]+`|\b(?=\w*[A-Z0-9_])[\w.-]*\w")
# What a pronoun may stand for where it is the answer of the clause before.
_THINGS: tuple[AnswerKind, ...] = ("person", "entity", "organisation", "place", "unknown")
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|this|these|those)\b", re.IGNORECASE)
MOST_CLAUSES = 4


def clause_by_clause(inputs: AnswerInputs) -> list[AnswerInputs]:
    """What is to be read for each clause; empty where a question does not ask several things."""
    asked = inputs.asked if isinstance(inputs, ExtractInputs) else []
    clauses = asked or [AskedClause(text=clause) for clause in clauses_asked(inputs.question)]
    if not 1 < len(clauses) <= MOST_CLAUSES or _goes_on_about_an_answer([clause.text for clause in clauses]):
        return []
    return [_of_clause(inputs, clause) for clause in clauses]


def _goes_on_about_an_answer(clauses: list[str]) -> bool:
    """Whether a later clause may speak of what an earlier one asks for: "Who is the warden, and when did he come?"."""
    things = (place for place, clause in enumerate(clauses) if analyse(clause).kind in _THINGS)
    first = next(things, len(clauses))
    return any(_PRONOUN.search(clause) for clause in clauses[first + 1 :])


def _of_clause(inputs: AnswerInputs, clause: AskedClause) -> AnswerInputs:
    """The same evidence, by how near it is to the clause."""
    near = clause.nearness
    evidence = [
        item.model_copy(update={"nearness": near[item.id]}) if item.id in near else item for item in inputs.evidence
    ]
    text = _AND.sub("", clause.text.strip()).rstrip(" ?")
    names = [] if _names(text[1:]) else _names(inputs.question.partition(clause.text)[0])
    question = f"{' '.join(names)}: {text}?" if names else f"{text}?"
    update = {"question": question, "evidence": evidence, "queries": [], **({"asked": []} if near else {})}
    return inputs.model_copy(update=update)


def _names(text: str) -> list[str]:
    """The words that name something, each once, in their order."""
    found = (match.group().strip("`") for match in _NAMING.finditer(text))
    return [name for name in dict.fromkeys(found) if name.casefold() not in FUNCTION_WORDS]
