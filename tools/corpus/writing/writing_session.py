"""The connection that writes a corpus. In PostgreSQL it holds a lock between homes.

The file lock of ``lock.py`` guards one home; homes that share a database need a lock on the server. It is a session
lock on the connection whose transaction makes the change: with the connection both the lock and the unfinished change
are lost, so that nobody writes without the lock.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, Engine, text

from backtrail.tools.corpus.errors import CorpusLocked, DatabaseUnavailable

NOTICED = 1.0
"""Seconds to retry: the server takes at most so long to notice a killed holder (ours)."""

_LONGEST_NAME = 63  # bytes of an application_name that PostgreSQL keeps
_HOLDER = re.compile(r"backtrail writer (\d+) on (.+)")
_INTRODUCE = text("SELECT set_config('application_name', :me, false)")
# The lock of an unreachable machine is released after 90 seconds instead of two hours: before a waiting publisher gives
# up. With an answer in transit the last of these applies.
_KEEPALIVE = (
    "tcp_keepalives_idle = 60",
    "tcp_keepalives_interval = 10",
    "tcp_keepalives_count = 3",
    "tcp_user_timeout = 90000",
)
_LOCK = text("SELECT pg_try_advisory_lock(:key)")
_UNLOCK = text("SELECT pg_advisory_unlock(:key)")
_LEAVE = text("RESET application_name")
_WHO = text(
    "SELECT held.application_name, to_char(held.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS+00:00') "
    "FROM pg_locks JOIN pg_stat_activity AS held USING (pid) "
    "WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND (classid::bigint << 32) | objid::bigint = :key"
)


@contextmanager
def writing_session(engine: Engine, name: str, patience: float = NOTICED) -> Iterator[Connection]:
    """Open the connection to write a corpus with, before its first transaction.

    Raises:
        CorpusLocked: another process, in any home, still writes it after ``patience`` seconds.
        DatabaseUnavailable: the server is away; also by later statements, once the connection is lost.
    """
    with engine.connect() as connection:
        if engine.dialect.name != "postgresql":
            yield connection
            return
        held = False
        try:
            _acquire(connection, name, patience)
            held = True
            yield connection
        finally:
            with suppress(DatabaseUnavailable):  # then the session and its lock are gone
                _release(connection, name, held)


def _acquire(connection: Connection, name: str, patience: float) -> None:
    me = f"backtrail writer {os.getpid()} on {socket.gethostname()}".encode()[:_LONGEST_NAME]
    connection.execute(_INTRODUCE, {"me": me.decode(errors="ignore")})
    for setting in _KEEPALIVE:
        connection.execute(text(f"SET {setting}"))
    until = time.monotonic() + patience
    while not connection.execute(_LOCK, {"key": _key(name)}).scalar_one():
        if time.monotonic() > until:
            raise _locked(connection, name)
        connection.commit()
        time.sleep(0.05)
    connection.commit()  # keeps the lock; the next transaction sees commits of earlier holders


def _release(connection: Connection, name: str, held: bool) -> None:
    connection.rollback()
    if connection.invalidated:
        return
    if held:
        connection.execute(_UNLOCK, {"key": _key(name)})
    connection.execute(_LEAVE)  # the pooled connection must not look like a writer's
    connection.commit()


def _locked(connection: Connection, name: str) -> CorpusLocked:
    """The error, with the holder if the server shows it; it may hide it from other roles."""
    row = connection.execute(_WHO, {"key": _key(name)}).first()
    found = _HOLDER.fullmatch(row[0] or "") if row else None
    if row is None or found is None:
        return CorpusLocked(name, None, "")
    return CorpusLocked(name, int(found[1]), str(row[1]), found[2])


def _key(name: str) -> int:
    """The signed 64-bit key of a corpus's lock, equal in all homes. Locks are per database."""
    return int.from_bytes(hashlib.sha256(f"backtrail writer {name}".encode()).digest()[:8], signed=True)
