"""Nothing that reads a text takes more than its share: every rule, every function of language, every parser.

The functions are found in their packages, so that a new one is measured without being named here.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fixtures.filled_inputs import Filler, Unfillable
from fixtures.growth import FACTOR, MOST, growth_between
from fixtures.shapes_of_text import SHAPES, written

import backtrail.ingest
import backtrail.language
import backtrail.rules
from backtrail.ingest.discover import discover
from backtrail.ingest.kinds import KINDS
from backtrail.ingest.parse import parse
from backtrail.language.questions import QuestionShape, analyse
from backtrail.rules.reader.support import Piece, pieces
from backtrail.rules.table import RULES
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.errors import BacktrailError

LENGTHS = (600, 1_000, 850)
"""Characters of the shorter text; the longer one has eight times as many. One pair that grows as it may is enough:
where a text ends decides which way some rules take, and a short way beside a long one looks like growth."""
_TEXTS = (str, Sequence[str], list[str], tuple[str, ...])
_BESIDE = (int, float, bool, str | None)


def _piece(text: str) -> Piece:
    return pieces([EvidenceText(id="c0", modality="text", title=text, sentences=[text], score=1.0)])[0]


SPECIAL: dict[Any, Callable[[str], object]] = {QuestionShape: analyse, Piece: _piece}


def _public(package: types.ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{found.name.removeprefix('backtrail.')}.{name}", function


def _reads_plain_text(function: Callable[..., object]) -> bool:
    hints = typing.get_type_hints(function)
    hints.pop("return", None)
    return any(hint in _TEXTS for hint in hints.values()) and all(
        hint in _TEXTS or hint in _BESIDE or hint in SPECIAL for hint in hints.values()
    )


# What ingestion reads otherwise (files, markup that lxml has parsed, pages of a PDF) is measured through ``parse``.
FUNCTIONS = dict(
    found
    for package in (backtrail.language, backtrail.rules, backtrail.ingest)
    for found in _public(package)
    if _reads_plain_text(found[1]) and not inspect.iscoroutinefunction(found[1])
)


def _forget() -> None:
    """Empty every memory of ours, so that no call is answered by an earlier one; stems of single words stay."""
    for memory in _MEMORIES:
        memory.cache_clear()


_MEMORIES: list[Any] = [
    one
    for one in gc.get_objects()
    if isinstance(one, functools._lru_cache_wrapper)  # pyright: ignore[reportPrivateUsage]
    and one.__module__.startswith("backtrail.")
    and one.__name__ != "_stem"
]


def _excess(call: Callable[[str], Callable[[], object]]) -> dict[str, float]:
    """The shapes of text whose reading grows too fast, with the ratio of the times."""
    found: dict[str, float] = {}
    for shape in SHAPES:
        texts = written(shape)
        ratios: list[float] = []
        for characters in LENGTHS:
            ratios.append(growth_between(call(texts(characters)), call(texts(characters * FACTOR))))
            if ratios[-1] < MOST:
                break
        if min(ratios) >= MOST:
            found[shape] = round(min(ratios), 1)
    return found


def _calling(
    function: Callable[..., object], text: str, refusals: tuple[type[Exception], ...] = ()
) -> Callable[[], object]:
    arguments = Filler(text, SPECIAL).arguments(function)

    def call() -> None:
        _forget()
        with contextlib.suppress(*refusals):
            result = function(*arguments.args, **arguments.kwargs)
            if inspect.isgenerator(result):
                list(result)

    return call


@pytest.mark.parametrize("name", sorted(RULES))
def test_rules_take_time_in_proportion_to_their_texts(name: str) -> None:
    assert _excess(functools.partial(_calling, RULES[name])) == {}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_take_time_in_proportion_to_their_texts(name: str) -> None:
    refusals = (BacktrailError, ValueError) if name.startswith("ingest.") else ()
    assert _excess(functools.partial(_calling, FUNCTIONS[name], refusals=refusals)) == {}


def test_every_rule_can_be_measured() -> None:
    for rule in RULES.values():
        try:
            Filler("a", SPECIAL).arguments(rule)
        except Unfillable as problem:
            pytest.fail(f"{rule}: {problem}; teach tests/fixtures/filled_inputs.py or SPECIAL to make it.")


@pytest.mark.parametrize("ending", [kind.extensions[0] for kind in KINDS])
def test_parsers_take_time_in_proportion_to_their_files(ending: str, tmp_path: Path) -> None:
    def parsing(text: str) -> Callable[[], object]:
        folder = tmp_path / f"{abs(hash(text))}"
        folder.mkdir(exist_ok=True)
        (folder / f"page{ending}").write_text(text, encoding="utf-8")

        def call() -> None:
            _forget()
            with contextlib.suppress(BacktrailError):
                for source in discover([folder]).sources:
                    list(parse(source))

        return call

    assert _excess(parsing) == {}
