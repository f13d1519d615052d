"""Candidate answers of the evidence, each with the signals that speak for or against it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from backtrail.language.questions import QuestionShape
from backtrail.language.spans import Span, fit, spans
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import KIN, AnswerKind, kind_of_noun
from backtrail.language.word_places import WordPlaces
from backtrail.rules.reader.announced import LIST_JOINT, Announced, leads_in
from backtrail.rules.reader.asked.near_span import near, preposition, weighed
from backtrail.rules.reader.asked.opening import opens
from backtrail.rules.reader.clues import Hearsay, clues, is_name
from backtrail.rules.reader.labels import family, is_labelled
from backtrail.rules.reader.lookup.cell_prose import prose_cells
from backtrail.rules.reader.measures import (
    Dimension,
    counts,
    dimension,
    dimensions_of_column,
    may_be_measured,
    measured_in,
    measures,
)
from backtrail.rules.reader.moments import without_impossible
from backtrail.rules.reader.phrases import agents, conditions, frequencies, reasons, whole_place, whole_quantity
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.rules.reader.written.written_spans import Written
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

# Cells longer than this are notes, not answers.
CELL_CHARACTERS = 80
# Longer spans are runs without a space, or lists of names; an answer is shorter.
SPAN_CHARACTERS = 400
# Reading more than this many pieces closely adds time and no answers: the rest cover too little.
PIECES_READ = 60

# What stands before the answer to "who wrote", "where", "when".
PREPOSITIONS_OF: dict[AnswerKind, frozenset[str]] = {
    "person": frozenset({"by"}),
    "organisation": frozenset({"by", "for", "at"}),
    "place": frozenset({"in", "at", "from", "near", "to"}),
    "year": frozenset({"in", "since", "of"}),
    "date": frozenset({"on", "born", "in", "since"}),
    "time": frozenset({"at", "until", "by", "from"}),
    "nationality": frozenset({"a", "an"}),
    "material": frozenset({"of", "from"}),
}

# A sentence that says nothing of what is asked may open a page of which, with its row, this much is asked.
OPENING_COVERAGE = 0.45

# Kinds that show in the form of an answer: a cell of another form is none.
TYPED: frozenset[AnswerKind] = frozenset(("date", "year", "time", "number"))

# Kinds of answer that a list may be.
UNTYPED: frozenset[AnswerKind] = frozenset(("entity", "unknown", "material"))
# Somebody who is named by what they do suits a "who" half as well as a name.
UNNAMED = 0.5
# Of a sentence without "because" or the like nothing is plainly a reason.
REASONLESS = 0.5

# "When does it check …" asks for an occasion as well as for a date.
_ASKS_OCCASION = re.compile(r"\bwhen\s+(?:do|does|will|would|should|can|may|must|is|are)\b", re.IGNORECASE)
OCCASION = 0.8
# What stands behind a label that is asked for.
LABELLED = 0.8
_ASKS_OFTEN = re.compile(r"\bhow\s+(?:often|frequently|regularly)\b", re.IGNORECASE)
# "How long may it be" is answered in characters, too.
_ASKS_LENGTH = frozenset(("length", "time"))
_OF_TEXT = re.compile(r"\s+(?:character|letter|word|line|page|sentence|paragraph|digit)s?\b", re.IGNORECASE)

# A cell of which the kind asked for is likelier than not; the only one of its row is half as good as a named column.
SUITS, ONLY_ONE = 0.5, 0.5

_WORD = re.compile(r"\w+")
# What follows "three times" where it multiplies.
_RATIO = re.compile(r"\s*(?:as\s+\w+|more|less|the\s+(?:\w+\s+)?\w+\s+of|\w{2,}er(?:\s+than)?)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A span or cell with its signals, each in [0, 1]."""

    text: str
    piece: Piece
    signals: Mapping[str, float]


