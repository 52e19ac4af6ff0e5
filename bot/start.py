"""Starts the bot from its settings: opens the database, creates the chats, and runs everything."""

import argparse
import asyncio
import errno
import gc
import sys
import time
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from aiohttp import web

from adapters.port import Adapter
from adapters.web import GAMES, IN, PUZZLES, WebAdapter, listening
from bot.app import SCHEMA, Bot
from bot.chats import adapters_of, chats_with_tokens, proxies_of, text_of, view_page
from bot.config import InvalidConfigError, Settings, read_settings
from bot.delivery.views import LINK
from bot.locale import load_languages
from bot.model.calendar import DAY_SECONDS
from bot.model.owner import Owner
from bot.process.backups import BACKUP, RESTORE
from bot.process.check import check_command
from bot.process.connections import NoChatError
from bot.process.daily_backups import CLOCK_CHECK_SECONDS, back_up_if_due
from bot.process.exits import DEFECT, NOT_NOW, SETTINGS, CannotStartError
from bot.process.jobs import Job
from bot.process.lifecycle import run_until_signal
from bot.process.logs import configure_logs, discard_unwritable_output, tell_owner, tell_owner_secretly
from bot.process.migrating import migrating_app, open_database
from bot.process.move import move_command
from bot.process.old_moves import forget_older, until_quiet_hour
from bot.process.pulse import Pulse
from bot.process.step import step_command
from bot.process.version import described_version
from bot.storage import BackupFailedError, Database, DatabaseUnusableError, OldMoveStore
from bot.thinking.cluster import Cluster
from bot.thinking.processes import Processes, default_count
from bot.thinking.queue import ThoughtQueue

WATCH_SECONDS = 15.0  # the pause between two checks that the database answers
GUESTS_SECONDS = 60 * 60.0  # the pause between two removals of guests who have left the page

# Errors of an address that may be temporary: it is in use, or does not exist yet.
PASSING_ERRORS = (errno.EADDRINUSE, errno.EADDRNOTAVAIL)


async def serve(settings: Settings, *, has_agreed: bool = False) -> None:
    """Runs the bot until cancelled; `has_agreed`: the owner has a copy of the database before an upgrade.

    Raises:
        CannotStartError: The database or the address cannot be used, or no chat accepts its token.
    """
    async with AsyncExitStack() as stack:
        pulse = Pulse()
        await stack.enter_async_context(pulse.beating())
        database = await _open_database(settings, stack, has_agreed=has_agreed)
        await asyncio.to_thread(load_languages)  # while no chat waits for a sentence
        adapters = adapters_of(settings, database)

        origin = settings.public_origin
        page = origin if settings.serves_web else ""
        replays = page and page + GAMES
        puzzles = page and page + PUZZLES
        links = origin and f"{origin}{IN}{LINK}"
        bot = Bot(
            adapters,
            database,
            time.time,
            pace=settings.pace,
            locale=settings.locale,
            public_metrics=settings.metrics == "public",
            replays=replays,
            puzzles=puzzles,
            links=links,
            owner=Owner(settings.contact, text_of(settings.privacy_url) or ""),
            thinking=ThoughtQueue(Processes(settings.thinkers or default_count()), _cluster(settings)),
            backups=settings.backups,
        )

        if settings.public_origin:
            view_page(settings, bot).attach(bot.http, is_alone=not settings.serves_web)

        for adapter in adapters.values():
            if isinstance(adapter, WebAdapter):
                adapter.attach(bot.http, bot.pages)

        address = await stack.enter_async_context(_listening(bot.http, settings))

        errors: list[CannotStartError] = []
        supervisor = bot.connections.supervisor
        claiming = supervisor.keep("claim", database.keep_claim, ends=(DatabaseUnusableError,))
        announcing = partial(_announce, settings, address, bot, database, pulse)
        database.on_claim_lost(bot.connections.suspend)
        gc.freeze()  # the languages and the parts of the bot are never freed either, see `bot.__main__`

        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(bot.run(_jobs_of_owner(settings, database, adapters.values())))
                tasks.create_task(claiming)
                tasks.create_task(supervisor.complete("search for damage", database.search_for_damage))
                tasks.create_task(supervisor.complete("announcement", announcing))
        except* (NoChatError, DatabaseUnusableError) as group:
            errors = [_end_of(error) for error in _leaves(group)]

        if errors:
            raise errors[0]


def _jobs_of_owner(settings: Settings, database: Database, adapters: Iterable[Adapter]) -> Iterator[Job]:
    """Yields the jobs that depend on the settings, and those of the database."""
    yield Job("database", every=WATCH_SECONDS, run=database.is_healthy)  # checks even if nobody plays
    yield Job("statistics", every=DAY_SECONDS, run=database.gather_statistics, at_start=True)

    if settings.backups is not None:
        back_up = partial(back_up_if_due, settings.database_url, settings.backups)
        yield Job("backups", every=CLOCK_CHECK_SECONDS, run=back_up, at_start=True)

    if settings.keep_moves is not None:
        forget = partial(forget_older, OldMoveStore(database), settings.keep_moves, time.time)
        yield Job("old moves", every=until_quiet_hour, run=forget)

    for adapter in adapters:
        if isinstance(adapter, WebAdapter):
            yield Job("guests of the page", every=GUESTS_SECONDS, run=adapter.tidy)


@asynccontextmanager
async def _listening(app: web.Application, settings: Settings) -> AsyncIterator[str]:
    """Serves an application at the address in the settings; yields the address.

    Raises:
        CannotStartError: The address cannot be used.
    """
    host = settings.http_host
    port = settings.http_port
    async with AsyncExitStack() as stack:
        try:
            address = await stack.enter_async_context(listening(app, host, port, proxies_of(settings)))
        except OSError as error:
            why = f"cannot listen on {host}:{port} ({error.strerror})"
            code = NOT_NOW if error.errno in PASSING_ERRORS else SETTINGS
            raise CannotStartError(f"DURAK_HTTP_HOST and DURAK_HTTP_PORT: {why}.", code) from error

        yield address


