"""Address of a store of shared corpora: ``lance:/folder``, or ``s3://bucket/prefix`` and the like."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from backtrail.tools.errors import SettingsError

_OBJECT_STORES = ("s3://", "gs://", "az://")
_FOLDER = "lance:"
# When a store is away, readers continue with the mirror: sooner than after Lance's default of three minutes.
_PATIENCE = {
    "connect_timeout": "5s",
    "timeout": "60s",
    "client_max_retries": "2",
    "client_retry_timeout": "15",
}


@dataclass(frozen=True)
class StoreAddress:
    """A normalized address, which is recorded and compared."""

    spelling: str

    @property
    def folder(self) -> Path | None:
        """The folder; None for an object store."""
        return Path(self.spelling.removeprefix(_FOLDER)) if self.spelling.startswith(_FOLDER) else None

    def place(self, *parts: str) -> str:
        """Path or URL of an item in the store."""
        root = str(self.folder) if self.folder else self.spelling
        return "/".join([root.rstrip("/"), *parts])

    @property
    def options(self) -> dict[str, str]:
        """Time-outs for Lance, which reads keys, regions and endpoints from the environment (AWS_…, GOOGLE_…)."""
        return {} if self.folder else dict(_PATIENCE)

    def __str__(self) -> str:
        """The normalized spelling."""
        return self.spelling


def read_address(text: str) -> StoreAddress:
    """Parse an address; folders are made absolute, because addresses are recorded.

    Raises:
        SettingsError: neither a folder nor an object store.
    """
    address = text.strip().rstrip("/")
    if address.startswith(_FOLDER) and len(address) > len(_FOLDER):
        return StoreAddress(_FOLDER + str(Path(address.removeprefix(_FOLDER)).expanduser().absolute()))
    if address.startswith(_OBJECT_STORES) and address.partition("://")[2].strip("/"):
        if "@" in address or "?" in address:
            raise SettingsError("The address of a store must not contain keys: Lance reads them from the environment.")
        return StoreAddress(address)
    raise SettingsError(
        f"{text!r} is not an address of shared corpora. Use lance:/folder, s3://bucket/prefix, gs://… or az://…"
    )


def default_address() -> StoreAddress | None:
    """The store of ``$BACKTRAIL_STORE``, for corpora that this home does not have; None without it."""
    named = os.environ.get("BACKTRAIL_STORE")
    return read_address(named) if named else None