def candidates(inputs: AnswerInputs, shape: QuestionShape) -> list[Candidate]:
    """All candidates of the pieces that cover the question best."""
    written = Written(inputs, shape)
    listed = written.told(pieces(inputs.evidence))
    rarity = rarities(listed)
    ranks = _ranks(inputs.evidence)
    bridges = [terms for answer in tentative(inputs.known) if (terms := content_terms(answer))]
    told = Hearsay([clue for clue in clues(inputs.evidence) if clue.row is None], shape.terms, rarity)
    titles = {item.id: content_terms(item.title) for item in inputs.evidence}
    often = {item.id: Counter(cell for cells in item.rows for cell in cells) for item in inputs.evidence}
    relevant = shape.terms.union(*(KIN.get(term, ()) for term in shape.terms))
    scored: list[tuple[float, Piece, dict[str, float]]] = []
    for piece in listed:
        item = piece.evidence
        over = titles[item.id]
        elsewhere = _said_elsewhere(piece, told, often[item.id])
        signals = {
            "chain": covered(shape.terms, (piece.chain & relevant) | (elsewhere & relevant), rarity),
            "page": covered(shape.terms, piece.page, rarity),
            "titled": covered(shape.terms, piece.titled, rarity),
            "focus": covered(shape.focus, piece.own, rarity),
            "rank": ranks[item.id],
            "early": 1.0 / (1 + (piece.sentence or 0)) if piece.row is None else 0.0,
            "bridge": float(bool(bridges) and any(bridge <= over for bridge in bridges)),
        }
        scored.append((signals["chain"] + signals["titled"] + signals["focus"], piece, signals))
    scored.sort(key=lambda entry: -entry[0])
    read = [
        (part, signals)
        for _, piece, signals in scored[:PIECES_READ]
        if speaks_of(piece.titled, shape.focus) or (signals["chain"] >= OPENING_COVERAGE and opens(piece))
        for part in (piece, *prose_cells(piece, CELL_CHARACTERS))
        if not (part.has_cells and is_labelled(piece.evidence))  # read elsewhere
    ]
    announced = Announced(inputs)
    found = [
        Candidate(text, piece, {**signals, "written": written.suits(text), **own})
        for piece, signals in read
        for text, own in (
            _cells(piece, shape) if piece.has_cells else _spoken(piece, shape, rarity, announced, written)
        )
        if not written.rules_out(text)
    ]
    if found or shape.kind != "person":
        return without_impossible(found, shape)
    return [
        Candidate(agent, piece, {**signals, "fit": UNNAMED, "echo": _echo(agent, shape)})
        for piece, signals in read
        if piece.row is None
        for agent in agents(piece.text)
    ]


def _spoken(
    piece: Piece, shape: QuestionShape, rarity: Mapping[str, float], announced: Announced, written: Written
) -> Iterator[tuple[str, dict[str, float]]]:
    """Spans of a sentence; of one that only announces what comes next the list that it announces, if that is asked."""
    yield from written.commands(piece, rarity)
    if shape.kind not in UNTYPED or written.is_one or not leads_in(piece):
        yield from _spans(piece, shape, rarity, written)
        return
    if items := announced.by(piece):
        near = {"near": covered(shape.focus, piece.own, rarity), "near_any": covered(shape.terms, piece.own, rarity)}
        yield LIST_JOINT.join(items)[:SPAN_CHARACTERS], {"fit": 1.0, "named": 1.0, "echo": 0.0, **near}


def _said_elsewhere(piece: Piece, told: Hearsay, often: Mapping[str, int]) -> frozenset[str]:
    """What the best clue says that names the page of a sentence or a thing in a row."""
    item = piece.evidence
    if piece.row is not None:
        return told.of([cell for cell in item.rows[piece.row] if is_name(cell) and often[cell] == 1])
    if item.parent_row is not None:  # the row that led to the page says what is known of it
        return frozenset()
    return told.of([item.title])


