"""Makes a backup each night while the bot runs, in the folder that `DURAK_BACKUPS` names."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from bot.storage.backups import back_up_into, newest_at

log = structlog.get_logger()

QUIET_HOUR = 4  # o'clock, by the clock of the machine
CLOCK_CHECK_SECONDS = 10 * 60.0  # between two checks of the clock


async def back_up_if_due(url: str, folder: Path) -> None:
    """Makes a backup if none was made since the last 04:00.

    Raises:
        BackupFailedError: A backup can't be made, or isn't sound.
    """
    newest = await asyncio.to_thread(newest_at, folder)
    if is_due(newest, datetime.now().astimezone()):
        backup = await asyncio.to_thread(back_up_into, url, folder)
        log.info("backup_made", file=str(backup))


def is_due(newest: datetime | None, now: datetime) -> bool:
    """Returns whether no backup was made since the last 04:00."""
    began = now.replace(hour=QUIET_HOUR, minute=0, second=0, microsecond=0)
    if began > now:
        began -= timedelta(days=1)
    return newest is None or newest < began
