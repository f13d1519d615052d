"""backtrail keys: manage the API keys of the server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands.options import AsJson

if TYPE_CHECKING:
    from backtrail.tools.access.api_keys import Holder

app = typer.Typer(help="Add, list and revoke API keys of the server. Without keys it is open.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Holder of the key: letters, digits, '_', '-'.")]


@app.command()
def add(
    name: Name,
    admin: Annotated[
        bool, typer.Option("--admin", help="May also list and delete the data of revoked holders.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create a key and print it. It is shown only once; only its digest is stored.

    Threads and assistants belong to the name: a new key for the same name gives access to them again.
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
    """List the holders of keys."""
    from backtrail.tools.access.api_keys import keys_file, read_holders

    holders = read_holders()
    if as_json:
        shown = [{"name": name, **_shown(holder)} for name, holder in (holders or {}).items()]
        print(json.dumps({"open": holders is None, "keys": shown}, ensure_ascii=False))
    elif holders is None:
        print("The server is open: nobody has a key. Make one with: backtrail keys add NAME")
    else:
        lines = [
            f"{name}  since {holder.created or 'unknown'}{', administrator' if holder.admin else ''}"
            for name, holder in holders.items()
        ]
        print("\n".join(lines) or f"Nobody has a key, so nobody has access. To open the server, remove {keys_file()}.")


@app.command()
def revoke(name: Name, as_json: AsJson = False) -> None:
    """Revoke a key. A running server refuses it at once and ends its runs and crons; data stays.

    A new key for the name gives access to the data again; an administrator's key can delete it.
    """
    from backtrail.tools.access.api_keys import revoke_key

    revoke_key(name)
    print(json.dumps({"name": name, "revoked": True}) if as_json else f"{name} has no key any more.")
