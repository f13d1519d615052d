"""What a method does as published is frozen: the default variant may change freely, this one only on purpose."""

import json
from itertools import zip_longest
from pathlib import Path

import pytest
from fixtures.golden_runs import FOLDER, RUNS, Trace, golden_trace

from backtrail.graphs.methods import METHODS

ANEW = "If that is meant, run `python tests/golden/freeze.py {}` and say why."


def test_every_method_is_frozen() -> None:
    assert {run.method for run in RUNS.values()} == set(METHODS)
    assert {file.stem for file in FOLDER.glob("*.json")} == set(RUNS)


@pytest.mark.parametrize("name", RUNS)
async def test_as_published_nothing_has_changed(name: str, tmp_path: Path) -> None:
    frozen = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    now = json.loads(json.dumps(await golden_trace(name, tmp_path)))
    assert now == frozen, f"{first_difference(frozen, now)} {ANEW.format(name)}"


def first_difference(frozen: Trace, now: Trace) -> str:
    """Where two traces part."""
    for number, (was, is_) in enumerate(zip_longest(frozen["steps"], now["steps"])):
        if was != is_:
            return f"Super-step {number} was {was} and is {is_}."
    parted = [key for key in frozen if frozen[key] != now.get(key)]
    return f"It parts in {', '.join(parted)}."
