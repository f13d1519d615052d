"""Number formats that a sheet gives to cells under conditions, where these are decided without working out formulas.

Decided are comparisons of the cell, of other cells of the sheet ($H$4) and of constants, and AND, OR and NOT of them.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from backtrail.ingest.sheets.sheet import CellRange, cell_range, parse_reference

MAX_RULES = 200
"""Rules of one sheet that are read; ours."""

MAX_RANGES = 500
"""Ranges of all rules of a sheet; with more of them none is read; ours."""

MAX_TOKENS = 200
"""Of one condition; a longer one is not decided; ours."""

MAX_STEPS = 20_000_000
"""Ranges and tokens looked at for all cells of a sheet, some five seconds; the rest keep their own format; ours."""

MAX_ROW = 10_000
"""The last row whose cells may decide on others; ours."""

Place = tuple[int, int]
Truth = bool | None
"""Whether a condition holds; None where it cannot be told."""

_TOKEN = re.compile(
    r"""\s*(?:"(?P<text>(?:[^"]|"")*)"|(?P<call>AND|OR|NOT)\(|(?P<place>\$?[A-Z]{1,3}\$?\d{1,7})(?![\w(!:.\[])
        |(?P<number>-?\d+(?:\.\d+)?(?:E[+-]?\d+)?)(?![\w%(])|(?P<compare><=|>=|<>|<|>|=)|(?P<mark>[(),;]))\s*""",
    re.X | re.I,
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_COMPARED = {
    "equal": "{0}={1}", "notEqual": "{0}<>{1}", "lessThan": "{0}<{1}", "lessThanOrEqual": "{0}<={1}",
    "greaterThan": "{0}>{1}", "greaterThanOrEqual": "{0}>={1}", "between": "AND({0}>={1},{0}<={2})",
    "notBetween": "OR({0}<{1},{0}>{2})",
}  # fmt: skip


_ITSELF = "\0"  # stands for the cell that a rule is about; no file can hold it


class _Undecided(Exception):
    """A condition says more than is read here."""


@dataclass(frozen=True)
class FormatRule:
    """One rule: where it is, how early it comes, its format ("" for none), and the tokens of its condition."""

    ranges: tuple[CellRange, ...]
    priority: int
    number_format: str
    stops: bool
    condition: tuple[tuple[str, str], ...] | None


def read_rules(element: Any, formats: Sequence[str]) -> list[FormatRule]:
    """The rules of one ``conditionalFormatting`` that change numbers.

    Args:
        element: as the sheet's part has it.
        formats: number formats of the workbook's differential styles in order, "" where a style has none.
    """
    ranges = tuple(place for one in (element.get("sqref") or "").split() if (place := cell_range(one)) is not None)
    found: list[FormatRule] = []
    for rule in islice(element.iterfind("{*}cfRule"), MAX_RULES):
        style, priority = rule.get("dxfId") or "", rule.get("priority") or ""
        shown = formats[int(style)] if style.isdecimal() and int(style) < len(formats) else ""
        stops = rule.get("stopIfTrue") in ("1", "true")
        if ranges and (shown or stops) and priority.isdecimal():
            found.append(FormatRule(ranges, int(priority), shown, stops, _condition(rule, ranges)))
    return found


class ConditionalFormats:
    """The formats of one sheet's rules, once the cells that they name are known.

    Args:
        rules: in any order.
    """

    def __init__(self, rules: Iterable[FormatRule]) -> None:
        self._rules = sorted(rules, key=lambda rule: rule.priority)[:MAX_RULES]
        if not any(rule.number_format for rule in self._rules) or sum(len(r.ranges) for r in self._rules) > MAX_RANGES:
            self._rules = []
        tokens = [token for rule in self._rules for token in rule.condition or ()]
        self.places = {place for kind, text in tokens if kind == "place" and (place := parse_reference(text))}
        self._known: dict[Place, Any] = {}
        self._steps = 0
        self._in_row: tuple[int, list[tuple[FormatRule, list[CellRange]]]] = (-1, [])

    def learn(self, rows: Iterable[Sequence[Any]], *, blank_is_known: bool) -> None:
        """Take the values of the cells that rules name.

        Args:
            rows: values from the first row on, as far as needed.
            blank_is_known: False where an empty cell may be a formula without a stored result.
        """
        columns: dict[int, list[int]] = defaultdict(list)
        for number, column in self.places:
            columns[number].append(column)
        for number, row in enumerate(rows):
            for column in columns.get(number, ()):
                value = row[column] if column < len(row) else None
                if value is not None or blank_is_known:
                    self._known[number, column] = value

    @property
    def gave_up(self) -> bool:
        """Whether the sheet had more to decide than may be."""
        return self._steps > MAX_STEPS

    def of(self, row: int, column: int, value: float) -> str:
        """The format of the first rule that holds for a cell; "" if none has one, or one cannot be decided."""
        for rule, ranges in self._rules_of(row) if self._rules and not self.gave_up else ():
            self._steps += len(ranges) + len(rule.condition or ())
            if self.gave_up:
                return ""
            if any(place.left <= column <= place.right for place in ranges):
                holds = self._holds(rule, value)
                if holds is None or (holds and (rule.number_format or rule.stops)):
                    return rule.number_format if holds else ""
        return ""

    def _rules_of(self, row: int) -> list[tuple[FormatRule, list[CellRange]]]:
        """The rules that reach into a row, with their ranges there; cells are asked for row by row."""
        if self._in_row[0] != row:
            self._steps += sum(len(rule.ranges) for rule in self._rules)
            reach = ((rule, [one for one in rule.ranges if one.top <= row <= one.bottom]) for rule in self._rules)
            self._in_row = (row, [(rule, ranges) for rule, ranges in reach if ranges])
        return self._in_row[1]

    def _holds(self, rule: FormatRule, value: float) -> Truth:
        if rule.condition is None:
            return None
        try:
            tokens = list(reversed(rule.condition))
            truth = self._truth(tokens, value)
            return None if tokens else truth
        except (_Undecided, IndexError):
            return None

    def _truth(self, tokens: list[tuple[str, str]], value: float) -> Truth:
        """Read one condition off the end of the tokens, which stand in reverse order."""
        kind, text = tokens[-1]
        if kind != "call":
            left, (sign, compared), right = self._operand(tokens, value), tokens.pop(), self._operand(tokens, value)
            if sign != "compare":
                raise _Undecided
            return _compare(left, compared, right)
        tokens.pop()
        parts = [self._truth(tokens, value)]
        while (mark := tokens.pop()) in (("mark", ","), ("mark", ";")):
            parts.append(self._truth(tokens, value))
        if mark != ("mark", ")") or None in parts:
            raise _Undecided
        if text.upper() == "NOT":
            return not parts[0]
        return all(parts) if text.upper() == "AND" else any(parts)

    def _operand(self, tokens: list[tuple[str, str]], value: float) -> Any:
        kind, text = tokens.pop()
        if kind == "itself":
            return value
        if kind == "number":
            return float(text)
        if kind == "text":
            return text.replace('""', '"')
        place = parse_reference(text) if kind == "place" else None
        if place is None or place not in self._known:
            raise _Undecided
        return self._known[place]


def _condition(rule: Any, ranges: tuple[CellRange, ...]) -> tuple[tuple[str, str], ...] | None:
    """The tokens of a rule's condition; None if it is of another kind, or cannot be decided."""
    formulas = [(formula.text or "").strip() for formula in rule.iterfind("{*}formula")]
    if rule.get("type") == "cellIs":
        pattern = _COMPARED.get(rule.get("operator") or "", "")
        if not pattern or len(formulas) < (3 if "{2}" in pattern else 2) - 1:
            return None
        text = pattern.format(_ITSELF, *formulas)
    elif rule.get("type") == "expression" and len(formulas) == 1:
        text = formulas[0].removeprefix("=")
    else:
        return None
    return _tokens(text, ranges)


