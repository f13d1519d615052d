"""Look up: the one cell that a question asks for by the row and the column it names, or nothing.

Where the row is in no doubt and one column is named like what is asked, the cell answers, even if people say the rest
in other words than the table. Everything else is left to the ranking of candidates. English only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from backtrail.rules.reader.lookup.column_likely import column_likely, crossed
from backtrail.rules.reader.lookup.column_meant import LEAST_NAMED, LEAST_NAMED_LEAD, MEANING, Asked, column_meant
from backtrail.rules.reader.lookup.marks import marked, marks
from backtrail.rules.reader.lookup.meanings import FAMILY, means
from backtrail.rules.reader.lookup.pairs import entry_meant
from backtrail.rules.reader.lookup.question import CODE, GENERIC, Question, question_of
from backtrail.rules.reader.lookup.reference import key_meant, setting_meant
from backtrail.rules.reader.lookup.rows_meant import LEAST_LEAD, Meant, line_meant
from backtrail.rules.reader.lookup.sureness import of_entry, of_line, of_setting
from backtrail.rules.reader.lookup.table_view import TableView
from backtrail.rules.reader.parts import asks_all, clauses_asked, names_one
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

# Of the plain words of a question what has to be said by the row, the column, or what stands over the table.
LEAST_TOLD = 0.5
# Where a code stands in a cell as it stands in the question, less.
LEAST_TOLD_OF_CODE = 0.3
# … a third of them where the row stands: a page says many words, and which row is meant it does not say.
LEAST_NEAR = 1 / 3
# Where the row is told by its meaning, less still.
LEAST_TOLD_OF_MEANING = 0.2
# Another table that says nearly as much of the question may be meant as well.
LEAST_TABLE_LEAD = 0.4
# Two tables that say one so long a number say it of one thing.
LEAST_DIGITS = 3
# Where the column is only likely no other row may come near.
LEAST_LEAD_OF_LIKELY = 0.35
# A cell that stands in the question letter by letter is meant more than one that only says its words ("users", "user").
VERBATIM = 0.5
# "Whose name is what?" asks for something that the row only leads to.
_OPENS = re.compile(r"(?:^|[,:;.–-]\s+)what(?:['’]s|\s+(?:did|does|do|is|was|are|were))\b", re.IGNORECASE)
# "… of the player who was born there": asks of a thing that is told by what is said of it.
_TOLD_BY = re.compile(r"(?<=\w\s)(?:that|who|whose|whom|which|where)\s", re.IGNORECASE)
_EACH = re.compile(r"\beach (?:one|of)\b|\bboth\b|\brespectively\b", re.IGNORECASE)
# "When a log was turned, …" tells, and asks nothing.
_TOLD_FIRST = re.compile(
    r"when\s+(?!is\b|are\b|was\b|were\b|do\b|does\b|did\b|will\b|can\b|has\b|have\b|had\b)", re.IGNORECASE
)
_PLURAL = re.compile(r"[^\Ws]s\b(?:\s*[(\[]|\W*$)")
_ASKS_FIRST = re.compile(
    r"(?:^|[,;:.?!–—-]\s+|\band\s+)(?:(?:in|on|at|by|for|from|to|with|of|under|until|since|so|but)\s+)?"
    r"(?:what|which|who|whose|whom|where|when|how)\b",
    re.IGNORECASE,
)
# The stem of "Chinese" tells China.
_OF_COUNTRY = re.compile(r"^\w{3,}(?:es|ish|ian|ean|can)$")
_YEAR = re.compile(r"#((?:19|20)\d\d)")


# Of a long table beside so many rows are looked at for a name.
MOST_ROWS_TOLD = 50
Pages = Mapping[str, Mapping[str, frozenset[str]]]


@dataclass(frozen=True)
class Told:
    """How many words of the question are told, and which share of those that have to be."""

    words: float
    share: float


@dataclass(frozen=True)
class Found:
    """A cell that was looked up.

    ``told``: how many words of the question are told where it stands; ``signals``: what tells how sure it is, in [0, 1]
    (``backtrail.rules.reader.lookup.sureness``).
    """

    text: str
    item: EvidenceText
    row: int
    column: int
    told: float
    signals: Mapping[str, float]

    @property
    def support(self) -> float:
        """How sure it is."""
        return self.signals["support"]


def look_up(inputs: AnswerInputs, text: str) -> list[Found]:
    """The cell asked for; of a question with several clauses one for each. Empty where any is in doubt."""
    tables = [TableView(item, _leading(item, inputs)) for item in inputs.evidence if item.rows]
    if not tables or _EACH.search(text):
        return []
    pages = _pages(inputs)
    asking = [clause for clause in clauses_asked(text) if not _TOLD_FIRST.match(clause)]
    clauses = asking if len(asking) > 1 else [""]
    found: list[Found] = []
    for clause in clauses:
        question = question_of(text, clause)
        if question.shape.kind in ("yes_no", "reason") or not _asks_first(question):
            return []
        if question.shape.kind == "choice" and not _is_in_cell(question, tables):
            return []
        one = _of_tables(tables, question, pages)
        if one is None or (asks_all(question.shape.text) and not _holds_several(one)):
            return []
        found.append(one)
    return found


def _leading(table: EvidenceText, inputs: AnswerInputs) -> dict[int, frozenset[str]]:
    """The terms of the pages at hand that rows of a table lead to."""
    led: dict[int, frozenset[str]] = {}
    for item in inputs.evidence:
        if item.parent == table.id != item.id and item.parent_row is not None:
            said = frozenset[str]().union(*map(marked, [item.title, *item.sentences]))
            led[item.parent_row] = led.get(item.parent_row, frozenset()) | said
    return led


def _asks_first(question: Question) -> bool:
    """Whether it asks of what it tells, in one step: not "the nation of … was freed from which nation?"."""
    text = question.shape.text
    twice = [mark.term for mark in marks(text)]
    asks = question.asks_meaning or _ASKS_FIRST.search(text) is not None
    return asks and all(twice.count(head) < 2 for head in question.head)


def _is_in_cell(question: Question, tables: list[TableView]) -> bool:
    """Whether the "or" of a question stands in the name of a row: "Treatment or Observation Room" is no choice."""
    text = question.shape.text.casefold()
    rows = (line for table in tables for line in table.lines)
    return any(" or " in cell and cell.casefold() in text for line in rows for cell in line.cells.values())


def _holds_several(found: Found) -> bool:
    """Whether a column is named in the plural, or the cell lists several: all that a question in the plural asks."""
    header = found.item.header
    name = header[found.column] if found.column < len(header) else ""
    return not names_one(found.text) or bool(_PLURAL.search(name))


def _pages(inputs: AnswerInputs) -> Pages:
    """The terms of what is at hand of each page, by component."""
    held: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for item in inputs.evidence:
        texts = [item.title, item.section, *item.sentences, *(" ".join(row) for row in item.rows[:MOST_ROWS_TOLD])]
        held[_page(item)][item.id] = frozenset[str]().union(*map(marked, texts))
    return held


def _page(item: EvidenceText) -> str:
    return item.page or item.id.partition("#")[0]


def _beside(item: EvidenceText, pages: Pages) -> frozenset[str]:
    """What the other components of its page say. What another row of the same table says speaks for that row."""
    return frozenset[str]().union(*(terms for key, terms in pages[_page(item)].items() if key != item.id))


def _of_tables(tables: list[TableView], question: Question, pages: Pages) -> Found | None:
    found = [one for table in tables if (one := _of_table(table, question, _beside(table.item, pages)))]
    found.sort(key=lambda one: -one.told)
    if not found:
        return _of_settings(tables, question, pages)
    others = [one.told for one in found[1:] if not _is_same(one.text, found[0].text)]
    return found[0] if not others or found[0].told - others[0] >= LEAST_TABLE_LEAD else None


def _is_same(one: str, other: str) -> bool:
    """Whether two cells say the same, however a long number of theirs is written: "$2,856" and "2856"."""
    terms, more = sorted((marked(one), marked(other)), key=len)
    long = any(len(term.strip("#0.")) >= LEAST_DIGITS for term in terms if term.startswith("#"))
    same = long and terms <= more and not any(term.startswith("#") for term in more - terms)
    return same or one.casefold() == other.casefold()


def _of_settings(tables: list[TableView], question: Question, pages: Pages) -> Found | None:
    """The default of the setting that the question describes, if all names of the question are told there."""
    # Nearness is that of the whole question: of one that asks several things it tells no row.
    setting = None if question.is_clause else (key_meant(tables, question) or setting_meant(tables, question))
    if setting is None:
        return None
    item = setting.table.item
    said = question.terms & marked(" ".join(item.rows[setting.row]))
    told = _told(setting.table, said, question, _beside(item, pages), LEAST_TOLD_OF_MEANING)
    if told is None:
        return None
    return Found(setting.text, item, setting.row, setting.column, told.words, of_setting(setting, told.share))


def _of_table(table: TableView, question: Question, page: frozenset[str]) -> Found | None:
    years = {match[1] for term in question.terms if (match := _YEAR.fullmatch(term))}
    if years and table.years and not years & table.years:
        return None
    if question.denied & (table.over | frozenset().union(*table.names)):
        return None
    return _of_line(table, question, page) or (_of_pair(table, question, page) if table.is_paired else None)


def _of_pair(table: TableView, question: Question, page: frozenset[str]) -> Found | None:
    entry = entry_meant(table, question)
    # All rows of such a list are about one thing.
    own = frozenset[str]().union(*map(marked, _cells(table)))
    told = _told(table, entry.said | (question.terms & own), question, page) if entry else None
    if entry is None or told is None or _is_of_other_year(entry.line.cells[entry.column], question):
        return None
    cell = entry.line.cells[entry.column]
    return Found(cell, table.item, entry.line.row, entry.column, told.words, of_entry(table, entry, told.share))


def _cells(table: TableView) -> list[str]:
    return [cell for line in table.lines[:MOST_ROWS_TOLD] for cell in line.cells.values()]


def _of_line(table: TableView, question: Question, page: frozenset[str]) -> Found | None:
    meant = line_meant(table, question)
    if meant is None or (len(table.lines) > 1 and (meant.lead < LEAST_LEAD or not meant.is_whole)):
        return None
    asked = _column(table, meant, question)
    if asked is None:
        return None
    if len(table.lines) == 1 and not _is_of_only(table, meant, asked, question):
        return None
    told = _told(table, meant.terms | asked.said, question, page)
    if told is None or _is_of_other_year(meant.line.cells[asked.column], question):
        return None
    words = told.words + VERBATIM * meant.is_verbatim
    cell = meant.line.cells[asked.column]
    return Found(cell, table.item, meant.line.row, asked.column, words, of_line(table, meant, asked, told.share))


def _is_of_only(table: TableView, meant: Meant, asked: Asked, question: Question) -> bool:
    """Whether the only row of a table is about what the question names: its page names that of other rows, too."""
    here = meant.terms | asked.said | table.over.union(*table.names)
    return all(_tells(here, term) for term in question.strict)


def _column(table: TableView, meant: Meant, question: Question) -> Asked | None:
    """The column that is asked for by its name, or else the one that is likely meant, where the row is in no doubt."""
    asked = column_meant(table, meant, question)
    is_named = asked is not None and asked.score >= LEAST_NAMED and asked.lead >= LEAST_NAMED_LEAD
    if asked and is_named and _is_asked(table, meant, asked, question):
        return asked
    least = LEAST_LEAD if meant.is_verbatim or is_named else LEAST_LEAD_OF_LIKELY
    if not meant.keys or meant.lead < least:
        return None
    near = meant.terms | table.over.union(*table.names)
    if _nests(question) or (question.plain - near) & table.leading.get(meant.line.row, frozenset()):
        return None  # what is asked may be of something that the row only leads to
    return crossed(table, asked) if asked and is_named else column_likely(table, meant, question)


def _nests(question: Question) -> bool:
    """Whether the thing is told by what is said of it: "… of the player who was born there", and not "In which …"."""
    opens = len(question.shape.fronted) + 1
    return any(match.start() > opens for match in _TOLD_BY.finditer(question.shape.text))


def _is_of_other_year(cell: str, question: Question) -> bool:
    """Whether a cell says of which year it is, and that is none of the question's: "221,000 (2023)" in 1995."""
    years = {term for term in question.terms if _YEAR.fullmatch(term)}
    own = {term for term in marked(cell) if _YEAR.fullmatch(term)}
    return question.shape.kind == "number" and bool(years and own) and not years & own


