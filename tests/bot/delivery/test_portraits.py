"""Portraits at tables: when and for whom they are fetched, and who sees them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.port import Board, LobbyBoard
from bot.delivery.portraits import AGAIN_SECONDS, KEPT_SECONDS, PAUSE_SECONDS
from bot.model.table import Table
from tests.adapters.contract.portraits import BLUE, RED, dots_like, is_like, square
from tests.bot.chat import ROOM, Chat, person
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot, running_bot
from tests.bot.views import Watcher

LINKS = "https://durak.example/in/link"
DORA = person("Dora")


@pytest.fixture
async def bot(database_url: str, chat: Chat) -> AsyncIterator[RunningBot]:
    """Yields a bot with a page for live tables, in a chat where Anna shows a picture."""
    chat.portraits[ANNA.ref] = square(RED)
    async with running_bot(database_url, chat, links=LINKS) as bot:
        yield bot


def keys(watcher: Watcher) -> list[str]:
    """Returns the keys of the portraits at the seats in a view."""
    board = watcher.view.table.board
    seats = board.players if isinstance(board, LobbyBoard) else watcher.board.seats
    return [seat.portrait for seat in seats]


def shown_to(watcher: Watcher) -> list[bytes | None]:
    views = watcher.bot.app.views
    return [views.portrait(key) if key else None for key in keys(watcher)]


async def changes(bot: RunningBot, table: Table) -> None:
    """Changes a table."""
    bot.app.table_events.changed(table.id)
    await bot.settle()


# --- whose, and when --------------------------------------------------------------------------------------


async def test_only_people_who_sit_down_are_asked_about_and_each_once(bot: RunningBot) -> None:
    await bot.chat.types(DORA, "/help")
    await bot.chat.types(DORA, "/stats")
    table = await bot.opened(ANNA)
    await Watcher.opens(bot, table, CLARA)  # who only watches
    assert bot.chat.portraits_asked == [ANNA.ref]

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    for _ in range(6):
        await bot.plays(table)

    await bot.settle()
    assert bot.chat.portraits_asked == [ANNA.ref, BORIS.ref]


async def test_nobody_is_asked_about_where_nothing_would_show_a_portrait(
    database_url: str, chat: Chat
) -> None:
    async with running_bot(database_url, chat) as bot:  # in text, and without a page
        table = await bot.opened(ANNA)
        assert not chat.portraits_asked

        await bot.app.servers.choose(ROOM.server, view="picture")
        await bot.skip(PAUSE_SECONDS)
        await changes(bot, table)
        assert chat.portraits_asked == [ANNA.ref]


async def test_a_table_announced_for_later_asks_about_nobody(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak 23:59")
    await bot.settle()
    assert not bot.chat.portraits_asked


async def test_whoever_wants_no_picture_shown_is_not_asked_about(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/me picture off")
    table = await bot.opened(BORIS, ANNA)
    assert bot.chat.portraits_asked == [BORIS.ref]
    assert not any(keys(await Watcher.opens(bot, table, BORIS)))


async def test_a_portrait_is_asked_for_again_after_half_a_day(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await bot.skip(AGAIN_SECONDS - 60.0)
    await changes(bot, table)
    assert len(bot.chat.portraits_asked) == 1

    await bot.skip(60.0)
    bot.chat.portraits[ANNA.ref] = square(BLUE)
    await bot.opened(ANNA)
    assert len(bot.chat.portraits_asked) == 2


async def test_the_same_picture_keeps_its_key_and_another_one_gets_its_own(
    bot: RunningBot, chat: Chat
) -> None:
    table = await bot.opened(ANNA)
    (key,) = keys(await Watcher.opens(bot, table, BORIS))
    for picture, is_same in ((square(RED), True), (square(BLUE), False)):
        chat.portraits[ANNA.ref] = picture
        await bot.skip(AGAIN_SECONDS)
        table = await bot.opened(ANNA)
        (now,) = keys(await Watcher.opens(bot, table, BORIS))
        assert (now == key) is is_same


# --- in views ---------------------------------------------------------------------------------------------


async def test_a_view_shows_portraits_in_the_lobby_the_game_and_the_result(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules=SHORT_GAME)
    watcher = await Watcher.opens(bot, table, BORIS)
    anna, boris = shown_to(watcher)
    assert is_like(anna, RED)
    assert boris is None

    await watcher.closes()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    watcher = await Watcher.opens(bot, table, BORIS)
    assert shown_to(watcher) == [anna, None]

    await watcher.closes()
    await bot.plays_to_the_end(table)
    watcher = await Watcher.opens(bot, table, BORIS)
    result = watcher.view.result
    assert result is not None
    assert isinstance(result.board, Board)
    assert result.board.seats == watcher.board.seats
    assert shown_to(watcher) == [anna, None]


async def test_a_key_reveals_neither_the_person_nor_their_picture(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    watcher = await Watcher.opens(bot, table, BORIS)
    key, _ = keys(watcher)
    assert len(key) >= 22
    assert ANNA.ref.id not in key
    assert bot.app.views.portrait("x" * len(key)) is None


async def test_a_portrait_that_comes_later_wakes_the_open_views(bot: RunningBot) -> None:
    bot.chat.broken_portraits.add(ANNA.ref)
    table = await bot.dealt(ANNA, BORIS)
    watcher = await Watcher.opens(bot, table, BORIS)
    assert not any(keys(watcher))

    bot.chat.broken_portraits.clear()
    await bot.skip(PAUSE_SECONDS + 1.0)
    await changes(bot, table)
    assert keys(watcher)[0]


async def test_a_picture_that_never_comes_delays_nobody_elses(bot: RunningBot, chat: Chat) -> None:
    chat.portrait_gates[ANNA.ref] = asyncio.Event()
    chat.portraits[BORIS.ref] = square(BLUE)
    table = await bot.dealt(ANNA, BORIS)
    watcher = await Watcher.opens(bot, table, BORIS)
    anna, boris = shown_to(watcher)
    assert anna is None
    assert is_like(boris, BLUE)


async def test_a_file_that_is_no_picture_shows_the_face_as_without_one(bot: RunningBot, chat: Chat) -> None:
    chat.portraits[ANNA.ref] = b"<svg onload='alert(1)'/>"
    table = await bot.dealt(ANNA, BORIS)
    assert not any(keys(await Watcher.opens(bot, table, BORIS)))


# --- an end -----------------------------------------------------------------------------------------------


async def test_switching_it_off_takes_the_portrait_away_at_once_and_on_brings_it_back(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    watcher = await Watcher.opens(bot, table, BORIS)
    before, _ = keys(watcher)

    await bot.chat.types(ANNA, "/me picture off")
    await bot.settle()
    assert not any(keys(watcher))
    assert bot.app.views.portrait(before) is None

    await bot.chat.types(ANNA, "/me picture on")
    await bot.settle()
    assert keys(watcher)[0]


async def test_forgetting_a_person_takes_their_portrait_away(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    watcher = await Watcher.opens(bot, table, BORIS)
    before, _ = keys(watcher)
    await bot.chat.types(ANNA, "/forgetme yes")
    await bot.settle()
    assert not any(keys(watcher))
    assert bot.app.views.portrait(before) is None


async def test_a_portrait_on_its_way_does_not_outlive_its_person(bot: RunningBot, chat: Chat) -> None:
    gate = chat.portrait_gates[ANNA.ref] = asyncio.Event()
    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.types(ANNA, "/forgetme yes")
    gate.set()
    await bot.settle()
    assert bot.app.portraits.of(ANNA.ref) is None
    assert not any(keys(await Watcher.opens(bot, table, BORIS)))


async def test_an_old_portrait_is_dropped(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    assert bot.app.portraits.of(ANNA.ref) is not None
    await bot.skip(KEPT_SECONDS + 1.0)
    assert bot.app.portraits.of(ANNA.ref) is None


# --- in the picture of a result ---------------------------------------------------------------------------


async def test_the_picture_of_a_result_shows_portraits_and_the_shared_one_none(
    bot: RunningBot, chat: Chat
) -> None:
    await bot.app.servers.choose(ROOM.server, view="picture")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    shown = [message.screen.picture for message in chat.room_sees() if message.screen.picture is not None]
    shared = await bot.app.pages.end_picture(ROOM.server, table.id, 1, "en")
    assert shared is not None
    assert dots_like(shown[-1].png, RED) > 1000
    assert dots_like(shared, RED) == 0
