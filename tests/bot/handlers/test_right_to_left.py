"""Right-to-left names and words do not change the order of the sentences around them."""

import unicodedata
from collections.abc import Iterator

from adapters.port import Screen
from bot.screens.text import FIRST_STRONG_ISOLATE, POP_ISOLATE
from tests.bot.chat import ROOM, person
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, RunningBot
from tests.bot.screens.scenes import CHATS

ALI = person("علي")
DANI = person("דני לוי")


def unprotected(text: str) -> str:
    """Returns the right-to-left letters outside of an isolate."""
    depth = 0
    found = ""
    for character in text:
        depth += (character == FIRST_STRONG_ISOLATE) - (character == POP_ISOLATE)
        if depth == 0 and unicodedata.bidirectional(character) in {"R", "AL"}:
            found += character

    assert depth == 0, text
    return found


def texts(screen: Screen) -> Iterator[str]:
    yield text_of(screen)
    yield from (button.label for button in buttons_of(screen))
    if screen.picture is not None:
        yield screen.picture.alt


async def test_no_sentence_is_turned_by_a_name(bot: RunningBot) -> None:
    bot.chat.limits = CHATS[1]
    bot.chat.names[ROOM.server] = "שחקנים"
    bot.chat.moderators.add(ALI.ref)
    await bot.chat.types(ALI, "/settings save מהיר deck=52")
    await bot.app.servers.choose(ROOM.server, titles="on", bets="on", teasing="on", week="on")

    for _ in range(3):
        table = await bot.dealt(ALI, DANI, ANNA, rules="podkidnoy-24")
        await bot.plays(table)
        await bot.chat.types(DANI, "/stop")
        await bot.app.tables.resign(table.id, DANI)
        await bot.settle()

    await bot.chat.types(ANNA, "/durak 20:30", mentioned=(ALI, DANI))
    await bot.skip(60)
    for command in ("fool", "leaderboard", "stats", "settings", "rules מהיר", "rules אין", "אין", "cup"):
        await bot.chat.types(ALI, f"/{command}")

    await bot.chat.types(ALI, "/fool add", mentioned=(DANI, ANNA))
    await bot.skip(24 * 60 * 60)

    screens = [sent.screen for sent in bot.chat.sent if sent.screen is not None]
    shown = [text for screen in screens for text in texts(screen)]
    notices = [notice for _, notice in bot.chat.notices]
    assert any(ALI.name in text for text in shown)
    assert any("מהיר" in text for text in shown)
    turned = {text for text in (*shown, *notices) if unprotected(text)}
    assert not turned
