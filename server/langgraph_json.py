"""Update the graphs: ``python -m backtrail.server.langgraph_json langgraph.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from backtrail.graphs.serving.hosts import graphs


def served(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration with its graphs replaced by the served ones."""
    return {**config, "graphs": graphs()}


def write(file: Path) -> None:
    """Update the graphs of a configuration file."""
    config = served(json.loads(file.read_text(encoding="utf-8")))
    file.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
