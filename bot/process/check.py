"""`durak-bot check`: examines everything that the bot needs, and changes nothing."""

import asyncio
import errno
import json
import socket
import time
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from enum import StrEnum
from ipaddress import ip_address

import aiohttp

from adapters.port import AccessDeniedError, Adapter, UnreachableError, why_unreachable
from bot.config import InvalidConfigError, Settings, read_settings
from bot.process.exits import NOT_NOW, SETTINGS
from bot.process.exposure import exposed_cluster, gateway_of_container, lacking_proxy
from bot.process.gauges import free_bytes
from bot.process.logs import tell_owner
from bot.process.subcommands import Subcommand
from bot.storage import DatabaseUnusableError, Schema
from bot.storage.backups import newest_at
from bot.storage.inspection import inspect
from bot.storage.migrations import newest_step

# Whether the bot can be used in chats that it is not a member of, for the owner.
OUTSIDE: Mapping[bool | None, str] = {
    True: " It also plays in chats that it is no member of.",
    False: " It plays only in chats that it is a member of; docs/hosting.md says how to change that.",
}
ANSWER_TIMEOUT = 15.0  # seconds
MIN_FREE_BYTES = 1_000_000_000
MAX_BACKUP_AGE = 2 * 24 * 60 * 60.0  # seconds
MEGABYTE = 1_000_000
DAY = 24 * 60 * 60.0


class Level(StrEnum):
    """The severity of a finding."""

    OK = "ok"
    WARNING = "warning"  # the bot works
    NOT_NOW = "not now"  # it may work later with the same settings
    WRONG = "wrong"  # its owner has to change something


