"""Update graphs and hosting: ``python -m backtrail.server.langgraph_json langgraph.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from backtrail.graphs.serving.hosts import langgraph_config


def served(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration with the graphs and hosting of Backtrail; what only an image needs stays as it is."""
    return {**config, **langgraph_config()}


def write(file: Path) -> None:
    """Update the graphs and hosting of a configuration file."""
    config = served(json.loads(file.read_text(encoding="utf-8")))
    file.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
