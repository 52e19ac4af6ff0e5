"""Explains the problems of a database, each in a sentence for its owner with the remedy."""

import sqlite3
import ssl
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, IntegrityError

PRIMARY = 0xFF  # the part of SQLite's error codes for the kind of error, without the detail
UNREACHABLE = "cannot be reached: start its server, or correct the address in DURAK_DATABASE_URL"

NO_TLS = "does not encrypt connections: leave `sslmode` out of DURAK_DATABASE_URL, or have its server do it"

NO_POSTGRESQL = "does not answer as PostgreSQL does: correct the host and the port in DURAK_DATABASE_URL"

NO_DRIVER = (
    "DURAK_DATABASE_URL names a PostgreSQL database, and its driver is not installed: "
    "`.venv/bin/pip install '.[postgresql]'` adds it."
)

NO_ADDRESS = (
    "DURAK_DATABASE_URL is not the address of a database: it should be like sqlite:///durak.db "
    "or postgresql://user:password@host:5432/durak."
)

STRAY_SIGN = (
    "DURAK_DATABASE_URL contains an @ that belongs to no host, such as one in a password: write %40 there, "
    "and %2F for a slash, %3A for a colon, %23 for #."
)

POOLED = (
    "is reached by a pooler that shares sessions, such as PgBouncer in transaction mode: set "
    "DURAK_DATABASE_URL to the server's own address, or use `pool_mode = session` in the pooler"
)

# The files that an address may name, as for PostgreSQL's own programs.
TLS_FILES = ("sslrootcert", "sslcert", "sslkey")

NOT_TRUSTED = (
    "has a certificate that is not trusted: set `sslrootcert` in DURAK_DATABASE_URL to the certificate "
    "of its authority"
)

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")

# The drivers for addresses without one, as hosts of PostgreSQL give them.
DRIVERS = {"postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg", "sqlite": "sqlite+aiosqlite"}

SQLITE_SAYS = {
    sqlite3.SQLITE_READONLY: "cannot be written to: let the bot's user change that file and its folder",
    sqlite3.SQLITE_PERM: "may not be opened: let the bot's user read and change that file and its folder",
    sqlite3.SQLITE_NOTADB: "is no SQLite database: move it away, or set DURAK_DATABASE_URL to another file",
    sqlite3.SQLITE_CORRUPT: "is damaged: restore a backup with `durak-bot restore FILE`",
    sqlite3.SQLITE_BUSY: "is locked by another process: end that one",
    sqlite3.SQLITE_LOCKED: "is locked by another process: end that one",
    sqlite3.SQLITE_FULL: "cannot grow, as its disk is full: make room there",
    sqlite3.SQLITE_IOERR: "cannot be read or written, as its disk reports an error: look at the disk",
}

# The meaning of PostgreSQL's codes, by their beginning.
POSTGRESQL_SAYS = {
    "08": UNREACHABLE,
    "57P01": UNREACHABLE,
    "28": "does not accept this user or password: correct them in DURAK_DATABASE_URL",
    "3D": "does not exist: make it with `createdb`, or correct its name in DURAK_DATABASE_URL",
    "42501": "does not let this user make its tables: grant them the rights of its owner",
    "53100": "cannot grow, as the server's disk is full: make room there",
    "53300": "has no connection left: raise the server's max_connections",
    "42P05": POOLED,
    "26000": POOLED,
    "57P03": "cannot be used yet, as its server is starting or stopping: start the bot again in a moment",
}

# Problems that pass, or can be solved without changing the settings.
PASSING = frozenset(
    {
        UNREACHABLE,
        SQLITE_SAYS[sqlite3.SQLITE_BUSY],
        SQLITE_SAYS[sqlite3.SQLITE_FULL],
        SQLITE_SAYS[sqlite3.SQLITE_IOERR],
        POSTGRESQL_SAYS["53100"],
        POSTGRESQL_SAYS["53300"],
        POSTGRESQL_SAYS["57P03"],
    }
)

# The codes of SQLite and PostgreSQL for a taken key.
KEY_TAKEN = {sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, "23505"}


class DatabaseUnusableError(Exception):
    """The database cannot be used; the message is one sentence for the owner.

    Attributes:
        is_passing: Whether another attempt is worthwhile with the same settings.
    """

    def __init__(self, why: str, *, is_passing: bool = False) -> None:
        super().__init__(why)
        self.is_passing = is_passing


def read_url(text: str) -> sa.URL:
    """Parses the address of a database; one of PostgreSQL may be written for another driver.

    Raises:
        DatabaseUnusableError: It names no database, or one whose driver is not installed.
    """
    try:
        url = sa.make_url(text)
    except (ArgumentError, ValueError):
        raise DatabaseUnusableError(NO_ADDRESS) from None

    if url.get_backend_name() == "sqlite" and url.host:  # two slashes where three or four are meant
        raise DatabaseUnusableError(NO_ADDRESS)

    url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
    if url.get_backend_name() != "postgresql":
        return url
    if "@" in f"{url.host}{url.database}":
        raise DatabaseUnusableError(STRAY_SIGN)
    if not 0 < (5432 if url.port is None else url.port) < 2**16:
        raise DatabaseUnusableError(f"DURAK_DATABASE_URL names port {url.port}: ports go from 1 to 65535.")

    return _for_asyncpg(url)