CODES = {Level.OK: 0, Level.WARNING: 0, Level.NOT_NOW: NOT_NOW, Level.WRONG: SETTINGS}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was examined, and a sentence about it."""

    subject: str
    level: Level
    sentence: str


def check_command(chats_of: Callable[[Settings], Sequence[Adapter]], schema: Schema) -> Subcommand:
    """Returns the command; `chats_of` returns the adapters of the chats that have a token."""

    def run(arguments: Namespace) -> int:
        findings: list[Finding] = []

        async def examine() -> None:
            async with aclosing(_examine(chats_of, schema)) as examined:
                async for finding in examined:
                    findings.append(finding)
                    if not arguments.json:
                        tell_owner(f"{finding.level:8} {finding.subject:10} {finding.sentence}")

        asyncio.run(examine())
        code = max(CODES[finding.level] for finding in findings)
        if arguments.json:
            rows = [asdict(finding) for finding in findings]
            tell_owner(json.dumps({"code": code, "findings": rows}, indent=2))

        return code

    return Subcommand("check", "examine settings, tokens, database and addresses", _add_arguments, run)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


async def _examine(
    chats_of: Callable[[Settings], Sequence[Adapter]], schema: Schema
) -> AsyncGenerator[Finding, None]:
    """Yields each finding as soon as it is known."""
    try:
        settings = read_settings()
    except InvalidConfigError as error:
        yield Finding("settings", Level.WRONG, str(error))
        return

    yield Finding("settings", Level.OK, "All settings can be read.")
    for adapter in chats_of(settings):
        yield await _chat(adapter)

    yield await _database(settings.database_url, schema)
    for finding in await _disk(settings):
        yield finding

    is_running, address = await _address(settings.http_host, settings.http_port)
    yield address
    if settings.public_origin:
        yield await _public_address(settings.public_origin, is_running=is_running)

    gateway = gateway_of_container()
    if lack := lacking_proxy(settings.public_origin, settings.trusted_proxies, gateway):
        yield Finding("proxy", Level.WARNING, lack)
    if exposure := await asyncio.to_thread(exposed_cluster, settings.dask):
        yield Finding("thinkers", Level.WARNING, exposure)


async def _chat(adapter: Adapter) -> Finding:
    """Asks a chat whether it accepts the token."""
    subject = adapter.platform
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            account = await adapter.account()
    except AccessDeniedError as error:
        return Finding(subject, Level.WRONG, str(error))
    except UnreachableError as error:
        return Finding(subject, Level.NOT_NOW, f"It can't be reached: {error}.")
    except TimeoutError as error:
        return Finding(subject, Level.NOT_NOW, f"It can't be reached: {why_unreachable(error)}.")

    if account.problem:
        return Finding(subject, Level.WRONG, account.problem)

    outside = OUTSIDE.get(account.works_outside, "")
    sentence = f"The token is that of {account.name}.{outside}"
    if account.warning:
        return Finding(subject, Level.WARNING, f"{sentence} {account.warning}")

    return Finding(subject, Level.OK, sentence)


async def _database(url: str, schema: Schema) -> Finding:
    try:
        state = await inspect(url, schema)
    except DatabaseUnusableError as error:
        level = Level.NOT_NOW if error.is_passing else Level.WRONG
        return Finding("database", level, str(error))

    if state.warning:
        return Finding("database", Level.WARNING, state.warning)
    if state.step is None:
        return Finding("database", Level.OK, f"{state.name} has no tables yet: the first start makes them.")

    size = f"{state.size / MEGABYTE:.1f} MB"
    if state.step != newest_step():
        steps = f"the next start brings its tables from step {state.step} to {newest_step()}"
        return Finding("database", Level.WARNING, f"{state.name} is sound, {size}; {steps}: make a backup.")

    return Finding("database", Level.OK, f"{state.name} is sound, at step {state.step}, {size}.")


async def _disk(settings: Settings) -> list[Finding]:
    """Examines the free space beside an SQLite file, and the age of the newest backup."""
    findings = []
    folder = settings.database_folder
    if folder is not None and folder.is_dir():
        free = free_bytes(folder)
        level = Level.WARNING if free < MIN_FREE_BYTES else Level.OK
        findings.append(Finding("disk", level, f"{free / MEGABYTE:.0f} MB are free beside the database."))

    if settings.backups is not None:
        newest = newest_at(settings.backups)
        if newest is None:
            findings.append(Finding("backups", Level.WARNING, f"There is no backup in {settings.backups}."))
        else:
            age = time.time() - newest.timestamp()
            level = Level.WARNING if age > MAX_BACKUP_AGE else Level.OK
            findings.append(Finding("backups", level, f"The newest one is {age / DAY:.1f} days old."))

    return findings


async def _address(host: str, port: int) -> tuple[bool, Finding]:
    """Asks the bot at its own address; if nothing answers, checks whether it could listen there.

    Returns:
        Whether the bot runs there, and the finding.
    """
    subject = "address"
    if port:
        try:
            status, text = await _get(f"http://{_reachable(host)}:{port}/readyz")
        except (aiohttp.ClientError, OSError, TimeoutError):
            pass
        else:
            is_ours = "ready" in text
            if not is_ours:
                sentence = f"Another program answers at {host}:{port}: end it, or change DURAK_HTTP_PORT."
                return False, Finding(subject, Level.NOT_NOW, sentence)

            level = Level.OK if status == 200 else Level.NOT_NOW
            return True, Finding(subject, level, f"The bot runs at {host}:{port}: {text.strip()}.")

    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
    except OSError as error:
        level = Level.NOT_NOW if error.errno == errno.EADDRINUSE else Level.WRONG
        sentence = f"DURAK_HTTP_HOST and DURAK_HTTP_PORT: cannot listen on {host}:{port} ({error.strerror})."
        return False, Finding(subject, level, sentence)

    return False, Finding(subject, Level.OK, f"The bot does not run, and can listen at {host}:{port}.")


async def _public_address(origin: str, *, is_running: bool) -> Finding:
    subject = "page"
    if not is_running:
        return Finding(subject, Level.OK, f"{origin} is asked for the bot only while that runs.")

    try:
        status, text = await _get(f"{origin}/healthz")
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        return Finding(subject, Level.NOT_NOW, f"{origin} can't be reached: {why_unreachable(error)}.")

    if status != 200 or text.strip() != "ok":
        sentence = f"{origin} does not lead to the bot: it answers with status {status}. Look at the proxy."
        return Finding(subject, Level.WRONG, sentence)

    return Finding(subject, Level.OK, f"{origin} leads to the bot.")


async def _get(url: str) -> tuple[int, str]:
    timeout = aiohttp.ClientTimeout(total=ANSWER_TIMEOUT)
    async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as response:
        return response.status, await response.text()


def _reachable(host: str) -> str:
    """Returns the host, as part of a URL, at which this machine reaches a bot that listens at `host`."""
    try:
        address = ip_address(host)
    except ValueError:
        return host

    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"

    return f"[{host}]" if address.version == 6 else host
