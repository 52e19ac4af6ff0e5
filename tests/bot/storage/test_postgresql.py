"""PostgreSQL servers as hosting providers offer them: behind poolers, and with their own certificates."""

import asyncio
import os
import shutil
import socket
import ssl
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme
from sqlalchemy import URL, make_url

from bot.app import SCHEMA
from bot.storage import Database, DatabaseUnusableError
from bot.storage.inspection import inspect
from bot.storage.trouble import NOT_TRUSTED
from tests.bot.databases import PostgresqlServer

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
PATIENCE = 20.0  # seconds


@pytest.fixture
def url(postgresql_server: PostgresqlServer) -> Iterator[URL]:
    with postgresql_server.empty_database() as url:
        yield make_url(url)


def pooler_settings(url: URL, port: int, mode: str) -> str:
    host = url.query.get("host") or url.host
    return f"""
[databases]
* = host={host} port={url.port or 5432} user={url.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
ignore_startup_parameters = extra_float_digits
"""


@asynccontextmanager
async def pooler(url: URL, folder: Path, mode: str) -> AsyncIterator[str]:
    """Runs PgBouncer before a server; gives the address that leads through it."""
    assert PGBOUNCER is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    settings = folder / "pgbouncer.ini"
    settings.write_text(pooler_settings(url, port, mode))
    command = [PGBOUNCER, "-q", str(settings)]
    if os.geteuid() == 0:  # it refuses to run as root
        for each in (settings, *folder.parents[:3], folder):
            each.chmod(0o755)
        command = ["runuser", "-u", "postgres", "--", *command]

    process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)
    try:
        await _listening(port)
        through = url.set(host="127.0.0.1", port=port, query={})
        yield through.render_as_string(hide_password=False)
    finally:
        process.terminate()
        await process.wait()


async def _listening(port: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return


needs_pgbouncer = pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")


@needs_pgbouncer
async def test_a_pooler_that_shares_sessions_gets_a_sentence(url: URL, tmp_path: Path) -> None:
    async with pooler(url, tmp_path, "transaction") as address:
        database = Database(address, SCHEMA)
        with pytest.raises(DatabaseUnusableError, match="pool_mode = session") as refused:
            await database.claim()

        await database.close()
        assert not refused.value.is_passing
        with pytest.raises(DatabaseUnusableError, match="pool_mode = session"):
            await inspect(address, SCHEMA)


@needs_pgbouncer
async def test_a_pooler_that_lends_whole_sessions_is_as_good_as_the_server(url: URL, tmp_path: Path) -> None:
    async with pooler(url, tmp_path, "session") as address:
        database = Database(address, SCHEMA)
        await database.claim()
        await database.open()
        assert await database.write(lambda _: "written") == "written"
        await database.close()
        assert (await inspect(address, SCHEMA)).step is not None


# --- certificates -------------------------------------------------------------------------------------------

SSL_REQUEST = 8  # bytes


@asynccontextmanager
async def encrypting_server(authority: trustme.CA) -> AsyncIterator[int]:
    """Runs a server that encrypts as PostgreSQL does, and then has a connection too many."""
    certificate = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readexactly(SSL_REQUEST)
            writer.write(b"S")
            await writer.start_tls(certificate)
            await reader.read(1024)
            fields = b"SFATAL\0VFATAL\0C53300\0Mtoo many\0\0"
            writer.write(b"E" + (len(fields) + 4).to_bytes(4) + fields)
            await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


ENCRYPTED = "no connection left"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("sslmode=require", ENCRYPTED),
        ("sslmode=verify-full&sslrootcert={authority}", ENCRYPTED),
        ("sslmode=verify-ca&sslrootcert={authority}", ENCRYPTED),
        ("sslmode=require&sslrootcert={authority}", ENCRYPTED),
        ("sslmode=verify-full&sslrootcert={other}", NOT_TRUSTED),
        ("sslmode=require&sslrootcert={other}", NOT_TRUSTED),
        ("sslmode=verify-full", NOT_TRUSTED),
        ("sslmode=verify-full&sslrootcert=system", NOT_TRUSTED),
        (
            "sslmode=verify-full&sslrootcert=/nowhere.pem",
            "names /nowhere.pem as sslrootcert: there is no such file",
        ),
    ],
)
async def test_certificates_are_checked_as_the_address_says(
    tmp_path: Path, query: str, sentence: str
) -> None:
    pytest.importorskip("asyncpg")
    authority, other = trustme.CA(), trustme.CA()
    for name, each in (("authority", authority), ("other", other)):
        each.cert_pem.write_to_path(str(tmp_path / f"{name}.pem"))

    where = query.format(authority=tmp_path / "authority.pem", other=tmp_path / "other.pem")

    async with encrypting_server(authority) as port:
        with pytest.raises(DatabaseUnusableError) as refused:
            await inspect(f"postgresql://durak:hush@localhost:{port}/durak?{where}", SCHEMA)

    assert sentence in str(refused.value)
    assert "hush" not in str(refused.value)
