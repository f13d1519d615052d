"""Use the fixtures of ``tests/``."""

from __future__ import annotations

from conftest import own_home, postgres_url
from integration.conftest import _saved_checkpoints, checkpoints, offline_home, ray_here, ray_stopped, redis

__all__ = [
    "_saved_checkpoints", "checkpoints", "offline_home", "own_home", "postgres_url", "ray_here", "ray_stopped", "redis",
]  # fmt: skip
