"""Short load test by ``benchmarks/hosted_load``: servers and Postgres are killed while users ask."""

from __future__ import annotations

import shutil

import pytest
from fixtures.aegra_server import python_with_aegra
from fixtures.postgres import binaries
from hosted_load.__main__ import Load, run  # pyright: ignore[reportMissingImports] - of the benchmarks

pytestmark = [
    pytest.mark.long,
    pytest.mark.server,
    pytest.mark.skipif(not python_with_aegra(), reason="aegra is not installed; `make install` brings it"),
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="Redis is not installed; `make install` brings it"),
    pytest.mark.skipif(binaries() is None, reason="PostgreSQL is not installed; `make install` brings it"),
]
SHORT = Load(users=6, servers=2, lasts=14.0, every=2.5, beside=6.0, latency=0.05, pause=1.5, alone=2)
MOST_MIB = 1536
"""Maximum additional memory of a process for the largest questions: docs/policy.md."""


def test_nothing_is_lost_or_paid_twice_and_memory_stays_bounded() -> None:
    found = run(SHORT)
    assert {"server", "postgres"} <= found["kills"].keys()
    assert found["questions"] >= SHORT.users
    assert found["lost"] == []
    assert found["wrong"] == []
    assert found["made_twice"] == []
    assert found["paid_twice"] == []
    assert found["unknown_to_the_model"] == []
    assert set(found["largest_sent"]) <= {200, 422, 503}, "answered, or refused in a sentence"
    assert found["memory_mib"]["beside"] - found["memory_mib"]["loaded"] <= MOST_MIB
