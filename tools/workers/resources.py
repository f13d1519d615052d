"""How many copies of a worker there are, and what each asks Ray for, by the environment.

BACKTRAIL_RAY_WORKERS (copies of each kind; else one for each node, or each processor), BACKTRAIL_RAY_GPUS (of a copy
that holds a local model, 0.5 for two on one; else 1 where BACKTRAIL_LOCAL_DEVICE names one, else 0).
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any, Literal

from backtrail.tools.errors import SettingsError
from backtrail.tools.workers.cluster import is_of_this_machine

_MOST = 10_000
_DEVICES_OF_RAY = ("cuda", "xpu")


@dataclass(frozen=True)
class Resources:
    """What one copy asks for.

    Args:
        cpus: processors. Kinds of an ingest share one, as they take turns; a kind that works alone takes a whole one.
        gpus: of the machine's accelerators.
        each: what there is one copy for, where nobody names a number: a node, or a processor.
    """

    cpus: float = 0.25
    gpus: float = 0.0
    each: Literal["node", "processor"] = "node"

    def copies(self, ray: Any, engine: str, most: int | None = None) -> int:
        """How many copies a cluster gets; at most ``most``."""
        named = named_copies()
        if named is None:
            there = ray.cluster_resources()
            if self.gpus:
                named = math.floor(there.get("GPU", 0.0) / self.gpus)
            elif self.each == "processor":  # what a node of one processor is told is not what it has
                named = (os.cpu_count() or 1) if is_of_this_machine(engine) else math.floor(there.get("CPU", 0.0))
            else:
                named = sum(bool(node["Alive"]) for node in ray.nodes())
        return max(1, named if most is None else min(named, most))


def named_copies() -> int | None:
    """``$BACKTRAIL_RAY_WORKERS``.

    Raises:
        SettingsError: it is no number of copies.
    """
    named = os.environ.get("BACKTRAIL_RAY_WORKERS")
    if not named:
        return None
    if not named.isdecimal() or not 1 <= int(named) <= _MOST:
        raise SettingsError(f"BACKTRAIL_RAY_WORKERS cannot be {named!r}. Use a number from 1 to {_MOST}.")
    return int(named)


def gpus_of_local_model() -> float:
    """What a copy that holds a local model asks for.

    Raises:
        SettingsError: no number, or a device by its number: Ray gives each copy its own.
    """
    device = os.environ.get("BACKTRAIL_LOCAL_DEVICE") or "auto"
    kind, _, number = device.partition(":")
    if number:
        raise SettingsError(
            f"BACKTRAIL_LOCAL_DEVICE={device!r} cannot be with an engine of Ray, which gives each copy a device of "
            f"its own. Use {kind}."
        )
    named = os.environ.get("BACKTRAIL_RAY_GPUS")
    if not named:
        return float(kind in _DEVICES_OF_RAY)
    try:
        gpus = float(named)
    except ValueError:
        gpus = -1.0
    if not 0 <= gpus <= _MOST or (gpus > 1 and not gpus.is_integer()):
        raise SettingsError(
            f"BACKTRAIL_RAY_GPUS cannot be {named!r}. Use a whole number, or a part of one such as 0.5."
        )
    return gpus
