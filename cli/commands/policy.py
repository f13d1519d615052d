"""backtrail policy: what clients of the server may choose and spend."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from backtrail.cli.commands.options import AsJson

app = typer.Typer(help="Check and show what clients of the server may choose and spend.", no_args_is_help=True)


@app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="Another file than the one in force.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read the policy and say what is wrong with it, with line and key.

    A server that runs takes up a changed file within a second, if nothing is wrong with it.
    """
    from backtrail.graphs.methods import METHODS
    from backtrail.tools.access.policy.errors import PolicyError
    from backtrail.tools.access.policy.file import policy_file, read_policy

    policy = read_policy(file)
    place = file or policy_file()
    strange = [one.method for one in (policy.assistants.values() if policy else ()) if one.method not in METHODS]
    if strange:
        raise PolicyError(f"{place}: there are no methods {', '.join(strange)}. Methods are {', '.join(METHODS)}.")
    if as_json:
        print(json.dumps({"file": str(place), "exists": policy is not None, "valid": True}))
    elif policy is None:
        print(f"There is no {place}; docs/deployment.md says what is allowed then.")
    else:
        print(
            f"{place} can be used: {len(policy.groups)} groups, {len(policy.keys)} keys, "
            f"{len(policy.assistants)} assistants."
        )


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Of the holder of a key.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show what somebody may do, and what they spent today; without a name, what anybody with a key may."""
    from backtrail.tools.access.api_keys import read_holders
    from backtrail.tools.access.policy.allowed import allowed
    from backtrail.tools.access.policy.file import read_policy
    from backtrail.tools.access.records.spending import spent_today

    whom = allowed(read_policy(), name, closed=read_holders() is not None)
    shown: dict[str, Any] = {
        **{key: value for key, value in asdict(whom).items() if key not in ("most", "quota", "rate", "defaults")},
        **{key: getattr(whom, key).model_dump(exclude_none=True) for key in ("most", "quota", "rate")},
        "defaults": dict(whom.defaults),
        "spent_today": asdict(spent_today(name)),
    }
    if as_json:
        print(json.dumps(shown, ensure_ascii=False))
        return
    for key, value in shown.items():
        print(f"{key:12} {_told(key, value)}")


def _told(key: str, value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{one} {amount}" for one, amount in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(value) or "none"
    if key == "models" and value is None:
        return "those at the host's own addresses"
    return {True: "yes", False: "no"}.get(value, str(value) or "none")
