"""Plays a whole game on the page in Firefox, through the shipped entry point.

    apt install firefox-esr && python -m tests.slow.firefox

It ends with an error if the game does not end as recorded, or anything stood in red in the console.
"""

import asyncio
import random
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.e2e.live_table import Player, clicks
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.wire.browser import Browser, Device
from tests.wire.firefox import Firefox

NARROW = Device(390, 844)
"""As wide as a phone; Firefox is not asked to be one."""

MOST_SECONDS = 120.0


async def play() -> None:
    """Play against a bot by the mouse."""
    firefox = Firefox()
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {})
        await bot.start()
        async with asyncio.timeout(MOST_SECONDS), Browser(firefox) as browser:
            anna = await browser.guest(bot.address, "Anna", NARROW)
            await anna.types("/durak podkidnoy-24 throw_in=none bots=beginner")
            await anna.page.wait_for_selector("#room.live .held")
            await Player(anna, random.Random(1)).plays(clicks)
            (game,) = games(bot.database)
            assert game.outcome is not None
            assert not anna.complaints, anna.complaints
        await bot.stop()
    await firefox.stop()
    print(f"Played a game of {len(game.moves)} moves in Firefox.")


if __name__ == "__main__":
    asyncio.run(play())
