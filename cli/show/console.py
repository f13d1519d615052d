"""The two consoles: answers go to stdout, everything about how they came to be goes to stderr."""

from __future__ import annotations

from rich.console import Console

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

OUTCOMES = {"success": ("✓", "green"), "failure": ("✗", "red"), "refused": ("⊘", "yellow")}
"""Mark and colour of a hop's outcome."""
