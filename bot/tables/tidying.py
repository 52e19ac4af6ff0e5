"""Keeps a process small that lives for months."""

import asyncio

import structlog

from bot.tables.service import Parlour

log = structlog.get_logger()

TIDY_SECONDS = 10 * 60.0
"""How often the parlour looks for tables that nobody needs."""


async def keep_tidy(parlour: Parlour) -> None:
    """Let the parlour put tables away from time to time, until cancelled."""
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        try:
            await parlour.tidy()
        except Exception:
            log.exception("tidying_failed")
