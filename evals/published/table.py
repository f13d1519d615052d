"""A published table as a file: rows (method and settings), columns (benchmark and metric), figures as printed.

One TOML file a table, ``<paper>-<number>.toml``. A row without a method says why it cannot be run (``absent``); a
benchmark nobody else has says so too (``private``). Figures are strings, so that they stand here as they were printed;
an empty one was not published.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from backtrail.evals.errors import TableError

_STRICT = ConfigDict(frozen=True, extra="forbid")


class Benchmark(BaseModel):
    """What a column was measured on. ``task`` is the task that asks it, by default of the same name."""

    model_config = _STRICT

    said: str = Field(description="As the paper calls it.")
    questions: int = Field(default=0, ge=0, description="How many the paper asked; 0 where it does not say.")
    corpus: str = Field(default="", description="What was searched, in short.")
    task: str = ""
    private: str = Field(default="", description="Why nobody else can ask it.")
    where: dict[str, str] = Field(default_factory=dict, description="Tags that its questions have within the task.")


class Column(BaseModel):
    """A metric on a benchmark, or (``mean``) the mean of a row's columns of that metric.

    ``factor`` is what our measure is multiplied by to read as printed; by default 100 for shares. ``differs`` says why
    no difference can be told.
    """

    model_config = _STRICT

    said: str = Field(description="As printed; empty for a measure that the paper does not give.")
    metric: str = Field(description="Name of the scorer.")
    benchmark: str = ""
    where: dict[str, str] = Field(default_factory=dict, description="Tags of the questions it is over.")
    factor: float | None = None
    mean: bool = False
    differs: str = ""


class Row(BaseModel):
    """A line of the table, with a figure for each column."""

    model_config = _STRICT

    said: str
    figures: tuple[str, ...]
    method: str = ""
    absent: str = Field(default="", description="Why it cannot be run here.")
    settings: dict[str, Any] = Field(default_factory=dict)
    models: dict[str, str] = Field(default_factory=dict, description="What took which role, beside the table's own.")
    knowledge: bool = Field(default=False, description="Whether it reads a knowledge graph of the corpus.")

    pictures_in_words: bool = Field(
        default=False, description="Whether it reads what the corpus's pictures show in words (T_v of HM-RAG)."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.method) == bool(self.absent):
            raise ValueError(f"row {self.said!r} has either a method or a reason why it is absent")
        return self


class Table(BaseModel):
    """A table of a paper."""

    model_config = _STRICT

    paper: str = Field(description="Name of the paper's method.")
    number: str
    title: str
    place: str = Field(description="Where it stands.")
    reference: str = Field(description="The row that the others are compared with.")
    columns: tuple[Column, ...] = Field(min_length=1)
    rows: tuple[Row, ...] = Field(min_length=1)
    benchmarks: dict[str, Benchmark]
    notes: tuple[str, ...] = ()
    models: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    judgings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Paper and number in one word."""
        return f"{self.paper}-{self.number}"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.reference not in {row.said for row in self.rows}:
            raise ValueError(f"no row is called {self.reference!r}")
        for row in self.rows:
            if len(row.figures) != len(self.columns):
                raise ValueError(f"row {row.said!r} has {len(row.figures)} figures for {len(self.columns)} columns")
            for figure in row.figures:
                number_of(figure)
        if unknown := {column.benchmark for column in self.columns if not column.mean} - set(self.benchmarks):
            raise ValueError(f"no benchmark is called {min(unknown)!r}")
        return self

    def place_of(self, row: Row, column: Column) -> str:
        """Where a figure stands: paper, table, row and column."""
        benchmark = self.benchmarks[column.benchmark].said if column.benchmark else ""
        return f"{self.paper}, {self.place}: {row.said}, {f'{benchmark} {column.said}'.strip()}"


def number_of(figure: str) -> float | None:
    """A figure as a number; None for an empty one.

    Raises:
        ValueError: it is none.
    """
    return float(figure.replace(",", "")) if figure else None


def read_table(file: Path) -> Table:
    """The table in a file.

    Raises:
        TableError: it cannot be read; says what is wrong.
    """
    try:
        return table_of(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValueError) as error:
        raise TableError(file, str(error)) from error


def table_of(values: Mapping[str, Any]) -> Table:
    """The table of these values.

    Raises:
        ValueError: they do not make one; says the first thing that is wrong.
    """
    try:
        return Table.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where + ': ' if where else ''}{first['msg'].removeprefix('Value error, ')}") from error
