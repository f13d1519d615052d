"""Options that several commands share, and the settings they make together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from backtrail.state.settings import Settings
    from backtrail.state.variant import VariantName

_MODELS = "Models"
_BUDGET = "Budget"

Corpus = Annotated[str | None, typer.Option("--corpus", "-c", help="Name of the corpus.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Steps = Annotated[
    bool, typer.Option("--steps", help="Leave each step on the terminal; else they pass by, and trace shows them.")
]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change any setting, e.g. --set fif.shortlist=20. Repeatable."),
]
AskingEngine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Where questions are asked: 'local', 'ray' (a process for each processor) or 'ray://HOST:PORT' "
        "(a cluster).",
    ),
]
METHOD_HELP = "Method to ask, e.g. fif, or fif:published for the variant of its paper. Repeatable."
ThreadId = Annotated[str, typer.Argument(metavar="THREAD", help="Id of a thread, or its first characters.")]
Model = Annotated[
    str | None,
    typer.Option(
        help="Model of every role: offline, openai:MODEL or openai-compatible:NAME@URL.", rich_help_panel=_MODELS
    ),
]
Planner = Annotated[
    str | None, typer.Option(help="Model that decomposes, orchestrates and plans.", rich_help_panel=_MODELS)
]
Reader = Annotated[str | None, typer.Option(help="Model that writes the answer.", rich_help_panel=_MODELS)]
Vlm = Annotated[str | None, typer.Option(help="Model that looks at pictures.", rich_help_panel=_MODELS)]
BudgetUsd = Annotated[float | None, typer.Option(help="Most US dollars to spend.", rich_help_panel=_BUDGET)]
BudgetSteps = Annotated[int | None, typer.Option(help="Most actions (hops and plans).", rich_help_panel=_BUDGET)]
BudgetCalls = Annotated[int | None, typer.Option(help="Most model calls.", rich_help_panel=_BUDGET)]
BudgetSeconds = Annotated[float | None, typer.Option(help="Most seconds of work.", rich_help_panel=_BUDGET)]


def method_of(name: str) -> tuple[str, dict[str, VariantName]]:
    """The method that an option names, and the setting of its variant if it names one.

    Raises:
        typer.BadParameter: there is no such variant.
    """
    from backtrail.state.variant import from_label

    try:
        method, variant = from_label(name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--method") from error
    return method, {"variant": variant} if variant else {}


def asked_corpus(corpus: str | None, assignments: Sequence[str] | None) -> str | None:
    """The corpus of a question: what was named anywhere, else the only one there is or the default, which is said.

    None leaves the default, which a user without it is told how to make or what to name instead.
    """
    from backtrail.state.settings import Settings
    from backtrail.tools.corpus.listing import list_corpora
    from backtrail.tools.settings.file import is_chosen

    if corpus or any(one.startswith("corpus=") for one in assignments or ()) or is_chosen("corpus"):
        return corpus
    held = list_corpora()
    default = Settings().corpus
    if not held or held == [default] or (len(held) > 1 and default not in held):
        return None
    from backtrail.cli.show.console import err

    used = held[0] if len(held) == 1 else default
    others = ", ".join(name for name in held if name != used)
    err.print(f"[dim]corpus {used} ({f'the default; there are also {others}' if others else 'the only one'})[/]")
    return used


def settings_from(
    assignments: Sequence[str] | None,
    named: dict[str, Any],
    *,
    model: str | None = None,
    base: Settings | None = None,
) -> Settings:
    """The settings of a run: those of options with a name of their own, over ``--set``, over ``--model``.

    Raises:
        SettingsError: an unknown key, a value out of bounds, or a name that names no model.
    """
    from backtrail.tools.deciders.allowed import check_allowed
    from backtrail.tools.deciders.model_name import parse_model_name
    from backtrail.tools.settings.file import load_settings
    from backtrail.tools.settings.keys import ROLES, parse_assignments

    asked: dict[str, Any] = dict.fromkeys(ROLES, model)
    asked.update(parse_assignments(assignments or []))
    asked.update({key: value for key, value in named.items() if value is not None})
    settings = load_settings(asked, base=base)
    for role in ROLES:
        if (name := str(getattr(settings, role))) != "offline":
            check_allowed(parse_model_name(name))
    return settings
