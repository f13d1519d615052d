"""Errors are raised again where the work was asked for, which may be another process."""

from __future__ import annotations

import pickle

from backtrail.state.usage import charge
from backtrail.tools.corpus.errors import CorpusLocked
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.errors import BacktrailError


def test_errors_travel_as_they_are() -> None:
    errors: list[BacktrailError] = [
        DecisionFailed("answer", "gpt", "no JSON", charge()),
        CorpusLocked("zoo", 7, "2026-01-01T00:00:00+00:00", "host"),
        BacktrailError(),
    ]
    for error in errors:
        there = pickle.loads(pickle.dumps(error))
        assert (type(there), str(there), vars(there)) == (type(error), str(error), vars(error))
