"""The limit of public posts that one person can cause in a chat and an hour."""

from adapters.port import Reply, RoomRef, ServerRef, User
from bot.handlers.notices import MAX_POSTS, POSTS_SECONDS, REPEAT_SECONDS
from tests.bot.chat import PLATFORM, ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

OTHER_CLUB = RoomRef(ServerRef(PLATFORM, "other-club"), "parlour")
ENOUGH = "That’s enough posts for now. Again in {} min."


async def announces(bot: RunningBot, user: User, room: RoomRef = ROOM) -> Reply:
    """Announces a table, calls it off again if it was posted, and returns the reply."""
    reply = await bot.chat.types(user, "/durak 20:30", room)
    await bot.settle()
    table = await bot.app.tables.announced_in(room)
    if table is not None:
        await bot.app.tables.change(table.id, lambda now: now.call_off())
        await bot.settle()

    return reply


async def test_six_announcements_an_hour_then_a_private_answer(bot: RunningBot) -> None:
    for _ in range(MAX_POSTS):
        assert (await announces(bot, ANNA)).toast is None
        await bot.skip(60.0)

    before = bot.chat.room_sees()
    refused = await announces(bot, ANNA)
    assert refused == Reply(toast=ENOUGH.format(54))
    assert bot.chat.room_sees() == before

    assert (await announces(bot, BORIS)).toast is None
    assert (await announces(bot, ANNA, OTHER_CLUB)).toast is None

    await bot.skip(POSTS_SECONDS - MAX_POSTS * 60.0)
    assert (await announces(bot, ANNA)).toast is None
    assert (await announces(bot, ANNA)).toast == ENOUGH.format(1)


async def opens(bot: RunningBot) -> Reply:
    """Opens a table of Anna's, and closes it if it was posted."""
    reply = await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    table = await bot.app.tables.in_room(ROOM)
    if table is not None:
        await bot.app.tables.change(table.id, lambda now: now.call_off())
        await bot.settle()

    return reply


async def test_tables_count_where_they_are_pinned(bot: RunningBot) -> None:
    for _ in range(MAX_POSTS + 1):
        assert (await opens(bot)).toast is None

    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings pins on")
    for _ in range(MAX_POSTS):
        assert (await opens(bot)).toast is None

    pins = bot.chat.pins_asked
    assert (await opens(bot)).toast == ENOUGH.format(60)
    assert bot.chat.pins_asked == pins


async def test_who_only_looks_for_the_standing_table_has_posted_nothing(bot: RunningBot) -> None:
    await bot.app.servers.choose(ROOM.server, pins="on")
    for _ in range(2 * MAX_POSTS):
        assert (await bot.chat.types(ANNA, "/durak")).toast is None
        assert (await bot.chat.types(ANNA, "/durak 20:30")).toast is None


async def test_games_with_real_cards_count_together_with_announcements(bot: RunningBot) -> None:
    for _ in range(MAX_POSTS - 1):
        await announces(bot, ANNA)

    await bot.chat.types(ANNA, "/fool add", mentioned=(BORIS, CLARA))
    refused = await bot.chat.types(ANNA, "/fool add", mentioned=(BORIS, CLARA))
    assert refused == Reply(toast=ENOUGH.format(60))


async def test_buttons_that_post_to_the_room_count_too(bot: RunningBot) -> None:
    table = await bot.dealt(BORIS, CLARA)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.types(BORIS, "/fool")
    fools = bot.chat.room_sees()[-1].ref

    for _ in range(MAX_POSTS // 2):
        assert (await bot.chat.presses(ANNA, result, "🏆 Leaderboard")).public is not None
        assert (await bot.chat.presses(ANNA, fools, "🏛 Seasons")).public is not None
        bot.clock.skip(REPEAT_SECONDS + 1)

    before = bot.chat.room_sees()
    for message, label in ((result, "🏆 Leaderboard"), (fools, "🏛 Seasons"), (result, "🎞 How it ended")):
        assert (await bot.chat.presses(ANNA, message, label)).toast == ENOUGH.format(45)

    assert bot.chat.room_sees() == before
    assert (await bot.chat.presses(BORIS, result, "🎞 How it ended")).document is not None
