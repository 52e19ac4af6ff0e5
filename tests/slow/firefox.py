"""Plays a whole game on the page in Firefox by touch and by keys, through the shipped entry point.

    apt install firefox-esr && python -m tests.slow.firefox

It ends with an error if the game does not end as recorded, or anything stood in red in the console.
"""

import asyncio
import random
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.e2e.live_table import Player, Sight, clicks, types
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.wire.browser import Browser, Device
from tests.wire.firefox import Firefox

PHONE = Device(390, 844, has_touch=True, is_calm=True)  # as wide as a phone, and touched like one
MAX_SECONDS = 120.0


async def taps_and_types(player: Player, sight: Sight) -> None:
    """Plays by touch and by keys, at random."""
    await player.chance.choice([clicks, types])(player, sight)  # in Firefox the pointer is a finger


async def play() -> None:
    """Plays against a bot by touch and by keys."""
    firefox = Firefox()
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {})
        await bot.start()
        async with asyncio.timeout(MAX_SECONDS), Browser(firefox) as browser:
            anna = await browser.guest(bot.address, "Anna", PHONE)
            await anna.types("/durak podkidnoy-24 throw_in=none bots=beginner")
            await anna.page.wait_for_selector("#room.live .held")
            await anna.page.evaluate(
                "addEventListener('pointerdown', event => window.pointer = event.pointerType)"
            )
            await Player(anna, random.Random(1)).plays(taps_and_types)

            (game,) = games(bot.database)
            assert game.outcome is not None
            assert await anna.page.evaluate("pointer") == "touch"
            assert not anna.complaints, anna.complaints

        await bot.stop()

    await firefox.stop()
    print(f"Played a game of {len(game.moves)} moves in Firefox.")


if __name__ == "__main__":
    asyncio.run(play())