def _end_of(error: Exception) -> CannotStartError:
    """Converts an error to the sentence and the exit code with which the process ends."""
    is_passing = isinstance(error, DatabaseUnusableError) and error.is_passing
    exit_code = NOT_NOW if is_passing else SETTINGS
    return CannotStartError(str(error), exit_code)


def _cluster(settings: Settings) -> Cluster | None:
    """Creates the cluster for slow computations, if the settings name one.

    Raises:
        CannotStartError: The Dask library is not installed.
    """
    if settings.dask is None:
        return None

    if find_spec("distributed") is None:
        why = "DURAK_DASK needs the library of Dask: pip install 'durak-bot[dask]'."
        raise CannotStartError(why, SETTINGS)

    return Cluster(str(settings.dask))


async def _open_database(settings: Settings, stack: AsyncExitStack, *, has_agreed: bool) -> Database:
    """Opens and upgrades the database; the stack closes it.

    Raises:
        CannotStartError: The database cannot be used.
    """
    try:
        database = Database(settings.database_url, SCHEMA)
        stack.push_async_callback(database.close)
        await database.claim()
        waiting = _listening(migrating_app(), settings)
        await open_database(database, has_agreed=has_agreed, listening=waiting)
    except CannotStartError:
        raise
    except DatabaseUnusableError as error:
        raise _end_of(error) from error
    except Exception as error:
        raise CannotStartError(
            f"The database in DURAK_DATABASE_URL cannot be opened: {type(error).__name__}.", DEFECT
        ) from error

    return database


async def _announce(settings: Settings, address: str, bot: Bot, database: Database, pulse: Pulse) -> None:
    """Shows the owner the addresses; the moderator's link is secret, and must not be logged."""
    page = (settings.public_origin or address) if settings.serves_web else ""
    await bot.connections.settled()
    summary = readiness(bot.connections.ready, bot.connections.missing, page=page, address=address)
    tell_owner(summary)
    if half_done := half_done_doors(settings):
        tell_owner(half_done)

    pulse.up(summary)

    file = database.file or Path("durak.db")
    for adapter in bot.chats.values():
        if isinstance(adapter, WebAdapter):
            link = page + adapter.owner_path
            tell_owner_secretly("Moderator link", link, file.with_name(f"{file.name}.moderator"))


def half_done_doors(settings: Settings) -> str:
    """Returns a sentence about chats that could show tables inside if the page had https; else empty."""
    chats = []
    if settings.telegram_token is not None:
        chats.append("Telegram")
    if settings.discord_client_secret is not None:
        chats.append("Discord")
    if not chats or not settings.public_origin.startswith("http:"):
        return ""

    names = " and ".join(chats)
    verb = "open" if len(chats) > 1 else "opens"
    return f"DURAK_PUBLIC_URL is http: {names} {verb} only https inside, so tables open in the browser there."


def readiness(ready: Collection[str], missing: Mapping[str, str], *, page: str, address: str) -> str:
    """Returns the sentences about the chats that are ready, and those that are not.

    Args:
        ready: The platforms that are connected.
        missing: The reasons why the other platforms are not, by platform.
        page: The address of the page; empty if it isn't served.
        address: The address of health and metrics.
    """
    chats = [platform.capitalize() for platform in ready if platform != WebAdapter.platform]
    where = f" in {' and '.join(chats)}" if chats else ""
    sentences = [f"Durak is ready{where}: open {page}/ and play." if page else f"Durak is ready{where}."]
    if not ready:
        sentences = ["Durak runs, and waits for its chats."]

    sentences += [
        f"Not yet in {platform.capitalize()}: {why.rstrip('.')}." for platform, why in missing.items()
    ]
    if not page:
        sentences.append(f"Health and metrics: {address}/")

    return " ".join(sentences)


def _leaves(group: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


# --- The command line ---


SUBCOMMANDS = (
    BACKUP,
    RESTORE,
    move_command(SCHEMA),
    check_command(chats_with_tokens, SCHEMA),
    step_command(SCHEMA),
)
YES = "bring a PostgreSQL database up to date, of which you have a copy"


def run() -> None:
    """Runs the bot until it is stopped, or a subcommand; exits with one sentence after an error."""
    parser = argparse.ArgumentParser(
        prog="durak-bot", description="Durak in your chat. Without a command, runs the bot."
    )
    names = " | ".join(command.name for command in SUBCOMMANDS)
    parsers = parser.add_subparsers(dest="command", metavar=names)
    for command in SUBCOMMANDS:
        command.add_arguments(parsers.add_parser(command.name, help=command.summary))

    parser.add_argument("--version", action="version", version=described_version())
    parser.add_argument("--yes", action="store_true", help=YES)
    arguments = parser.parse_args()

    try:
        for command in SUBCOMMANDS:
            if command.name == arguments.command:
                sys.exit(command.run(arguments))

        settings = read_settings()
        configure_logs(settings.log_level, settings.log_format)
        asyncio.run(run_until_signal(serve(settings, has_agreed=arguments.yes)))
    except InvalidConfigError as error:
        _exit(str(error), SETTINGS)
    except CannotStartError as error:
        _exit(str(error), error.code)
    except DatabaseUnusableError as error:
        _exit(str(error), _end_of(error).code)
    except BackupFailedError as error:
        _exit(str(error), DEFECT)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        discard_unwritable_output()


def _exit(sentence: str, code: int) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(code)
