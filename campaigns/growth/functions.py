"""Find every rule, function and parser that reads a text in their packages; new ones need no entry."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import inspect
import pkgutil
import tempfile
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

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
from campaigns.growth.exponents import Call
from campaigns.growth.filled_inputs import Filler
from campaigns.growth.shapes import written
from campaigns.growth.targets import Target

_TEXTS = (str, Sequence[str], list[str], tuple[str, ...])
_BESIDE = (int, float, bool, str | None)


def _piece(text: str) -> Piece:
    return pieces([EvidenceText(id="c0", modality="text", title=text, sentences=[text], score=1.0)])[0]


SPECIAL: dict[Any, Callable[[str], object]] = {QuestionShape: analyse, Piece: _piece}


def targets(shape: str) -> Iterator[Target]:
    """Yield all targets on texts of one shape."""
    text = written(shape)
    found = _functions()  # imports every module, so that ``_caches`` finds all caches
    for name, rule in sorted(RULES.items()):
        yield Target(f"rule {name} on {shape}", functools.partial(_calling, rule, text))
    for name, function in sorted(found.items()):
        refusals = (BacktrailError, ValueError) if name.startswith("ingest.") else ()
        yield Target(f"{name} on {shape}", functools.partial(_calling, function, text, refusals=refusals))
    for kind in KINDS:
        ending = kind.extensions[0]
        yield Target(f"parser {ending} on {shape}", functools.partial(_parsing, ending, text))


def _public(package: types.ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{found.name.removeprefix('backtrail.')}.{name}", function


def _reads_plain_text(function: Callable[..., object]) -> bool:
    try:
        hints = typing.get_type_hints(function)
    except NameError:  # the name of a library that is imported only for type checking
        return False
    hints.pop("return", None)
    return any(hint in _TEXTS for hint in hints.values()) and all(
        hint in _TEXTS or hint in _BESIDE or hint in SPECIAL for hint in hints.values()
    )


@functools.cache
def _functions() -> dict[str, Callable[..., object]]:
    """Return the functions of plain text. Other input of ingestion (files, markup) is measured through ``parse``."""
    return {
        name: function
        for package in (backtrail.language, backtrail.rules, backtrail.ingest)
        for name, function in _public(package)
        if _reads_plain_text(function) and not inspect.iscoroutinefunction(function)
    }


@functools.cache
def _caches() -> list[Any]:
    """Return the caches of the package, except that of stems of single words."""
    return [
        one
        for one in gc.get_objects()
        if isinstance(one, functools._lru_cache_wrapper)  # pyright: ignore[reportPrivateUsage]
        and one.__module__.startswith("backtrail.")
        and one.__name__ != "_stem"
    ]


def _clear_caches() -> None:
    for cache in _caches():
        cache.cache_clear()


def _calling(
    function: Callable[..., object],
    text: Callable[[int], str],
    length: int,
    refusals: tuple[type[Exception], ...] = (),
) -> Call:
    arguments = Filler(text(length), SPECIAL).arguments(function)

    def call() -> None:
        _clear_caches()
        with contextlib.suppress(*refusals):
            result = function(*arguments.args, **arguments.kwargs)
            if inspect.isgenerator(result):
                list(result)

    return call


def _parsing(ending: str, text: Callable[[int], str], length: int) -> Call:
    folder = tempfile.TemporaryDirectory()
    (Path(folder.name) / f"page{ending}").write_text(text(length), encoding="utf-8")

    def call() -> None:
        _clear_caches()
        with contextlib.suppress(BacktrailError):
            for source in discover([Path(folder.name)]).sources:
                list(parse(source))

    return call
