"""Pictures beside screens are drawn without delaying anybody."""

import asyncio
import threading
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from adapters.port import Screen, Span
from bot.delivery.illustrator import MAX_ALT_LENGTH, Illustrator
from bot.locale import Translator
from bot.people import Servers
from bot.pictures.subjects import Bar, Chart
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


@pytest.mark.parametrize(("length", "is_drawn"), [(MAX_ALT_LENGTH - 100, True), (MAX_ALT_LENGTH, False)])
async def test_facts_that_would_not_fit_into_the_words_for_a_picture_stay_in_the_text(
    database: Database, length: int, *, is_drawn: bool
) -> None:
    illustrator = Illustrator(Servers(ServerStore(database)), {PLATFORM: Chat()})
    screen = Screen((Span("Anna takes."),), details=(Span("d" * length),))
    chart = Chart((Bar("Anna", 1.0, "1"),))
    drawn = await illustrator.chart(screen, ROOM.server, chart, Translator("en"))
    assert (drawn.picture is not None) is is_drawn
    if drawn.picture is not None:
        assert drawn.picture.alt == "d" * length


async def test_nothing_is_drawn_for_a_chat_without_pictures(database: Database) -> None:
    chat = Chat()
    chat.limits = replace(chat.limits, pictures=False)
    illustrator = Illustrator(Servers(ServerStore(database)), {PLATFORM: chat})
    screen = Screen((Span("Leaderboard"),))
    chart = Chart((Bar("Anna", 1.0, "1"),))
    assert await illustrator.chart(screen, ROOM.server, chart, Translator("en")) == screen


async def test_a_screen_whose_picture_cannot_be_drawn_comes_as_text(database: Database) -> None:
    illustrator = Illustrator(Servers(ServerStore(database)), {PLATFORM: Chat()})
    screen = Screen((Span("Leaderboard"),))
    with capture_logs() as lines:
        impossible = Chart((Bar("Anna", 10**400, "1"),))
        assert await illustrator.chart(screen, ROOM.server, impossible, Translator("en")) == screen

    assert [(line["event"], line["subject"]) for line in lines] == [("picture_failed", "Chart")]
    chart = Chart((Bar("Anna", 1.0, "1"),))
    assert (await illustrator.chart(screen, ROOM.server, chart, Translator("en"))).picture is not None
