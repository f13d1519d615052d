"""The tables of these records."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, MetaData, String, Table

TABLES = MetaData()

RUNS = Table(
    "backtrail_spending", TABLES,
    Column("run", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("day", String, nullable=False),
    Column("admitted", Float, nullable=False),
    Column("began", Float),
    Column("seen", Float),
    Column("ended", Float),
    Column("calls", Integer, nullable=False, default=0),
    Column("tokens", Integer, nullable=False, default=0),
    Column("usd", Float, nullable=False, default=0.0),
    Index("backtrail_spending_of_a_day", "owner", "day"),
)  # fmt: skip
"""Times are seconds since 1970; ``day`` is that of the admission."""

CORPORA = Table(
    "backtrail_corpora", TABLES,
    Column("corpus", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("since", Float, nullable=False),
)  # fmt: skip

INGESTS = Table(
    "backtrail_ingests", TABLES,
    Column("corpus", String, primary_key=True),
    Column("state", String, nullable=False),
    Column("stage", String, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer),
    Column("said", String, nullable=False),
    Column("seen", Float, nullable=False),
)  # fmt: skip

PACES = Table(
    "backtrail_paces", TABLES,
    Column("name", String, primary_key=True),
    Column("left", Float, nullable=False),
    Column("since", Float, nullable=False),
)  # fmt: skip
"""Requests that each holder may still make at once, as of ``since``."""

SUBJECTS = Table(
    "backtrail_subjects", TABLES,
    Column("name", String, primary_key=True),
    Column("groups", String, nullable=False),
    Column("seen", Float, nullable=False),
)  # fmt: skip
