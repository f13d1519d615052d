"""Ask the person at the terminal for a reply to a run, or print the command to reply with."""

from __future__ import annotations

import sys

import typer
from langgraph.types import StateSnapshot
from rich.text import Text

from backtrail.cli.show.console import err
from backtrail.state.chat.human_input import ApprovalRequest


def prompt_for_reply(state: StateSnapshot, thread: str, *, shown: bool) -> str | None:
    """Return the reply to a run's question; None if it has none, or stdin is no terminal.

    Args:
        shown: whether to prompt; False if only the outcome may be printed.
    """
    if not state.interrupts:
        return None
    asking: ApprovalRequest = state.interrupts[0].value
    for request in asking["action_requests"]:
        err.print(Text(request["description"], "yellow"), soft_wrap=True)
    if shown and sys.stdin.isatty():
        return str(typer.prompt("Reply", err=True))
    err.print(f"The run waits for a reply: backtrail resume {thread} --reply yes", soft_wrap=True)
    return None