def _is_asked(table: TableView, meant: Meant, asked: Asked, question: Question) -> bool:
    """Whether the column is named by what asks, not by what tells the thing: "the driver was of what nationality"."""
    shape = question.shape
    if question.asks_meaning and MEANING & asked.said:
        return True
    wanted = question.head - meant.terms - GENERIC or question.asked - meant.terms - GENERIC
    if not wanted:
        if not meant.keys and shape.kind != "date":  # of the only row nothing is said
            return False
        if not question.asks_meaning and all(term.startswith("#") for term in asked.said):
            return False  # a year alone tells no column
        return (
            shape.kind in ("date", "year", "number") or question.asks_meaning or _OPENS.search(shape.text) is not None
        )
    # What all cells of a matrix are stands over it; so does what its numbers count.
    coded = bool(asked.said & question.strict - wanted)
    over = (shape.kind == "number" or coded) and all(_tells(table.over, term) for term in wanted)
    name = table.names[asked.column] if asked.column < len(table.names) else frozenset[str]()
    whole = bool(question.compound & asked.said) and all(any(means(term, one) for term in asked.said) for one in name)
    return over or whole or bool(wanted & asked.said)


def _told(
    table: TableView, said: frozenset[str], question: Question, page: frozenset[str], least: float = LEAST_TOLD
) -> Told | None:
    """How many words of the question are told, those of the page alone half; None for too few or a name untold."""
    over = table.over.union(*table.names)
    near = {term for term in question.terms if term in said or _tells(over, term)}
    # What else the page says has many numbers in it.
    far = {term for term in question.terms - near if not term.startswith("#") and _tells(page, term)}
    untold = question.strict - near - far
    if untold and (
        least != LEAST_TOLD_OF_MEANING or untold & question.numbers or 2 * len(untold) > len(question.strict)
    ):
        return None
    if question.asks_meaning and any(not marked(code) and CODE + code not in said for code in question.codes):
        return None  # a letter or a sign, which only a cell of its own can be
    told = question.plain | question.strict
    if any(term.startswith(CODE) for term in said):
        least = LEAST_TOLD_OF_CODE
    if len(told & (near | far)) < least * len(told) or len(told & near) < min(least, LEAST_NEAR) * len(told):
        return None
    share = (len(told & near) + len(told & far) / 2) / len(told) if told and not untold else 0.0
    return Told(len(near) + len(far) / 2, share)


def _tells(terms: frozenset[str], term: str) -> bool:
    beginning = term[:4] if _OF_COUNTRY.search(term) else None
    return term in terms or any(
        means(term, one) >= FAMILY or (beginning is not None and one.startswith(beginning)) for one in terms
    )