def speaks_of(present: frozenset[str], focus: frozenset[str]) -> bool:
    """Whether any word of the asking clause is said, itself or by a word of its family; nothing asked is said."""
    return not focus or any(family(term) & present for term in focus)


def tentative(known: list[str]) -> list[str]:
    """The answers of 'subquery: answer' lines."""
    return [line.rpartition(": ")[2].strip() for line in known]


def _ranks(evidence: list[EvidenceText]) -> dict[str, float]:
    """Scores of the ranking, stretched over [0, 1]: their scale differs between rankers."""
    scores = [item.score for item in evidence]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return {item.id: (item.score - low) / (high - low) if high > low else 1.0 for item in evidence}


def _cells(piece: Piece, shape: QuestionShape) -> Iterator[tuple[str, dict[str, float]]]:
    item = piece.evidence
    assert piece.row is not None
    cells = [" ".join(cell.split()) for cell in item.rows[piece.row]]
    titles = [item.header[index] if index < len(item.header) else "" for index in range(len(cells))]
    suiting = [cell_fit(cell, shape) if _may_answer(cell) else 0.0 for cell in cells]
    named = [_named(shape.heads | shape.focus, content_terms(title)) for title in titles]
    asked, count = measured_in(shape), counts(shape)
    for index, (cell, title, suits) in enumerate(zip(cells, titles, suiting, strict=True)):
        if not _may_answer(cell) or not may_be_measured(cell, title, asked, count=count):
            continue
        if suits <= 0.0 and not _may_be_of_kind(cell, title, shape):
            continue
        header = content_terms(title)
        others = [place for place in range(len(cells)) if place != index]
        # Another column that is named as what is asked, with a cell of the kind, makes this one's kind say nothing.
        rivalled = any(named[place] == 1.0 and suiting[place] > 0.0 for place in others)
        of_kind = shape.kind in {kind_of_noun(word) for word in title.casefold().split()} and not rivalled
        alone = suits >= SUITS and not any(suiting[place] >= SUITS for place in others)
        yield (
            cell,
            {
                "fit": suits,
                "header": max(_named(shape.heads, header), 0.7 * float(of_kind)),
                "asked": _named(shape.focus, header) * float(not shape.heads & header),
                "echo": _echo(cell, shape),
                "named": max(named[index], 0.7 * float(of_kind), ONLY_ONE * float(alone and shape.kind != "number")),
            },
        )


def _may_be_of_kind(cell: str, title: str, shape: QuestionShape) -> bool:
    """Whether a cell that does not look like what is asked may still be it: nobody is called "1 March 1982"."""
    if shape.kind == "person":
        return not any(span.kind in TYPED and span.text == cell for span in spans(cell))
    return shape.kind not in TYPED or _may_be_typed(cell, title, shape)


def _may_be_typed(cell: str, title: str, shape: QuestionShape) -> bool:
    """Whether a cell that is written like no date or number may be one: a weight or a price is no date."""
    measured = shape.kind != "number" and bool(dimension(cell) or dimensions_of_column(title))
    return any(map(str.isdigit, cell)) and not measured


def _may_answer(cell: str) -> bool:
    return bool(_WORD.search(cell)) and len(cell) <= CELL_CHARACTERS


def cell_fit(cell: str, shape: QuestionShape) -> float:
    """How well a cell's content suits the kind of answer: the best span that fills at least half of it."""
    wide = [span for span in spans(cell) if len(span.text) * 2 >= len(cell)]
    return max((fit(shape.kind, span.kind, span.text) for span in wide), default=0.0)


def _named(wanted: frozenset[str], header: frozenset[str]) -> float:
    if wanted & header:
        return 1.0
    return 0.7 if any(KIN.get(term, frozenset()) & header for term in wanted) else 0.0


def _echo(text: str, shape: QuestionShape) -> float:
    """Share of the words that the question itself says: a question seldom contains its answer."""
    own = content_terms(text)
    return len(own & shape.terms) / len(own) if own else 1.0


