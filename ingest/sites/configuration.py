"""Files of a site's configuration: read within bounds, and never executed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backtrail.ingest.html.source import decode
from backtrail.ingest.sites.bounded_yaml import load_yaml
from backtrail.tools.untrusted_values import ValueTooLarge, read_toml

LARGEST = 2 * 1024 * 1024
"""Bytes of a configuration, also with its aliases written out (ours)."""


@dataclass
class Configurations:
    """The configurations below an ingested folder; ``refused`` says by path which limit one of them exceeds."""

    root: Path
    refused: dict[Path, str] = field(default_factory=dict)

    def text(self, path: str) -> str:
        """The text of a file; empty if it cannot be read, is too large or lies outside the ingested folder."""
        try:
            real = (self.root / path).resolve()
            if not real.is_relative_to(self.root.resolve()) or not real.is_file():
                return ""
            if real.stat().st_size <= LARGEST:
                return decode(real.read_bytes()) or ""
        except (OSError, ValueError, RuntimeError):  # a loop of links is a RuntimeError
            return ""
        self._refuse(path, f"it is larger than {LARGEST // 2**20} MB")
        return ""

    def values(self, path: str) -> dict[str, Any]:
        """The entries of a TOML or YAML file; none if it cannot be read or exceeds a limit."""
        try:
            text = self.text(path)
            value = read_toml(text) if path.endswith(".toml") else load_yaml(text, LARGEST)
        except ValueTooLarge as error:
            self._refuse(path, str(error))
            return {}
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def _refuse(self, path: str, limit: str) -> None:
        self.refused[self.root / path] = f"this configuration is not read: {limit}"
