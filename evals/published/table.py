"""Published table: rows (method and settings), columns (benchmark and metric), figures as printed.

One TOML file per table, ``<paper>-<number>.toml``. A row without a method says why it cannot be run (``absent``), and
so does a benchmark that is not public (``private``). Figures are strings, to keep them as printed; an empty one was
not published.
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
    """Benchmark of a column. ``task`` is the name of our task for it, by default the same."""

    model_config = _STRICT

    name: str = Field(description="Name in the paper.")
    questions: int = Field(default=0, ge=0, description="Number of questions in the paper; 0 where it is not given.")
    corpus: str = Field(default="", description="Searched corpus, in a few words.")
    task: str = ""
    private: str = Field(default="", description="Why others cannot run it.")
    where: dict[str, str] = Field(default_factory=dict, description="Tags that select its questions from the task.")


class Column(BaseModel):
    """A metric on a benchmark, or (``mean``) the mean of a row's columns of that metric.

    ``factor`` converts our score to the printed unit; by default 100 for shares. ``differs`` says why no difference can
    be computed.
    """

    model_config = _STRICT

    name: str = Field(description="Header as printed; empty for a metric that the paper does not give.")
    metric: str = Field(description="Name of the scorer.")
    benchmark: str = ""
    where: dict[str, str] = Field(default_factory=dict, description="Tags that select its questions.")
    factor: float | None = None
    mean: bool = False
    differs: str = ""


class Row(BaseModel):
    """A row of the table, with a figure for each column."""

    model_config = _STRICT

    name: str
    figures: tuple[str, ...]
    method: str = ""
    absent: str = Field(default="", description="Why it cannot be run here.")
    settings: dict[str, Any] = Field(default_factory=dict)
    models: dict[str, str] = Field(default_factory=dict, description="Models by role, in addition to the table's.")
    knowledge: bool = Field(default=False, description="Whether it reads a knowledge graph of the corpus.")
    pages: bool = Field(default=False, description="Whether it searches pictures of pages; without them it is not run.")
    pictures_in_words: bool = Field(
        default=False, description="Whether it reads descriptions of the corpus's pictures (T_v of HM-RAG)."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.method) == bool(self.absent):
            raise ValueError(f"row {self.name!r} needs either 'method' or 'absent', the reason why it cannot be run")
        return self


class Table(BaseModel):
    """A table of a paper."""

    model_config = _STRICT

    paper: str = Field(description="Name of the paper's method.")
    number: str
    title: str
    section: str = Field(description="Position in the paper.")
    reference: str = Field(description="Row that the others are compared with.")
    columns: tuple[Column, ...] = Field(min_length=1)
    rows: tuple[Row, ...] = Field(min_length=1)
    benchmarks: dict[str, Benchmark]
    notes: tuple[str, ...] = ()
    models: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    judgings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Paper and number, joined."""
        return f"{self.paper}-{self.number}"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.reference not in {row.name for row in self.rows}:
            raise ValueError(f"no row is called {self.reference!r}")
        for row in self.rows:
            if len(row.figures) != len(self.columns):
                raise ValueError(f"row {row.name!r} has {len(row.figures)} figures for {len(self.columns)} columns")
            for figure in row.figures:
                number_of(figure)
        if unknown := {column.benchmark for column in self.columns if not column.mean} - set(self.benchmarks):
            raise ValueError(f"no benchmark is called {min(unknown)!r}")
        return self

    def place_of(self, row: Row, column: Column) -> str:
        """Return the position of a figure: paper, table, row and column."""
        benchmark = self.benchmarks[column.benchmark].name if column.benchmark else ""
        return f"{self.paper}, {self.section}: {row.name}, {f'{benchmark} {column.name}'.strip()}"


def number_of(figure: str) -> float | None:
    """Return a figure as a number; None for an empty one.

    Raises:
        ValueError: it is not a number.
    """
    return float(figure.replace(",", "")) if figure else None


def read_table(file: Path) -> Table:
    """Read the table in a file.

    Raises:
        TableError: it cannot be read; says why.
    """
    try:
        return table_of(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValueError) as error:
        raise TableError(file, str(error)) from error


def table_of(values: Mapping[str, Any]) -> Table:
    """Return the table of these values.

    Raises:
        ValueError: they are invalid; describes the first error.
    """
    try:
        return Table.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where + ': ' if where else ''}{first['msg'].removeprefix('Value error, ')}") from error
