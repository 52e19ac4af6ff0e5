"""Creates PostgreSQL engines with the certificates named in a URL, and refuses unsuitable poolers."""

import ssl
from collections.abc import MutableMapping
from typing import Any

import certifi
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.trouble import POOLED, TLS_FILES, DatabaseUnusableError, name_of

PID = sa.text("SELECT pg_backend_pid()")
VERIFYING = ("verify-ca", "verify-full")  # the modes in which the server's certificate is checked
SYSTEM = "system"  # in place of a file: the certificates that this machine trusts


def postgresql_engine(url: sa.URL, **options: Any) -> AsyncEngine:
    """Returns an engine for a server; its errors name no parameters."""
    engine = create_async_engine(url, hide_parameters=True, **options)
    sa.event.listen(engine.sync_engine, "do_connect", _on_connect)
    return engine


def _on_connect(_: object, __: object, ___: object, parameters: MutableMapping[str, Any]) -> None:
    """Replaces the certificate files of a URL, which the driver does not accept, with an SSL context."""
    files = {name: parameters.pop(name) for name in TLS_FILES if name in parameters}
    mode = parameters.get("ssl", "prefer")
    is_verified = mode in VERIFYING or (mode == "require" and "sslrootcert" in files)
    if mode == "disable" or not (is_verified or "sslcert" in files):
        return

    context = _trusted(files.get("sslrootcert", SYSTEM))
    context.check_hostname = mode == "verify-full"
    if not is_verified:
        context.verify_mode = ssl.CERT_NONE
    if "sslcert" in files:
        context.load_cert_chain(files["sslcert"], files.get("sslkey"))

    parameters["ssl"] = context


def _trusted(file: str) -> ssl.SSLContext:
    if file != SYSTEM:
        return ssl.create_default_context(cafile=file)
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


async def refuse_pooler(engine: AsyncEngine, pid: int) -> None:
    """Refuses a pooler that shares one session of the server, `pid`, between several connections.

    The claim on a database and the driver's prepared statements belong to one session.

    Raises:
        DatabaseUnusableError: There is such a pooler in between.
    """
    async with engine.connect() as another:
        await another.execution_options(isolation_level="AUTOCOMMIT")
        is_shared = (await another.execute(PID)).scalar() == pid
    if is_shared:
        raise DatabaseUnusableError(f"{name_of(engine.url)} {POOLED}.")
