"""Number of copies of a worker, and the Ray resources of each, from the environment.

BACKTRAIL_RAY_WORKERS is the number of copies of each kind (default: one per node or processor), BACKTRAIL_RAY_GPUS the
GPUs of a copy with a local model (0.5 for two copies per GPU; default: 1 if BACKTRAIL_LOCAL_DEVICE is one, else 0).
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
    """Resources of one copy.

    Args:
        cpus: processors. Workers of an ingest alternate and share one; a worker that runs alone needs a whole one.
        gpus: accelerators of the machine.
        each: default number of copies: one per node or per processor.
    """

    cpus: float = 0.25
    gpus: float = 0.0
    each: Literal["node", "processor"] = "node"

    def copies(self, ray: Any, engine: str, most: int | None = None) -> int:
        """Number of copies in a cluster, at most ``most``."""
        named = named_copies()
        if named is None:
            available = ray.cluster_resources()
            if self.gpus:
                named = math.floor(available.get("GPU", 0.0) / self.gpus)
            elif self.each == "processor":  # Ray is configured with two processors on a machine with one
                named = (os.cpu_count() or 1) if is_of_this_machine(engine) else math.floor(available.get("CPU", 0.0))
            else:
                named = sum(bool(node["Alive"]) for node in ray.nodes())
        return max(1, named if most is None else min(named, most))


def named_copies() -> int | None:
    """``$BACKTRAIL_RAY_WORKERS``.

    Raises:
        SettingsError: it is not a valid number of copies.
    """
    named = os.environ.get("BACKTRAIL_RAY_WORKERS")
    if not named:
        return None
    if not named.isdecimal() or not 1 <= int(named) <= _MOST:
        raise SettingsError(f"BACKTRAIL_RAY_WORKERS cannot be {named!r}. Use a number from 1 to {_MOST}.")
    return int(named)


def gpus_of_local_model() -> float:
    """GPUs of a copy with a local model.

    Raises:
        SettingsError: not a number, or a numbered device, because Ray assigns devices to copies.
    """
    device = os.environ.get("BACKTRAIL_LOCAL_DEVICE") or "auto"
    kind, _, number = device.partition(":")
    if number:
        raise SettingsError(
            f"BACKTRAIL_LOCAL_DEVICE={device!r} cannot be used with Ray, which gives each copy a device of "
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
