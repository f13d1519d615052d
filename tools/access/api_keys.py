"""Keys of the server: a TOML file of names with the digests of their keys, never the keys.

    [anna]
    sha256 = "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683"
    created = "2026-07-01T09:30:00+00:00"
    admin = true    # only for administrators

``backtrail keys`` writes it. Without the file the server is open; a file without names lets nobody in. A key has
256 random bits, so a plain digest is enough: slow hashes protect passwords, which can be guessed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backtrail.tools.access.tokens import PREFIX, takes_tokens
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import home
from backtrail.tools.untrusted_values import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "BACKTRAIL_KEYS_FILE"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
"""Names of holders: without dots, because a name is also a label of the store's namespaces."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_PREFIX = "bt_"  # identifies keys in logs and to secret scanners
_BYTES = 32
_HEAD = "# Written by `backtrail keys`. Digests only: a key is shown once, when it is made.\n"


@dataclass(frozen=True)
class Holder:
    """The holder of a key: the key's digest (SHA-256, hexadecimal) and creation time (ISO 8601).

    An administrator may also list and delete data of holders whose key was revoked.
    """

    sha256: str
    created: str
    admin: bool = False

    @property
    def mark(self) -> str:
        """The prefix of the digest: distinguishes this key from an earlier one of the same name."""
        return self.sha256[:16]


def keys_file() -> Path:
    """``$BACKTRAIL_KEYS_FILE``, else ``api_keys.toml`` in home."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else home() / "api_keys.toml"


def read_holders() -> dict[str, Holder] | None:
    """All holders by name; None when there is no file and the server is open.

    Raises:
        SettingsError: the file is unreadable or invalid, or the variable names a missing one.
    """
    file = keys_file()
    try:
        tables = read_toml(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if os.environ.get(VARIABLE):
            raise SettingsError(
                f"{VARIABLE} names {file}, which does not exist. Make it with: backtrail keys add NAME"
            ) from None
        return None
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The file of keys {file} cannot be read ({error}). Nobody is let in until it is."
        ) from None
    return {name: _holder(name, table, file) for name, table in tables.items()}


def _holder(name: str, table: Any, file: Path) -> Holder:
    _check_name(name, f"In {file}, ")
    digest = table.get("sha256") if isinstance(table, dict) else None
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise SettingsError(
            f"In {file}, [{name}] has no sha256 of 64 lower-case hexadecimal digits. "
            f"Create the key again with: backtrail keys revoke {name}, then backtrail keys add {name}"
        )
    unknown = sorted(set(table) - {"sha256", "created", "admin"})
    if unknown:
        raise SettingsError(f"In {file}, [{name}] has {', '.join(unknown)}; known are sha256, created and admin.")
    admin = table.get("admin", False)
    if not isinstance(admin, bool):
        raise SettingsError(f"In {file}, [{name}] has admin = {admin!r}; it is true or false.")
    return Holder(digest, str(table.get("created", "")), admin)


def _check_name(name: str, where: str = "") -> None:
    if not NAME.fullmatch(name):
        raise SettingsError(
            f"{where}{name!r} cannot name the holder of a key. Use 1 to 63 letters, digits, '_' or '-', "
            "starting with a letter or digit."
        )


def add_key(name: str, *, admin: bool = False) -> str:
    """Create a key and return it; only its digest is stored.

    Raises:
        SettingsError: the name is invalid or has a key; the file cannot be read.
    """
    _check_name(name)
    if name.startswith(PREFIX):
        raise SettingsError(f"Names that begin with {PREFIX!r} are reserved for subjects of tokens; choose another.")
    with _changing() as holders:
        if name in holders:
            raise SettingsError(f"{name!r} has a key already. Revoke it first with: backtrail keys revoke {name}")
        key = _PREFIX + secrets.token_urlsafe(_BYTES)
        holders[name] = Holder(digest_of(key), datetime.now(UTC).isoformat(timespec="seconds"), admin)
    return key


def revoke_key(name: str) -> None:
    """Revoke a key; a running server refuses it from the next request on, and ends its runs.

    Raises:
        SettingsError: the name has no key; the file cannot be read.
    """
    with _changing() as holders:
        if name not in holders:
            raise SettingsError(f"{name!r} has no key. These have: {', '.join(sorted(holders)) or 'nobody'}.")
        del holders[name]


@contextmanager
def _changing() -> Iterator[dict[str, Holder]]:
    """Yield the holders for changes, which are written atomically when the block ends."""
    from filelock import FileLock

    file = keys_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{file}.lock"):
        holders = dict((read_holders() if file.exists() else None) or {})
        yield holders
        with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=file.name, delete=False) as written:
            written.write(_HEAD + "".join(_table(name, holders[name]) for name in sorted(holders)))
        os.replace(written.name, file)  # its mode is 0600, as that of every temporary file


def _table(name: str, holder: Holder) -> str:
    admin = "admin = true\n" if holder.admin else ""
    return f'\n[{name}]\nsha256 = "{holder.sha256}"\ncreated = "{holder.created}"\n{admin}'


def digest_of(key: str) -> str:
    """The SHA-256 digest of a key, which is stored in its place."""
    return hashlib.sha256(key.encode()).hexdigest()


class KeyRing:
    """The current keys. The file is checked at each call, so changes apply at once. Blocking.

    A server that had keys stays closed: when the file is gone, nobody is let in.
    """

    def __init__(self) -> None:
        self._stamp: tuple[int, ...] | None = None
        self._holders: Mapping[str, Holder] | None = None

    def is_open(self) -> bool:
        """Whether everyone is let in, because no keys are configured.

        Raises:
            SettingsError: as ``read_holders``, or the file is gone.
        """
        return self.holders() is None

    def holder(self, key: str) -> tuple[str, Holder] | None:
        """The holder of a key, with the name; None without one. Wrong keys take as long as right ones.

        Raises:
            SettingsError: as ``is_open``.
        """
        digest, found = digest_of(key), None
        for name, holder in (self.holders() or {}).items():
            if hmac.compare_digest(digest, holder.sha256):
                found = name, holder
        return found

    def holders(self) -> Mapping[str, Holder] | None:
        """All holders by name; None while the server is open.

        Raises:
            SettingsError: as ``is_open``.
        """
        file = keys_file()
        try:
            state = file.stat()
            stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
        except OSError:
            stamp = None  # read_holders raises the error
        if stamp is None or stamp != self._stamp:
            holders = read_holders()
            if holders is None and self._holders is not None:
                raise SettingsError(
                    f"The file of keys {file} is gone, and this server was closed. Nobody is let in until it is back; "
                    "to open the server, start it again."
                )
            self._holders, self._stamp = holders, stamp
        return {} if self._holders is None and takes_tokens() else self._holders
