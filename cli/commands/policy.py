"""backtrail policy: check and show what clients of the server may choose and spend."""

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
    file: Annotated[Path | None, typer.Argument(help="Policy file to check.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check the policy file; an error names the line and the key.

    A running server loads a changed file within a second if it is valid.
    """
    from backtrail.graphs.methods import METHODS
    from backtrail.tools.access.policy.errors import PolicyError
    from backtrail.tools.access.policy.file import policy_file, read_policy

    policy = read_policy(file)
    place = file or policy_file()
    unknown = [one.method for one in (policy.assistants.values() if policy else ()) if one.method not in METHODS]
    if unknown:
        raise PolicyError(f"{place}: unknown methods {', '.join(unknown)}. Methods are {', '.join(METHODS)}.")
    if as_json:
        print(json.dumps({"file": str(place), "exists": policy is not None, "valid": True}))
    elif policy is None:
        print(f"There is no {place}; docs/deployment.md lists the defaults without a policy.")
    else:
        print(
            f"{place} is valid: {len(policy.groups)} groups, {len(policy.keys)} keys, "
            f"{len(policy.assistants)} assistants."
        )


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Holder of a key.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show what a holder may do and has spent today; without NAME, the policy for everybody with a key."""
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
        print(f"{key:12} {_value_text(key, value)}")


def _value_text(key: str, value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{one} {amount}" for one, amount in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(value) or "none"
    if key == "models" and value is None:
        return "those at the host's own addresses"
    return {True: "yes", False: "no"}.get(value, str(value) or "none")
