"""Where shared corpora are kept: a folder (``lance:/folder``) or a place in an object store (``s3://bucket/prefix``)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from backtrail.tools.errors import SettingsError

_OBJECT_STORES = ("s3://", "gs://", "az://")
_FOLDER = "lance:"
# Where a store is away, a reader goes on with its mirror: better soon than after Lance's three minutes.
_PATIENCE = {
    "connect_timeout": "5s",
    "timeout": "60s",
    "client_max_retries": "2",
    "client_retry_timeout": "15",
}


@dataclass(frozen=True)
class StoreAddress:
    """An address in its one spelling, which is recorded and compared."""

    spelling: str

    @property
    def folder(self) -> Path | None:
        """The folder; None for an object store."""
        return Path(self.spelling.removeprefix(_FOLDER)) if self.spelling.startswith(_FOLDER) else None

    def place(self, *parts: str) -> str:
        """Path or URL of something in the store."""
        root = str(self.folder) if self.folder else self.spelling
        return "/".join([root.rstrip("/"), *parts])

    @property
    def options(self) -> dict[str, str]:
        """For Lance: how long it tries. Keys, regions and endpoints it takes from the environment (AWS_…, GOOGLE_…)."""
        return {} if self.folder else dict(_PATIENCE)

    def __str__(self) -> str:
        """As it was given, without surprises."""
        return self.spelling


def read_address(text: str) -> StoreAddress:
    """Read an address; folders are made absolute, as what is recorded must not depend on where we stand.

    Raises:
        SettingsError: neither a folder nor an object store.
    """
    given = text.strip().rstrip("/")
    if given.startswith(_FOLDER) and len(given) > len(_FOLDER):
        return StoreAddress(_FOLDER + str(Path(given.removeprefix(_FOLDER)).expanduser().absolute()))
    if given.startswith(_OBJECT_STORES) and given.partition("://")[2].strip("/"):
        if "@" in given or "?" in given:
            raise SettingsError("The address of a store holds no keys: Lance takes them from the environment.")
        return StoreAddress(given)
    raise SettingsError(
        f"{text!r} is no place for shared corpora. Use lance:/folder, s3://bucket/prefix, gs://… or az://…"
    )


def default_address() -> StoreAddress | None:
    """``$BACKTRAIL_STORE``: where corpora are looked for and made that this home does not hold; None without."""
    named = os.environ.get("BACKTRAIL_STORE")
    return read_address(named) if named else None
