"""Write docs/cli.md from the commands' own help: ``python -m backtrail.cli.reference docs/cli.md``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel

from backtrail.cli.app import app
from backtrail.state.settings import Settings
from backtrail.tools.settings.file import variable
from backtrail.tools.settings.keys import known_keys

WIDTH = 100
HEAD = """# The command line

Written by `python -m backtrail.cli.reference docs/cli.md` from the commands' `--help`. Do not edit.
"""


def reference() -> str:
    """Return the page with the help of every command, in order."""
    sections = [
        f"## {path}\n\n```text\n{text}\n```\n" for path, text in _helps(typer.main.get_command(app), "backtrail")
    ]
    return "\n".join([HEAD, *sections, _settings()])


def _settings(model: type[BaseModel] = Settings) -> str:
    lines = ["## Settings", "", "| `--set`, settings.toml | environment | default | |", "|---|---|---|---|"]
    for key in known_keys():
        *tables, name = key.split(".")
        part: Any = model
        for table in tables:
            part = part.model_fields[table].annotation
        field = part.model_fields[name]
        default = "none" if field.default is None else field.default
        lines.append(f"| `{key}` | `{variable(key)}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


def _helps(command: Any, path: str, parent: Any = None) -> Iterator[tuple[str, str]]:
    command.rich_markup_mode = None  # plain text does not depend on the terminal
    context = command.make_context(path.rpartition(" ")[2], [], parent=parent, resilient_parsing=True)
    context.terminal_width = context.max_content_width = WIDTH
    lines = command.get_help(context).splitlines()
    yield path, "\n".join(line.rstrip() for line in lines)
    for name, subcommand in getattr(command, "commands", {}).items():
        yield from _helps(subcommand, f"{path} {name}", context)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
