"""Sureness: how sure a looked-up cell is, by what tells its row, what tells its column, and how much is told at all.

Each part is about the share of such look-ups that are right where only that part is in doubt; their product is the
support of the look-up. The parts are ours; a calibration weighs the support by what was right.
"""

from __future__ import annotations

from backtrail.rules.reader.lookup.column_meant import Asked
from backtrail.rules.reader.lookup.pairs import Entry
from backtrail.rules.reader.lookup.reference import Setting
from backtrail.rules.reader.lookup.rows_meant import Meant
from backtrail.rules.reader.lookup.table_view import TableView

MOST = 0.95
# What a row is worth whose cell stands in the question as it is written, is said in full, or is the only one.
_VERBATIM, _WHOLE, _ONLY_ROW = 1.0, 0.9, 0.8
# A row so far before any other leaves no doubt; one that is hardly ahead leaves this much.
_FAR, _HARDLY = 0.5, 0.8
# A column whose name says what asks leaves no doubt; one that says something beside it leaves this much.
_NAMED, _BESIDE = 1.0, 0.85
# Where half of the question is told nowhere near.
_HALF_TOLD = 0.75
# How near a described setting is at least, and how near it is where nothing is left to doubt; likewise its lead.
_NEARNESS, _LEAD = (0.45, 0.7), (0.04, 0.12)
_NEAR_WORTH = 0.6


def of_line(table: TableView, meant: Meant, asked: Asked, share: float) -> dict[str, float]:
    """Of a cell by its row and its column; ``share``: of the question, what is told where it stands."""
    lead = min(1.0, meant.lead) if len(table.lines) > 1 else 0.0
    if len(table.lines) == 1:
        row = _ONLY_ROW
    else:
        row = (_VERBATIM if meant.is_verbatim else _WHOLE) * (_HARDLY + (1.0 - _HARDLY) * min(1.0, lead / _FAR))
    column = (_NAMED if asked.score >= 1.0 else _BESIDE) if asked.sure == 1.0 else asked.sure
    return _signals(row * column, share, {"row_lead": lead, "header": min(1.0, asked.score)}, table, meant.line.row)


def of_entry(table: TableView, entry: Entry, share: float) -> dict[str, float]:
    """Of the entry of a label."""
    named = min(1.0, entry.score)
    return _signals(_NAMED if named == 1.0 else _BESIDE, share, {"header": named}, table, entry.line.row)


def of_setting(setting: Setting, share: float) -> dict[str, float]:
    """Of a setting that the question describes in words of its own."""
    near = _between(setting.near, *_NEARNESS)
    ahead = _between(setting.table.nearest[2], *_LEAD)
    worth = _NEAR_WORTH + (1.0 - _NEAR_WORTH) * (near + ahead) / 2
    return _signals(worth, share, {"row_lead": ahead}, setting.table, setting.row)


def _signals(worth: float, share: float, known: dict[str, float], table: TableView, row: int) -> dict[str, float]:
    """The support, how much of the question is told, and how near the row is, beside what is known."""
    near = table.item.nearness
    told = min(1.0, _HALF_TOLD + (1.0 - _HALF_TOLD) * (share - 0.5) * 2)
    measured = {"nearness": max(0.0, near[row])} if row < len(near) else {}
    return {**known, **measured, "chain": share, "support": max(0.0, MOST * worth * told)}


def _between(value: float, least: float, most: float) -> float:
    return max(0.0, min(1.0, (value - least) / (most - least)))
