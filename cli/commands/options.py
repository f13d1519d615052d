"""Options that several commands share, and the settings made from them."""

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
Trail = Annotated[bool, typer.Option("--trail", help="Print every step and its cost; trace shows them later too.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change any setting, e.g. --set fif.shortlist=20. Repeatable."),
]
AskingEngine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Where work runs: 'local', 'ray' (on this machine) or 'ray://HOST:PORT' (a cluster).",
    ),
]
METHOD_HELP = "Method, e.g. fif, or fif:published for the variant of its paper. Repeatable."
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
Vlm = Annotated[str | None, typer.Option(help="Model that reads pictures.", rich_help_panel=_MODELS)]
BudgetUsd = Annotated[float | None, typer.Option(help="Maximum US dollars.", rich_help_panel=_BUDGET)]
BudgetSteps = Annotated[int | None, typer.Option(help="Maximum actions (hops and plans).", rich_help_panel=_BUDGET)]
BudgetCalls = Annotated[int | None, typer.Option(help="Maximum model calls.", rich_help_panel=_BUDGET)]
BudgetSeconds = Annotated[float | None, typer.Option(help="Maximum seconds of work.", rich_help_panel=_BUDGET)]


def method_of(name: str) -> tuple[str, dict[str, VariantName]]:
    """Split a method option into the method and the setting of its variant, if it names one.

    Raises:
        typer.BadParameter: there is no such variant.
    """
    from backtrail.state.variant import from_label

    try:
        method, variant = from_label(name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--method") from error
    return method, {"variant": variant} if variant else {}


def question_corpus(corpus: str | None, assignments: Sequence[str] | None) -> str | None:
    """Return the corpus of a question: the named one, else the only or default one, printed to stderr.

    None leaves the default; if it does not exist, opening it raises an error that lists the corpora.
    """
    from backtrail.state.settings import Settings
    from backtrail.tools.corpus.listing import list_corpora
    from backtrail.tools.settings.file import is_chosen

    if corpus or any(one.startswith("corpus=") for one in assignments or ()) or is_chosen("corpus"):
        return corpus
    corpora = list_corpora()
    default = Settings().corpus
    if not corpora or corpora == [default] or (len(corpora) > 1 and default not in corpora):
        return None
    from backtrail.cli.show.console import err

    used = corpora[0] if len(corpora) == 1 else default
    others = ", ".join(name for name in corpora if name != used)
    err.print(f"[dim]corpus {used} ({f'the default; there are also {others}' if others else 'the only one'})[/]")
    return used


def settings_from(
    assignments: Sequence[str] | None,
    named: dict[str, Any],
    *,
    model: str | None = None,
    base: Settings | None = None,
) -> Settings:
    """Return the settings of a run: named options override ``--set``, which overrides ``--model``.

    Raises:
        SettingsError: an unknown key, a value out of bounds, or an unknown model.
    """
    from backtrail.tools.deciders.allowed import check_allowed
    from backtrail.tools.deciders.model_name import parse_model_name
    from backtrail.tools.settings.file import load_settings
    from backtrail.tools.settings.keys import ROLES, parse_assignments

    values: dict[str, Any] = dict.fromkeys(ROLES, model)
    values.update(parse_assignments(assignments or []))
    values.update({key: value for key, value in named.items() if value is not None})
    settings = load_settings(values, base=base)
    for role in ROLES:
        if (name := str(getattr(settings, role))) != "offline":
            check_allowed(parse_model_name(name))
    return settings
