"""Questions made from a corpus's own tables and sentences: what a cell says of its row, what a sentence says of its
subject. They are easier than people's, and there are as many as a calibration needs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from backtrail.evals.questions import Question
from backtrail.language.sentences import split_sentences
from backtrail.language.spans import spans
from backtrail.language.terms import FUNCTION_WORDS
from backtrail.state.component import Component, Table
from backtrail.tools.corpus.calibration.sample import sample_components
from backtrail.tools.corpus.open import open_corpus

# So many components are looked at for questions: enough for hundreds, and a bound.
COMPONENTS_READ = 4_000
ROWS_A_TABLE = 2
# Cells and labels of other lengths are notes or marks.
_CELL = range(2, 61)
_SENTENCE = range(25, 301)
_LETTERS = re.compile(r"[A-Za-z]{2}")
_NAME = r"(?P<thing>[A-Z][\w’'.-]*(?: (?:of |the |and |for )?[A-Z0-9][\w’'.-]*){0,5})"
_DONE = re.compile(
    rf"(?:The |A |An )?{_NAME} (?P<be>was|is|were|are) "
    r"(?P<done>\w+ed|born|built|held|made|written|known|sold|given|run|set|found|shown|used)\b(?P<rest>.{0,200})"
)
_COUNTED = re.compile(
    rf"(?:The |A |An )?{_NAME} (?P<verb>has|have|contains|includes|uses|needs|requires|supports) "
    r"(?:about |over |up to |only |more than )?(?P<count>\d[\d,.]*\d|\d|two|three|four|five|six|seven|eight|nine|ten) "
    r"(?P<unit>[a-z]+)"
)
_DEFINED = re.compile(rf"{_NAME} (?P<be>is|was) (?:an?|the) ")
_BASE = {"has": "have", "have": "have"}
_BY = re.compile(r"\bby ((?:the )?[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,4})")
_IN = re.compile(r"\b(?:in|at) ((?:the )?[A-Z][\w.-]*(?:,? [A-Z][\w.-]*){0,4})")


def generated_questions(name: str, count: int) -> list[Question]:
    """At most ``count`` questions with their answer and gold component; the same ones for the same corpus.

    Kinds (table, definition, when, who, where, how many) take turns, as far as there are any left of each.

    Raises:
        CorpusNotFound: no such corpus.
    """
    corpus = open_corpus(name)
    components = corpus.components(sample_components(name, COMPONENTS_READ, ("text", "table")))
    titles = corpus.documents({one.document for one in components.values()})
    draw = random.Random(name)
    made: dict[str, list[Question]] = {}
    for component in components.values():
        for kind, asked, answer in _of(component, titles[component.document].title, draw):
            of_kind = made.setdefault(kind, [])
            id_ = f"{component.id}:{kind}:{len(of_kind)}"
            of_kind.append(
                Question(id=id_, question=asked, answers=(answer,), gold=((component.id,),), tags={"kind": kind})
            )
    for of_kind in made.values():
        draw.shuffle(of_kind)
    in_turn = (one for turn in zip_longest(*made.values()) for one in turn if one)
    return list({one.question: one for one in in_turn}.values())[:count]


def _of(component: Component, title: str, draw: random.Random) -> Iterator[tuple[str, str, str]]:
    """Kind, question and answer."""
    if component.table is not None:
        return _of_table(component.table, title, draw)
    sentences = split_sentences(component.text or "")
    return chain.from_iterable(_of_sentence(one) for one in sentences if len(one) in _SENTENCE)


def _of_table(table: Table, title: str, draw: random.Random) -> Iterator[tuple[str, str, str]]:
    """What a named column says of a row whose label is its own."""
    labels = [row[0].strip() if row else "" for row in table.rows]
    asked = [
        (labels[place], head.strip(), row[column].strip())
        for place, row in enumerate(table.rows)
        for column, head in enumerate(table.header)
        if 0 < column < len(row) and _is_label(labels[place]) and labels.count(labels[place]) == 1
        and _is_label(head.strip()) and len(row[column].strip()) in _CELL and row[column].strip() != labels[place]
    ]  # fmt: skip
    for label, head, cell in draw.sample(asked, min(ROWS_A_TABLE, len(asked))):
        column = head if head.isupper() else head[:1].lower() + head[1:]
        forms = (
            f"What is the {column} of {label}?",
            f"Which {column} does {label} have?",
            f"In {title}, what is the {column} for {label}?",
            f"What {column} is given for {label}?",
        )
        yield "table", " ".join(draw.choice(forms).split()), cell


def _is_label(text: str) -> bool:
    return len(text) in _CELL and bool(_LETTERS.search(text))


def _of_sentence(sentence: str) -> Sequence[tuple[str, str, str]]:
    if found := _DONE.match(sentence):
        return _of_deed(found["thing"], found["be"], found["done"], found["rest"])
    if found := _COUNTED.match(sentence):
        does = "do" if found["verb"] == "have" else "does"
        verb = _BASE.get(found["verb"], found["verb"].removesuffix("s"))
        return [("how many", f"How many {found['unit']} {does} {found['thing']} {verb}?", found["count"])]
    if (found := _DEFINED.match(sentence)) and found["thing"].split()[0].casefold() not in FUNCTION_WORDS:
        return [("definition", f"What {found['be']} {found['thing']}?", sentence)]
    return []


def _of_deed(thing: str, be: str, done: str, rest: str) -> Sequence[tuple[str, str, str]]:
    times = [span.text for span in spans(rest, phrases=False) if span.kind in ("date", "year")]
    if times:
        return [("when", f"When {be} {thing} {done}?", times[0])]
    if found := _BY.search(rest):
        return [("who", f"By whom {be} {thing} {done}?", found[1])]
    if found := _IN.search(rest):
        return [("where", f"Where {be} {thing} {done}?", found[1])]
    return []