def _spans(
    piece: Piece, shape: QuestionShape, rarity: Mapping[str, float], written: Written
) -> Iterator[tuple[str, dict[str, float]]]:
    text = piece.text
    words = WordPlaces(text)
    focused, said = weighed(shape.focus, rarity), weighed(shape.terms, rarity)
    title = content_terms(piece.evidence.title)
    asked = measured_in(shape)
    says_head = bool(_named(shape.heads, piece.own))
    like_code, near_entry = written.spans(text), written.near(piece, rarity)
    values = written.labelled(text)
    whole = [Span(text[start:end], "phrase", start, end) for start, end in values] if shape.kind in UNTYPED else []
    for span, suits in [*((span, 1.0) for span in [*like_code, *whole]), *_suiting(text, shape)]:
        if suits <= 0.0 or len(span.text) > SPAN_CHARACTERS:
            continue
        if span not in like_code and not measurable(span, asked, text[span.end :]):
            continue
        own = content_terms(span.text)
        yield (
            _whole(text, span, shape),
            {
                "fit": suits,
                "echo": written.echo(span.text) if span in like_code else _echo(span.text, shape),
                "written": max(
                    like_code.get(span, 0.0), LABELLED * any(a <= span.start and span.end <= b for a, b in values)
                ),
                "near": near(span, words, focused),
                "near_any": near(span, words, said),
                "subject": float(bool(own) and own <= title),
                "headed": float(bool(own & shape.heads)),
                "named": float(says_head or (dimension(span.text) or "") in asked),
                "preposition": float(preposition(text, span) in (shape.fronted, *PREPOSITIONS_OF.get(shape.kind, ()))),
                **(near_entry if span in like_code else {}),
            },
        )


def _whole(text: str, span: Span, shape: QuestionShape) -> str:
    """The span with what belongs to it where a place or a number is asked for."""
    if shape.kind == "place":
        return whole_place(text, span.start, span.text)
    if shape.kind != "number":
        return span.text
    counted = _OF_TEXT.match(text[span.end : span.end + 20]) if "long" in shape.text.casefold() else None
    return whole_quantity(text, span.start, span.text) + (counted.group() if counted else "")


def _suiting(text: str, shape: QuestionShape) -> list[tuple[Span, float]]:
    """Spans with how well each suits the kind asked for; of a sentence that gives a reason that reason alone."""
    if shape.kind == "reason" and (given := reasons(text)):
        return [(Span(match["said"], "phrase", match.start("said"), match.end("said")), 1.0) for match in given]
    if shape.kind == "date" and _ASKS_OCCASION.search(shape.text):
        occasions = [
            Span(match["said"], "phrase", match.start("said"), match.end("said")) for match in conditions(text)
        ]
        return [
            *((span, fit(shape.kind, span.kind)) for span in spans(text)),
            *((span, OCCASION) for span in occasions),
        ]
    if shape.kind == "number" and _ASKS_OFTEN.search(shape.text):
        often = [Span(match.group(), "number", *match.span()) for match in frequencies(text)]
        return [*((span, fit(shape.kind, span.kind)) for span in spans(text)), *((span, 1.0) for span in often)]
    less = REASONLESS if shape.kind == "reason" else 1.0
    found = spans(text, phrases=fit(shape.kind, "phrase") > 0)
    return [(span, less * fit(shape.kind, span.kind, span.text)) for span in found]


def measurable(span: Span, asked: frozenset[Dimension | None], following: str = "") -> bool:
    """Whether a span has a dimension asked for; a span without digits or number words cannot.

    "Three times as much" is a ratio, and not how often something was done.
    """
    if not asked:
        return True
    if span.kind == "number" and asked >= _ASKS_LENGTH and _OF_TEXT.match(following):
        return True
    ratio = dimension(span.text) == "times" and _RATIO.match(following) is not None
    return span.kind == "number" and measures(span.text, asked) and not ratio
