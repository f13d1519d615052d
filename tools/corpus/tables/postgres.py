"""What only PostgreSQL needs: a driver, texts without NUL, ids that fit an index."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError

from backtrail.tools.corpus.errors import DatabaseUnavailable
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.tables.schema import LONGEST_KEY
from backtrail.tools.errors import DependencyMissing, SettingsError

_DRIVER = "postgresql+psycopg"
_ACCEPTED = ("postgres", "postgresql", _DRIVER)
_INSUFFICIENT_PRIVILEGE = "42501"
# Without these a statement waits for 15 minutes or forever on a network that drops packets.
_PATIENCE = {
    "connect_timeout": "10",
    "keepalives_idle": "20",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


def open_postgres(url: str) -> Engine:
    """An engine on a database; it connects on first use. Transactions see one snapshot, as in SQLite.

    Every statement raises errors of the server and the network as DatabaseUnavailable.

    Raises:
        SettingsError: not a URL of PostgreSQL.
        DependencyMissing: psycopg is not installed.
    """
    target = _read_url(url)
    try:
        engine = create_engine(target, pool_pre_ping=True, isolation_level="REPEATABLE READ")
    except ImportError as error:
        raise DependencyMissing("psycopg", "postgres") from error
    event.listen(engine, "before_cursor_execute", _replace_nul, retval=True)
    event.listen(engine, "handle_error", lambda context: _raise_typed(context, target))
    return engine


def _read_url(url: str) -> URL:
    try:
        target = make_url(url)
    except (ArgumentError, ValueError):
        raise SettingsError("BACKTRAIL_DATABASE_URL is not a URL. Use postgresql://user@host/database.") from None
    if target.drivername not in _ACCEPTED:
        raise SettingsError(
            f"BACKTRAIL_DATABASE_URL has the unknown scheme {target.drivername!r}. Use postgresql://… or, "
            "for SQLite files, unset it."
        )
    return target.set(drivername=_DRIVER).update_query_dict(_PATIENCE | dict(target.query))


def _raise_typed(context: ExceptionContext, url: URL) -> None:
    """Raise DatabaseUnavailable if the server is away or full, or denies access."""
    if context.is_pre_ping:
        return  # the pool opens another connection
    refused = getattr(context.original_exception, "sqlstate", None) == _INSUFFICIENT_PRIVILEGE
    if refused or isinstance(context.sqlalchemy_exception, OperationalError | InterfaceError):
        place = url.set(query={}).render_as_string(hide_password=True).replace(_DRIVER, "postgresql", 1)
        raise DatabaseUnavailable(place, str(context.original_exception)) from context.original_exception


def _replace_nul(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> tuple[str, Any]:
    """Replace NUL, which PostgreSQL cannot store, by U+FFFD, as HTML and Markdown do."""
    if isinstance(parameters, Mapping):
        return statement, _without_nul(parameters)
    return statement, [_without_nul(row) for row in parameters]


def _without_nul(row: Mapping[str, Any]) -> Mapping[str, Any]:
    if not any(isinstance(value, str) and "\0" in value for value in row.values()):
        return row
    return {key: value.replace("\0", "\ufffd") if isinstance(value, str) else value for key, value in row.items()}


def invalid_ids(batch: Collection[PreparedDocument]) -> dict[str, str]:
    """Documents with an id that PostgreSQL cannot store or index, with the reason."""
    unfit: dict[str, str] = {}
    for prepared in batch:
        own = prepared.document.id
        for id_ in (own, *(one.component.id for one in prepared.components)):
            if "\0" in id_:
                unfit.setdefault(own, f"the id {id_[:80]!r} has a NUL character, which PostgreSQL cannot store")
            elif len(id_.encode()) > LONGEST_KEY:
                unfit.setdefault(own, f"the id {id_[:80] + '…'!r} is longer than {LONGEST_KEY} bytes")
    return unfit
