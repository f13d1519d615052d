"""backtrail keys: who may use the server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands.options import AsJson

if TYPE_CHECKING:
    from backtrail.tools.access.api_keys import Holder

app = typer.Typer(help="Give and take keys to the server. Without any it is open.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Whose key it is: letters, digits, '_', '-'.")]


@app.command()
def add(
    name: Name,
    admin: Annotated[
        bool, typer.Option("--admin", help="May also list and delete what revoked holders left behind.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it. It is shown this once; only its digest is kept.

    Threads, assistants and the like belong to the name: a new key for the same name opens them again.
    """
    from backtrail.cli.show.console import err
    from backtrail.tools.access.api_keys import add_key, keys_file

    key = add_key(name, admin=admin)
    print(json.dumps({"name": name, "key": key}) if as_json else key)
    if not as_json:
        err.print(f"[dim]Send it as 'Authorization: Bearer KEY'. Its digest is in {keys_file()}.[/]", soft_wrap=True)


def _shown(holder: Holder) -> dict[str, Any]:
    return {"created": holder.created, "admin": holder.admin}


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """List who has a key, and since when."""
    from backtrail.tools.access.api_keys import keys_file, read_holders

    held = read_holders()
    if as_json:
        shown = [{"name": name, **_shown(holder)} for name, holder in (held or {}).items()]
        print(json.dumps({"open": held is None, "keys": shown}, ensure_ascii=False))
    elif held is None:
        print("The server is open: nobody has a key. Make one with: backtrail keys add NAME")
    else:
        lines = [
            f"{name}  since {holder.created or 'unknown'}{', administrator' if holder.admin else ''}"
            for name, holder in held.items()
        ]
        print("\n".join(lines) or f"Nobody has a key, so nobody is let in. To open the server, remove {keys_file()}.")


@app.command()
def revoke(name: Name, as_json: AsJson = False) -> None:
    """Take a key away. A running server refuses it at once and ends its runs and crons; what the name owns stays.

    It opens again with a new key for the name, or is deleted with an administrator's key.
    """
    from backtrail.tools.access.api_keys import revoke_key

    revoke_key(name)
    print(json.dumps({"name": name, "revoked": True}) if as_json else f"{name} has no key any more.")
