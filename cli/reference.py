"""Write docs/cli.md from the commands' own help: ``python -m backtrail.cli.reference docs/cli.md``."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer
from pydantic import BaseModel

from backtrail.cli.app import app
from backtrail.state.settings import Settings
from backtrail.tools.settings.keys import known_keys

COMMON = 2
"""Options with the same help in this many commands are explained once (ours)."""
TYPE = re.compile(r" <(?:int|float|str|path|file|list)\b[^>|]*>")
NO_DEFAULT = re.compile(r" {1,2}\[default: \((?:none|all)\)\]")
HEAD = """# The command line

For users of the command line. Written by `python -m backtrail.cli.reference docs/cli.md` from each `--help`; do not
edit.

Shared options; every command also has `-h, --help`:
"""
SETTINGS = """## Settings

`--set KEY=VALUE`, or a line of `settings.toml`. The environment variable of `budget.usd` is `BACKTRAIL_BUDGET_USD`,
and so on. Defaults are in brackets.
"""


class _Parameter(NamedTuple):
    declared: str
    help: str


class _Section(NamedTuple):
    path: str
    about: str
    parameters: list[_Parameter]


def reference() -> str:
    """Return the page with the help of every command, in order."""
    sections = list(_sections(typer.main.get_command(app), "backtrail"))
    uses = Counter(one for section in sections for one in section.parameters)
    common = _common(uses)
    parts = [HEAD, *map(_line, common)]
    for path, about, parameters in sections:
        arguments = [one for one in parameters if not one.declared.startswith("-")]
        ordered = arguments if len(arguments) > 1 else []  # their order is part of the usage
        shared = [one for one in parameters if one in common and one not in ordered]
        parts += ["", f"## {path}", "", about, *[""] * bool(parameters)]
        parts += [_line(one) for one in parameters if one not in shared]
        parts += [f"- Also {', '.join(f'`{common[one]}`' for one in shared)}."] * bool(shared)
    return "\n".join([*parts, "", *_settings()]) + "\n"


def _common(uses: Counter[_Parameter]) -> dict[_Parameter, str]:
    """Return the parameters that are explained once, with their names; one for each name, the most frequent."""
    by_name: dict[str, _Parameter] = {}
    for one, count in uses.most_common():
        if count >= COMMON:
            by_name.setdefault(one.declared.split(", ")[-1].split()[0], one)
    return {one: name for name, one in by_name.items()}


def _line(parameter: _Parameter) -> str:
    return f"- `{parameter.declared}`: {parameter.help}"


def _settings() -> Iterator[str]:
    yield SETTINGS
    for key in known_keys():
        *tables, name = key.split(".")
        part: type[BaseModel] | Any = Settings
        for table in tables:
            part = part.model_fields[table].annotation
        field = part.model_fields[name]
        yield f"- `{key}` ({'none' if field.default is None else field.default}): {field.description}"


def _sections(command: Any, path: str, parent: Any = None) -> Iterator[_Section]:
    command.rich_markup_mode = None  # plain text does not depend on the terminal
    context = command.make_context(path.rpartition(" ")[2], [], parent=parent, resilient_parsing=True)
    records = [one.get_help_record(context) for one in command.params if "--help" not in one.opts]
    parameters = [_Parameter(TYPE.sub("", name), NO_DEFAULT.sub("", text)) for name, text in filter(None, records)]
    yield _Section(path, inspect.cleandoc(command.help or ""), parameters)
    for name, subcommand in getattr(command, "commands", {}).items():
        yield from _sections(subcommand, f"{path} {name}", context)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
