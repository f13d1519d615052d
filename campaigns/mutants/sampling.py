"""Draw mutants: lines of code with one operator or number changed by cosmic-ray."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

from campaigns.mutants.covering import ROOMS, Covering

COUNT = 200
SEED = 20261124

# changes that keep types: others mostly raise TypeError, which any test finds
_OPERATORS = (
    *("Replace" + name for name in ("AndWithOr", "OrWithAnd", "TrueWithFalse", "FalseWithTrue")),
    *("Replace" + name for name in ("BreakWithContinue", "ContinueWithBreak", "UnaryOperator_Delete_Not")),
    *("AddNot", "ExceptionReplacer", "NumberReplacer", "ZeroIterationForLoop", "ReplaceUnaryOperator_Delete_USub"),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul")),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Mod_Mul", "BitOr_BitAnd", "BitAnd_BitOr", "Pow_Mul")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Lt_GtE", "GtE_Lt", "Gt_LtE", "LtE_Gt", "Is_IsNot", "IsNot_Is")),
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Mutant(NamedTuple):
    """A changed line; ``before`` and ``after`` are its text without the indentation."""

    file: str
    line: int
    operator: str
    before: str
    after: str

    def applied(self, source: str) -> tuple[int, str] | None:
        """Return the current number of the line and the changed source, or None if the line is gone."""
        lines = source.splitlines(keepends=True)
        found = [number for number, text in enumerate(lines, start=1) if text.strip() == self.before]
        if not found:
            return None
        line = min(found, key=lambda number: abs(number - self.line))
        lines[line - 1] = lines[line - 1].replace(self.before, self.after)
        return line, "".join(lines)


def statements(source: str) -> dict[int, range]:
    """Return the lines within functions, each with the lines of its statement or of the head of its block."""
    found: dict[int, range] = {}
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, _FUNCTIONS)):
        for node in (node for child in function.body for node in ast.walk(child)):
            if isinstance(node, ast.stmt | ast.ExceptHandler):
                body = getattr(node, "body", None)
                end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
                found.update(dict.fromkeys(range(node.lineno, end + 1), range(node.lineno, end + 1)))
    return found


def drawn(covering: Covering) -> list[Mutant]:
    """Draw the sample: lines in proportion to the size of each room, and one mutant per line."""
    chance = random.Random(SEED)
    rooms = {room: sorted(Path(room).rglob("*.py")) for room in ROOMS}
    lengths = {room: sum(len(file.read_text().splitlines()) for file in files) for room, files in rooms.items()}
    sample: list[Mutant] = []
    for room, files in rooms.items():
        changes: dict[tuple[Path, int], list[tuple[str, int]]] = defaultdict(list)
        for file in files:
            for line, change in _changes(file, covering):
                changes[file, line].append(change)
        lines = chance.sample(sorted(changes), len(changes))
        made = (_mutant(file, line, *chance.choice(changes[file, line])) for file, line in lines)
        count = round(COUNT * lengths[room] / sum(lengths.values()))
        sample += sorted(islice((mutant for mutant in made if mutant), count))
    return sample


def _changes(file: Path, covering: Covering) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield lines of functions that a test runs, each with an operator of cosmic-ray and the index of its change."""
    source = file.read_text()
    places, typed, nodes = statements(source), _annotations(source), list(ast_nodes(get_ast(source)))
    for name in _OPERATORS:
        operator = get_operator(f"core/{name}")()
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, column) in enumerate(starts):
            run = line in places and covering.tests(str(file), places[line])
            if run and not _within(line, column, typed):
                yield line, (name, occurrence)


def _mutant(file: Path, line: int, name: str, occurrence: int) -> Mutant | None:
    """Return the mutant, or None if it changes other lines too or cannot be compiled."""
    source = file.read_text()
    lines = source.splitlines()
    changed = (mutate_code(source, get_operator(f"core/{name}")(), occurrence) or "").splitlines()
    before, after = lines[line - 1], "".join(changed[line - 1 : line])
    if after == before or changed != [*lines[: line - 1], after, *lines[line:]]:
        return None
    try:
        ast.parse("\n".join(changed))
    except SyntaxError:
        return None
    return Mutant(str(file), line, name, before.strip(), after.strip())


def _annotations(source: str) -> list[ast.expr]:
    nodes = list(ast.walk(ast.parse(source)))
    found = [getattr(node, name, None) for node in nodes for name in ("annotation", "returns")]
    return [one for one in found if isinstance(one, ast.expr)]


def _within(line: int, column: int, nodes: list[ast.expr]) -> bool:
    ends = [(node, node.end_lineno or node.lineno, node.end_col_offset or 0) for node in nodes]
    return any((node.lineno, node.col_offset) <= (line, column) < (last, end) for node, last, end in ends)
