"""Top-level command group: turns errors and interruptions into messages and exit statuses."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from backtrail.tools.errors import BacktrailError, StoredFileDamaged

FAILED = 2
DAMAGED = 3
INTERRUPTED = 130


class Commands(TyperGroup):
    """Command group that hides the traceback of a ``BacktrailError``; other errors are faults."""

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand. Exit status 2 for an error, 3 for a damaged file of the home, 130 after Ctrl-C."""
        try:
            return super().invoke(ctx)
        except BacktrailError as error:
            _show(error)
            raise typer.Exit(DAMAGED if isinstance(error, StoredFileDamaged) else FAILED) from error
        except KeyboardInterrupt:
            from backtrail.cli.show.console import err

            err.print("[yellow]Interrupted.[/] Run the same command again to continue.")
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            from backtrail.tools.home_errors import home_error

            trouble = home_error(error)
            if trouble is None:
                raise
            _show(trouble)
            raise typer.Exit(FAILED) from error


def _show(error: BacktrailError) -> None:
    from rich.text import Text

    from backtrail.cli.show.console import err

    err.print(Text.assemble(("Error: ", "bold red"), str(error)), soft_wrap=True)
