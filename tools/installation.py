"""The pip command that adds an extra, from the folder, file or index of this installation."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import unquote, urlsplit

NAME = "backtrail"


def install_command(extra: str = "") -> str:
    """``pip install -e '/home/ada/backtrail[server]'`` in a checkout, else by file, URL or name (PEP 610)."""
    wanted = f"[{extra}]" if extra else ""
    try:
        direct_url = distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        direct_url = None
    origin = json.loads(direct_url) if direct_url else {}
    address = str(origin.get("url", ""))
    if "dir_info" in origin:
        editable = "-e " if origin["dir_info"].get("editable") else ""
        return f"pip install {editable}'{unquote(urlsplit(address).path)}{wanted}'"
    if address:
        return f"pip install '{NAME}{wanted} @ {address}'"
    return f"pip install '{NAME}{wanted}'"
