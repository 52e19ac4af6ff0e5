"""Pictures beside screens: drawn where they hold nobody up."""

import asyncio
import threading

from adapters.port import Screen, Span
from bot.delivery.illustrator import Illustrator
from bot.locale import Translator
from bot.pictures.subjects import Bar, Chart
from bot.servers import Servers
from bot.storage import Database, ServerStore
from tests.bot.chat import PLATFORM, ROOM, Chat


async def test_pictures_asked_for_at_once_are_drawn_one_after_the_other(database: Database) -> None:
    illustrator = Illustrator(Servers(ServerStore(database)), {PLATFORM: Chat()})
    before = set(threading.enumerate())
    screens = await asyncio.gather(
        *(
            illustrator.chart(
                Screen((Span("Leaderboard"),)),
                ROOM.server,
                Chart((Bar(f"Anna {number}", 1.0, "1"),)),
                Translator("en"),
            )
            for number in range(4)
        )
    )
    assert len({screen.picture.png for screen in screens if screen.picture is not None}) == 4
    drawing = {thread.name for thread in set(threading.enumerate()) - before}
    assert len([name for name in drawing if name.startswith("pictures")]) == 1
    assert not [name for name in drawing if name.startswith("asyncio")]