def _tokens(text: str, ranges: tuple[CellRange, ...]) -> tuple[tuple[str, str], ...] | None:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        if text[at] == _ITSELF:
            found.append(("itself", ""))
            at += 1
            continue
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None or len(found) >= MAX_TOKENS:
            return None
        kind, at = match.lastgroup, match.end()
        if kind == "place":
            kind = _kind_of(match.group(kind), ranges)
            if not kind:
                return None
        found.append((kind, match.group(match.lastgroup)))
    return tuple(found)


def _kind_of(written: str, ranges: tuple[CellRange, ...]) -> str:
    """Whether a reference means the cell itself or a fixed one; "" for cells that move with the rule's."""
    place = parse_reference(written)
    if place is None or place[0] >= MAX_ROW:
        return ""
    if re.fullmatch(r"\$[A-Z]+\$\d+", written, re.I):
        return "place"
    first = ranges[0]
    column_moves, row_moves = not written.startswith("$"), "$" not in written[1:]
    is_itself = len(ranges) == 1 and place == (first.top, first.left)
    moves = (column_moves or first.left == first.right) and (row_moves or first.top == first.bottom)
    return "itself" if is_itself and moves else ""


def _compare(left: Any, sign: str, right: Any) -> Truth:
    """As spreadsheets compare: words without regard to case, an empty cell as 0 or as no text."""
    if left is None or right is None:
        blank: Any = "" if isinstance(left, str) or isinstance(right, str) else 0
        left, right = (blank if one is None else one for one in (left, right))
    if isinstance(left, str) and isinstance(right, str):
        return _COMPARE[sign](left.casefold(), right.casefold())
    if any(isinstance(one, bool) or not isinstance(one, int | float | str) for one in (left, right)):
        raise _Undecided
    if isinstance(left, str) or isinstance(right, str):
        if sign not in ("=", "<>"):
            raise _Undecided
        return sign == "<>"
    return _COMPARE[sign](left, right)
