"""The tables of these records. Times are seconds since 1970."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Float, Index, Integer, MetaData, String, Table

TABLES = MetaData()


def _key(name: str) -> Column[Any]:
    return Column(name, String, primary_key=True)


def _required(kind: type[Any], *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False) for name in names]


def _counted(kind: type[Any], *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False, default=0) for name in names]


RUNS = Table(
    "backtrail_spending",
    TABLES,
    _key("run"),
    *_required(String, "owner", "day"),
    *_required(Float, "admitted"),
    *(Column(name, Float) for name in ("began", "seen", "ended")),
    *_counted(Integer, "calls", "tokens"),
    *_counted(Float, "usd"),
    Index("backtrail_spending_of_a_day", "owner", "day"),
)
"""``day`` is that of the admission."""

CORPORA = Table("backtrail_corpora", TABLES, _key("corpus"), *_required(String, "owner"), *_required(Float, "since"))

INGESTS = Table(
    "backtrail_ingests",
    TABLES,
    _key("corpus"),
    *_required(String, "state", "stage", "result"),
    *_required(Integer, "done"),
    Column("total", Integer),
    *_required(Float, "seen"),
)

FEEDBACK = Table(
    "backtrail_feedback",
    TABLES,
    _key("thread"),
    Column("turn", Integer, primary_key=True),
    *_required(String, "owner", "verdict", "comment", "expected"),
    *_required(Float, "since"),
)
"""``turn`` numbers the questions of a thread from 1."""

PACES = Table("backtrail_paces", TABLES, _key("name"), *_required(Float, "left", "since"))
"""Requests that each holder may still make at once, as of ``since``."""

SUBJECTS = Table("backtrail_subjects", TABLES, _key("name"), *_required(String, "groups"), *_required(Float, "seen"))
