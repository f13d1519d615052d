"""The ``backtrail`` command. Commands import their dependencies on use, so that ``--help`` is quick."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated

import typer

from backtrail.cli.command_group import Commands
from backtrail.cli.commands import (
    annotate,
    ask,
    bundle,
    calibrate,
    compare,
    corpus,
    demo,
    doctor,
    eval,
    finetune,
    fork,
    ingest,
    keys,
    policy,
    resume,
    serve,
    trace,
    ui,
    weights,
)
from backtrail.cli.commands.reproduction import reproduce
from backtrail.cli.show.terminal import guard_terminal

app = typer.Typer(
    name="backtrail",
    cls=Commands,
    help="Ask questions of documents with text, tables and pictures, and see how each answer was found.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("ingest")(ingest.ingest)
app.command("ask")(ask.ask)
app.command("compare")(compare.compare)
app.command("ui")(ui.ui)
app.command("weights")(weights.weights)
app.command("trace")(trace.trace)
app.command("resume")(resume.resume)
app.command("fork")(fork.fork)
corpus.app.command("calibrate")(calibrate.calibrate)
app.add_typer(corpus.app, name="corpus")
app.command("bundle")(bundle.bundle)
app.command("eval")(eval.eval_command)
app.command("reproduce")(reproduce.reproduce)
app.add_typer(annotate.app, name="annotate")
app.command("finetune")(finetune.finetune)
app.command("serve")(serve.serve)
app.add_typer(keys.app, name="keys")
app.add_typer(policy.app, name="policy")
app.command("doctor")(doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"backtrail {version('backtrail')}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Settings come from options, then BACKTRAIL_… variables (also in .env here), then settings.toml.

    Every command that prints results takes --json.
    """


ALLOCATIONS_PER_COLLECTION = 50_000
"""Python's 700 look for garbage hundreds of times while packages are imported: a sixth of the time of ``ask``. Ours."""


def main() -> None:
    """Run the command, with the variables of a ``.env`` file in the working directory."""
    from dotenv import load_dotenv

    gc.set_threshold(ALLOCATIONS_PER_COLLECTION)
    load_dotenv(Path.cwd() / ".env", override=False)
    guard_terminal()
    app()


if __name__ == "__main__":
    main()
