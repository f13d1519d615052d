"""The connection that writes a corpus. In PostgreSQL it holds a lock that homes sharing a database have in common.

The file lock of ``lock.py`` guards one home; two homes on one database have the server to keep them apart. The
lock is a session-level advisory lock on the very connection whose transaction makes the change: whoever loses
the connection loses the lock and the unfinished change together, so nobody writes on without the lock.
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
"""Seconds to go on trying: that long, at most, the server takes to notice that a holder was killed (ours)."""

_LONGEST_NAME = 63  # bytes of an application_name that PostgreSQL keeps
_HOLDER = re.compile(r"backtrail writer (\d+) on (.+)")
_INTRODUCE = text("SELECT set_config('application_name', :me, false)")
# A machine that vanishes without a word is given up, and its lock with it, after 90 seconds rather than two hours:
# before a publisher that waits for its turn gives up. Where an answer was on its way, the last of these counts.
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
    """The one connection to write a corpus with, without a transaction begun.

    Raises:
        CorpusLocked: someone else writes it, from whatever home; after ``patience`` seconds.
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
            with suppress(DatabaseUnavailable):  # then the session is over, and its lock with it
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
    connection.commit()  # the lock outlives it; the next transaction sees what earlier holders committed


def _release(connection: Connection, name: str, held: bool) -> None:
    connection.rollback()
    if connection.invalidated:
        return
    if held:
        connection.execute(_UNLOCK, {"key": _key(name)})
    connection.execute(_LEAVE)  # the pool keeps the connection, which nobody may take for a writer's any more
    connection.commit()


def _locked(connection: Connection, name: str) -> CorpusLocked:
    """The refusal, with what the server tells of the holder. To other roles it may not tell anything."""
    row = connection.execute(_WHO, {"key": _key(name)}).first()
    found = _HOLDER.fullmatch(row[0] or "") if row else None
    if row is None or found is None:
        return CorpusLocked(name, None, "")
    return CorpusLocked(name, int(found[1]), str(row[1]), found[2])


def _key(name: str) -> int:
    """The number of a corpus's lock: 64 bits, signed, the same for every home. Locks are per database."""
    return int.from_bytes(hashlib.sha256(f"backtrail writer {name}".encode()).digest()[:8], signed=True)