def name_of(url: sa.URL) -> str:
    """Returns the name of a database for its owner, without its password."""
    if url.get_backend_name() == "sqlite":
        return f"The database {url.database or 'in memory'}"
    place = f" at {url.host or url.query.get('host', 'localhost')}" + (f":{url.port}" if url.port else "")
    return f"The database {url.database}{place}"


def explained(error: BaseException, url: sa.URL) -> str | None:
    """Returns the reason why a database does not work, in a sentence; None for unforeseen errors."""
    problem = unusable(error, url)
    return None if problem is None else str(problem)


def unusable(error: BaseException, url: sa.URL) -> DatabaseUnusableError | None:
    """Returns the error for the owner that explains another one; None for unforeseen errors."""
    for cause in _causes(error):
        if isinstance(cause, DatabaseUnusableError):
            return cause
        if (why := _why(cause, url)) is not None:
            return DatabaseUnusableError(f"{name_of(url)} {why}.", is_passing=why in PASSING)

    return None


def is_key_taken(error: IntegrityError) -> bool:
    """Returns whether a row was refused because another one has its primary key."""
    codes = {
        getattr(cause, name, None) for cause in _causes(error) for name in ("sqlite_errorcode", "sqlstate")
    }
    return bool(codes & KEY_TAKEN)


def is_damage(error: BaseException) -> bool:
    """Returns whether SQLite has met damaged pages."""
    codes = (getattr(cause, "sqlite_errorcode", 0) for cause in _causes(error))
    return any(code & PRIMARY in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} for code in codes)


def _why(error: BaseException, url: sa.URL) -> str | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & PRIMARY == sqlite3.SQLITE_CANTOPEN:
        return _why_not_opened(url)

    if code is not None:
        if code == sqlite3.SQLITE_IOERR_SHMSIZE:  # there is no room for the index of its log
            return SQLITE_SAYS[sqlite3.SQLITE_FULL]
        return SQLITE_SAYS.get(code & PRIMARY)

    state = str(getattr(error, "sqlstate", None) or "")
    if state:
        return next((why for begin, why in POSTGRESQL_SAYS.items() if state.startswith(begin)), None)
    if isinstance(error, ssl.SSLCertVerificationError):
        return NOT_TRUSTED
    if isinstance(error, TimeoutError) and url.get_backend_name() == "sqlite":
        return SQLITE_SAYS[sqlite3.SQLITE_BUSY]
    if isinstance(error, OSError) and url.get_backend_name() == "sqlite":
        return _why_not_opened(url)
    if isinstance(error, ConnectionError) and "SSL" in str(error):  # asyncpg has no separate type for it
        return NO_TLS if "ssl" in url.query else NO_POSTGRESQL
    if isinstance(error, OSError):
        return UNREACHABLE

    return None


def _for_asyncpg(url: sa.URL) -> sa.URL:
    """Checks the query of an address, and translates it for the driver."""
    try:
        driver = import_module("asyncpg")
    except ImportError:
        raise DatabaseUnusableError(NO_DRIVER) from None

    query = dict(url.query)
    query.pop("channel_binding", None)  # the driver has no such option, and no server needs it
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")

    if (mode := query.get("ssl", "prefer")) not in SSL_MODES:
        raise DatabaseUnusableError(
            f"DURAK_DATABASE_URL says sslmode={mode}: it may be {', '.join(SSL_MODES)}."
        )

    for name in TLS_FILES:
        file = str(query.get(name, "system"))
        if file != "system" and not Path(file).is_file():
            raise DatabaseUnusableError(f"DURAK_DATABASE_URL names {file} as {name}: there is no such file.")

    parameters = {*signature(driver.connect).parameters, *TLS_FILES, "prepared_statement_cache_size"}
    if unknown := sorted(query.keys() - parameters):
        raise DatabaseUnusableError(
            f"DURAK_DATABASE_URL says {unknown[0]}=, which the bot does not know: leave that out."
        )

    return url.set(query=query)


def _why_not_opened(url: sa.URL) -> str:
    file = Path(url.database or "")
    if file.is_dir():
        return "is a folder: set DURAK_DATABASE_URL to a file"
    if not file.parent.is_dir():
        return f"cannot be made, as there is no folder {file.parent}: make it, or correct DURAK_DATABASE_URL"

    return SQLITE_SAYS[sqlite3.SQLITE_PERM]


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yields an error and its causes, the innermost first."""
    inner = getattr(error, "orig", None) or error.__cause__
    if isinstance(inner, BaseException) and inner is not error:
        yield from _causes(inner)
    yield error
