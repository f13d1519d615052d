"""Start Ray over machines: a head without work, and workers on others."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path

from network import REPOSITORY, Machine

PORT = "6379"
_START = [
    sys.executable,
    "-m",
    "ray.scripts.scripts",
    "start",
    "--disable-usage-stats",
    "--object-store-memory=100000000",
]


def variables(head: Machine) -> dict[str, str]:
    """Return the environment variables of each command: a token, and the address of the head."""
    return {
        "PYTHONPATH": str(REPOSITORY / ".venv-ray"),
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_ADDRESS": f"{head.address}:{PORT}",
    }


def start_ray(head: Machine, workers: list[Machine], own: dict[str, str]) -> None:
    """Start the head, then each worker with two processors."""
    without = {name: value for name, value in own.items() if name != "RAY_ADDRESS"}
    first = ["--head", f"--port={PORT}", "--num-cpus=0", "--include-dashboard=false"]
    head.run(*_START, *first, f"--node-ip-address={head.address}", **without)
    for one in workers:
        one.run(
            *_START, f"--address={head.address}:{PORT}", "--num-cpus=2", f"--node-ip-address={one.address}", **without
        )


def wait_for_vectors(place: Path, least: int) -> float:
    """Wait until a home has so many bytes of vectors; return the seconds."""
    began = time.monotonic()
    while sum(file.stat().st_size for file in place.rglob("vectors/**/*") if file.is_file()) < least:
        time.sleep(0.1)
    return time.monotonic() - began
