"""The pulse of the process: measures the lag of the event loop, and feeds systemd's watchdog.

A unit of `Type=notify` is up once the bot reports it. A loop that hangs doesn't beat, so systemd restarts the
bot. A start may take any time, such as for upgrading the database, as long as the loop beats.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from bot.metrics import LOOP_LAG

BEAT_SECONDS = 1.0
MICROSECONDS = 1_000_000
START_BEATS = 30  # a start has failed after this many missed beats


class Pulse:
    """Beats once a second, and reports to systemd if that started the process."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._is_up = False

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Beats until the block ends."""
        task = asyncio.create_task(self._beat())
        try:
            yield
        finally:
            self._notify("STOPPING=1")
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def up(self, status: str) -> None:
        """Reports that the start has succeeded."""
        self._is_up = True
        self._notify(f"READY=1\nSTATUS={status}")

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        patience = int(START_BEATS * BEAT_SECONDS * MICROSECONDS)
        while True:
            state = "WATCHDOG=1" if self._is_up else f"EXTEND_TIMEOUT_USEC={patience}"
            self._notify(state)
            due = loop.time() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            LOOP_LAG.observe(max(0.0, loop.time() - due))

    def _notify(self, state: str) -> None:
        if not self._address:
            return

        address = self._address
        if address.startswith("@"):  # Linux's name for a socket without a file
            address = "\0" + address[1:]

        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.setblocking(False)
            systemd.sendto(state.encode(), address)
