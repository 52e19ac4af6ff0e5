"""A whole game of four on the page's live table, each in a browser, and each playing in their own way."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.game import sit_down
from tests.e2e.knowledge import leaks
from tests.e2e.live_table import Finger, Player, Way, clicks, taps, types
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.e2e.web import Site
from tests.wire.browser import DESKTOP, PHONE, Browser
from tests.wire.chromium import Chromium

pytestmark = pytest.mark.parametrize("chat", ["web"], indirect=True)

CALM_PHONE = replace(PHONE, is_calm=True)
CALM_DESKTOP = replace(DESKTOP, is_calm=True)
DEVICES = {"Anna": CALM_PHONE, "Boris": PHONE, "Clara": CALM_DESKTOP, "Dana": CALM_DESKTOP}

# All cards are dealt, and few players may throw in: some fifty moves.
SHORT = "/durak perevodnoy deck=24 throw_in=attacker attack_limit=2"

# Chromium's complaint about an unencrypted page of another machine.
NOT_ENCRYPTED = "Cross-Origin-Opener-Policy header has been ignored"

GAME_WITHIN = 200.0  # seconds for four pages on a machine that is busy with other tests


async def test_a_game_is_played_by_tapping_by_dragging_by_keys_and_by_a_mouse_and_nobody_gets_a_card_too_many(
    chat: Site, bot: BotProcess
) -> None:
    people = [await chat.newcomer(name, device) for name, device in DEVICES.items()]
    await sit_down(people, command=SHORT)
    boris = people[1].guest
    finger = Finger(await boris.page.context.new_cdp_session(boris.page))
    ways: list[Way] = [taps, finger.drags, types, clicks]

    async with asyncio.timeout(GAME_WITHIN), asyncio.TaskGroup() as together:
        for number, (person, way) in enumerate(zip(people, ways, strict=True)):
            together.create_task(Player(person.guest, random.Random(number)).plays(way))

    (game,) = games(bot.database)
    assert game.outcome is not None
    assert {line.seat for line in game.moves} == {0, 1, 2, 3}

    for person in people:
        read = person.has_read()
        assert any('"seats":[' in piece.text for piece in read)
        assert any('"moves":[' in piece.text for piece in read)
        assert not leaks(game, game.names.index(person.name), read)
        assert not person.guest.complaints


async def test_two_phones_on_one_network_play_from_the_address_that_the_lobby_shows(
    chat: Site, chromium: Chromium, tmp_path: Path
) -> None:
    bot = BotProcess(tmp_path, {"DURAK_HTTP_HOST": "0.0.0.0"})  # friends on the same network come in
    await bot.start()
    await chat.met(bot)
    anna = (await chat.newcomer("Anna", CALM_PHONE)).guest
    await anna.types("/durak podkidnoy-24 throw_in=attacker")
    link = await anna.page.locator(".lobby-guests:has(.code-picture:not([hidden])) a").inner_text()
    assert "localhost" not in link
    assert "127.0.0.1" not in link

    async with Browser(chromium) as elsewhere:
        boris = await elsewhere.guest(link, "Boris", CALM_PHONE)
        await anna.touches("Start")

        async with asyncio.timeout(GAME_WITHIN), asyncio.TaskGroup() as together:
            for number, guest in enumerate((anna, boris)):
                together.create_task(Player(guest, random.Random(number)).plays(taps))

        complaints = [*anna.complaints, *boris.complaints]
        assert [complaint for complaint in complaints if NOT_ENCRYPTED not in complaint] == []

    (game,) = games(bot.database)
    assert game.outcome is not None
    assert list(game.names) == ["Anna", "Boris"]
    assert await bot.stop() == 0
