"""Keeps a process small that lives for months."""

import asyncio

import structlog

from bot.tables.service import TableService

log = structlog.get_logger()

TIDY_SECONDS = 10 * 60.0
"""How often somebody looks for tables that nobody needs."""


async def keep_tidy(tables: TableService) -> None:
    """Put tables away from time to time, until cancelled."""
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        try:
            await tables.tidy()
        except Exception:
            log.exception("tidying_failed")
