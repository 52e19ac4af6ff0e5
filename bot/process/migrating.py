"""Upgrades a database at a start: announces the work, makes a copy first, and shows the progress."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from bot.process.exits import SETTINGS, CannotStartError
from bot.process.logs import tell_owner
from bot.process.progress import Display
from bot.storage import BackupFailedError, Database, Upgrade, back_up

# The refusal on PostgreSQL, where the bot makes no copy by itself.
NEEDS_YES = (
    "The PostgreSQL database needs {work}, which can't be taken back: make a copy with `pg_dump`, and start "
    "the bot once with `durak-bot --yes`."
)


async def open_database(
    database: Database,
    *,
    has_agreed: bool = False,
    listening: AbstractAsyncContextManager[object] | None = None,
) -> None:
    """Opens a database that this process has locked.

    A database of an older version is first copied (SQLite only), upgraded, and checked.

    Args:
        database: The database.
        has_agreed: Whether the owner confirmed by `--yes` that there is a copy.
        listening: Answers `/healthz` while the work is running.

    Raises:
        CannotStartError: It needs an upgrade, but there is no copy.
        DatabaseUnusableError: It can't be used.
    """
    upgrade = await database.due()
    if not upgrade.is_due:
        await database.open()
        await database.check_tables()
        return

    if upgrade.steps and database.file is None and not has_agreed:
        raise CannotStartError(NEEDS_YES.format(work=described(upgrade)), SETTINGS)

    display = Display()
    async with listening or nullcontext(), display.repeating():
        tell_owner(f"The database is brought up to date: {described(upgrade)}.")
        if upgrade.steps and database.file is not None:
            await _copy(database, database.file, upgrade, display)

        await database.open(display)
        await database.examine()


def described(upgrade: Upgrade) -> str:
    """Describes the work that is due, for the owner."""
    if not upgrade.steps:
        return f"{upgrade.games:,} games are counted"
    numbers = ", ".join(upgrade.steps)
    return f"step {numbers}" if len(upgrade.steps) == 1 else f"steps {numbers}"


def copy_of(file: Path, step: str) -> Path:
    """Returns the place of the copy that is made before a step."""
    return file.with_name(f"{file.stem}-before-{step}-{datetime.now(UTC):%Y%m%d-%H%M%S}{file.suffix}")


async def _copy(database: Database, file: Path, upgrade: Upgrade, display: Display) -> None:
    copy = copy_of(file, upgrade.steps[0])
    url = database.url.render_as_string(hide_password=False)
    try:
        await asyncio.to_thread(back_up, url, copy, display)
    except BackupFailedError as error:
        raise CannotStartError(f"No copy could be made before the upgrade: {error}", SETTINGS) from error

    tell_owner(f"A copy of what was there is in {copy}; `durak-bot restore {copy}` takes the upgrade back.")


def migrating_app() -> web.Application:
    """Returns the application that answers while the database is upgraded."""

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="migrating\n")

    async def not_ready(_: web.Request) -> web.Response:
        return web.Response(text="not ready: migrating\n", status=503)

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/{path:.*}", not_ready)])
    return app
