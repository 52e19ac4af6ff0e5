"""Films the README's game on a phone, on the page and against bots as they are: python -m tests.e2e.film.

Every game differs, so watch the film before you commit it.
"""

import asyncio
import random
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.e2e.live_table import Player, taps
from tests.e2e.process import BotProcess
from tests.wire.browser import PHONE, Browser, Guest
from tests.wire.chromium import Chromium

FILM = Path(__file__).parents[2] / ".github" / "phone.webp"

# The pace of the bots: fast enough for a short game, slow enough to see each of their moves.
PACE = "0.6"

# The first and the last pictures of a game; those between them are left out.
BEGINNING = 14
END = 4

CLOCK = re.compile(r"\d+:\d\d")  # changes without a move
SHOWN = 1_100  # milliseconds
SHOWN_LAST = 3_500  # milliseconds


async def pictures() -> Sequence[Image.Image]:
    """Plays a game, and returns a picture of the page after each change."""
    chromium = Chromium()
    try:
        with tempfile.TemporaryDirectory() as folder:
            bot = BotProcess(Path(folder), {"DURAK_PACE": PACE}, is_forked=False)
            await bot.start()
            async with Browser(chromium) as browser:
                anna = await browser.guest(bot.address, "Anna", replace(PHONE, is_calm=True))
                await anna.types("/durak podkidnoy-24")
                for label in ("Add bot", "Add bot", "Start"):
                    await anna.touches(label)

                await anna.page.wait_for_selector(".held")
                seen = await _seen(anna)

            await bot.stop()
            return seen
    finally:
        await chromium.stop()


async def _seen(anna: Guest) -> Sequence[Image.Image]:
    seen: list[bytes] = []
    shown = ""
    game = asyncio.create_task(Player(anna, random.Random()).plays(taps))

    while True:
        is_over = game.done()
        await anna.sees_nothing_move()
        picture = await anna.page.screenshot()
        now = CLOCK.sub("", await anna.page.inner_text("#stage"))
        if now != shown:
            seen.append(picture)

        shown = now
        if is_over:
            return [Image.open(BytesIO(picture)).convert("RGB") for picture in seen]

        await asyncio.sleep(0.2)


def main() -> None:
    """Writes the film."""
    seen = asyncio.run(pictures())
    shown = [*seen[:BEGINNING], *seen[BEGINNING:][-END:]]
    times = [*[SHOWN] * (len(shown) - 1), SHOWN_LAST]
    first, *others = shown
    first.save(FILM, save_all=True, append_images=others, duration=times, loop=0, quality=80, method=6)


if __name__ == "__main__":
    main()
