"""Keeps a process small that lives for months."""

import asyncio
from collections.abc import Callable

import structlog

from bot.storage import MessageSlotStore
from bot.tables.service import TableService

log = structlog.get_logger()

TIDY_SECONDS = 10 * 60.0
"""How often somebody looks for tables that nobody needs."""

MESSAGES_KEPT = 30 * 24 * 60 * 60.0
"""For how many seconds after its last use the messages of a table are known."""

AT_ONCE = 20
"""Tables whose messages are forgotten at once."""


async def keep_tidy(tables: TableService, slots: MessageSlotStore, now: Callable[[], float]) -> None:
    """Put tables away from time to time, and forget old messages, until cancelled."""
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        try:
            await tables.tidy()
            while await slots.forget_old(now() - MESSAGES_KEPT, AT_ONCE) == AT_ONCE:
                pass
        except Exception:
            log.exception("tidying_failed")
