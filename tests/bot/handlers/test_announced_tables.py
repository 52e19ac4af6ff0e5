"""`/durak 20:30`: its guests, the lobby that opens then, and the call to it."""

import pytest

from adapters.port import Span, User, UserRef
from bot.delivery.calls import PAUSE
from bot.model.table import Phase, Table
from bot.tables.schedule import MAX_DELAY_SECONDS, ROOM_RETRY_SECONDS
from tests.bot.chat import ROOM
from tests.bot.messages import Message
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

MINUTE = 60.0
HOUR = 3600.0


async def announced(bot: RunningBot, *people: User, hours: float = 0.4) -> Table:
    """Announces a table for a time of today on UTC, where the clocks show 13:46:40 at first."""
    opener, *others = people
    local = (await bot.app.servers.choices(ROOM.server)).local_time
    await bot.chat.types(opener, f"/durak {local.at(bot.clock.now() + hours * HOUR):%H:%M}")
    await bot.settle()

    for other in others:
        await bot.taps(other, "I’m in")

    table = await bot.app.tables.announced_in(ROOM)
    assert table is not None
    assert table.starts_at is not None

    return table


async def comes(bot: RunningBot, table: Table, *, before: float = 0.0) -> None:
    """Skips time until a table is about to open in this many seconds."""
    assert table.starts_at is not None
    await bot.skip(table.starts_at - before - bot.clock.now())


def calls(bot: RunningBot) -> list[Message]:
    """Returns the room's calls to a table that is announced or opens."""
    return [message for message in bot.chat.room_sees() if message.text.startswith(("⏰", "🔔"))]


def mentioned(bot: RunningBot) -> list[UserRef]:
    """Returns the people that the room's calls mention."""
    return [span.mention for call in calls(bot) for span in call.screen.body if span.mention]


async def test_who_is_in_is_called_and_asked_when_the_table_opens_and_nobody_is_dealt_in(
    bot: RunningBot,
) -> None:
    table = await announced(bot, ANNA, BORIS, CLARA)
    announcement = bot.table_message()
    assert (
        "The table opens here: Mon, January 12, 14:10 UTC\nAnna (host), Boris, Clara · 3 of 6"
        in announcement.text
    )

    await bot.taps(CLARA, "Not coming")
    await comes(bot, table, before=1.0)
    assert calls(bot) == []

    await bot.skip(1.0)
    await bot.skip(PAUSE)
    (call,) = calls(bot)
    assert call.text == "⏰ Anna, Boris: the table is open"
    assert mentioned(bot) == [ANNA.ref, BORIS.ref]
    assert Span("the table is open", link=bot.table_message().ref) in call.screen.body
    assert "0 of 6\nComing: Anna, Boris" in bot.table_message().text

    await bot.chat.presses(BORIS, call.ref, "I’m in")
    await bot.settle()
    (call,) = calls(bot)
    assert call.text == "⏰ Anna: the table is open"

    await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    assert "Anna, Boris (host) · 2 of 6" in bot.table_message().text
    assert calls(bot) == []

    await bot.taps(BORIS, "Start")
    assert (await bot.app.tables.table(table.id)).game == 1


@pytest.mark.parametrize("before", [20 * MINUTE, 5 * MINUTE])
async def test_an_announcement_outlives_the_bot(bot: RunningBot, before: float) -> None:
    table = await announced(bot, ANNA, BORIS)
    await comes(bot, table, before=before)
    await bot.restart()
    await comes(bot, table)
    await bot.restart()
    await bot.skip(PAUSE)
    assert mentioned(bot) == [ANNA.ref, BORIS.ref]

    await bot.restart()
    await bot.skip(PAUSE)
    assert mentioned(bot) == [ANNA.ref, BORIS.ref]
    assert "Coming: Anna, Boris" in bot.table_message().text


async def test_a_bot_that_was_away_for_too_long_calls_the_table_off(bot: RunningBot) -> None:
    table = await announced(bot, ANNA)
    await bot.stop()
    bot.clock.step(HOUR + MAX_DELAY_SECONDS + MINUTE)
    await bot.start()
    await bot.skip(MINUTE)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "Called off: Mon, January 12, 14:10 UTC." in bot.table_message().text


async def test_a_time_that_is_over_means_tomorrow_and_one_that_is_none_is_refused(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/durak 25:00")
    assert "“25:00” isn’t a time of day" in str(reply.toast)
    reply = await bot.chat.types(ANNA, "/durak 20:3")
    assert "“20:3” isn’t a time of day" in str(reply.toast), "it is half of a time, and not 20:03"

    reply = await bot.chat.types(ANNA, "/durak perevodnoy 1:15pm")
    await bot.settle()
    assert reply.toast is None  # the announcement shows it
    assert "Transfer" in bot.table_message().text
    assert "Tue, January 13, 13:15 UTC" in bot.table_message().text
    assert "Times here are UTC; an admin can change that: /settings timezone" in bot.table_message().text

    await bot.app.servers.choose(ROOM.server, time_zone="Europe/Vilnius")
    await bot.taps(BORIS, "I’m in")
    assert "UTC" not in bot.table_message().text

    again = await bot.chat.types(BORIS, "/durak 22:00")
    assert again.ephemeral is not None
    assert "already announced" in "".join(span.text for span in again.ephemeral.body)


async def test_who_announced_it_admins_and_the_last_who_comes_call_it_off(
    bot: RunningBot,
) -> None:
    table = await announced(bot, ANNA, BORIS)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Call off")
    assert reply.toast

    bot.chat.moderators.add(CLARA.ref)
    for _ in range(2):  # others are seated, so it asks first
        await bot.taps(CLARA, "Call off")
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert not bot.table_message().buttons

    another = await announced(bot, ANNA)
    await bot.taps(ANNA, "Not coming")
    assert (await bot.app.tables.table(another.id)).phase is Phase.CLOSED


async def test_a_table_opens_once_the_game_in_its_room_is_over(bot: RunningBot) -> None:
    table = await announced(bot, ANNA, CLARA, hours=0.5)
    running = await bot.dealt(ANNA, BORIS)
    await bot.chooses(running, clock=0)
    await comes(bot, table)
    await bot.skip(MINUTE)
    assert (await bot.app.tables.table(table.id)).phase is Phase.ANNOUNCED

    await bot.app.tables.resign(running.id, ANNA)
    await bot.app.tables.rematch(running.id, ANNA)
    await bot.skip(ROOM_RETRY_SECONDS)
    assert (await bot.app.tables.table(table.id)).phase is Phase.ANNOUNCED

    await bot.app.tables.change(running.id, Table.call_off)
    await bot.skip(ROOM_RETRY_SECONDS)
    assert "Coming: Anna, Clara" in bot.table_message().text


async def test_a_lobby_that_stands_there_expects_who_comes(bot: RunningBot) -> None:
    table = await announced(bot, ANNA, BORIS, hours=0.1)
    await bot.opened(ANNA)
    await comes(bot, table)
    (lobby,) = bot.chat.room_sees()
    assert "Anna (host) · 1 of 6\nComing: Boris" in lobby.text

    await bot.restart()
    await bot.taps(BORIS, "Settings")
    assert "Anna (host), Boris · 2 of 6" in bot.table_message().text


async def test_who_is_invited_to_tonight_is_told_at_once_and_only_then(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak 14:50", mentioned=(BORIS, CLARA))
    await bot.skip(PAUSE)
    assert "Anna (host) · 1 of 6\nInvited: Boris, Clara" in bot.table_message().text

    (call,) = calls(bot)
    assert call.text == "🔔 Boris, Clara: Anna invites you to play, Mon, January 12, 14:50 UTC."
    assert mentioned(bot) == [BORIS.ref, CLARA.ref]

    reply = await bot.chat.presses(CLARA, call.ref, "Not now")
    assert reply.toast == "OK, I won’t wait for you."

    table = await bot.app.tables.announced_in(ROOM)
    assert table is not None
    await comes(bot, table)
    await bot.skip(PAUSE)

    assert "1 seat kept: Boris (5\N{NO-BREAK SPACE}min)\nComing: Anna" in bot.table_message().text
    (call,) = calls(bot)
    assert call.text == (
        "⏰ Anna: the table is open\n🔔 Boris: Anna invites you to play, a seat is kept at this table."
    )
    assert mentioned(bot) == [ANNA.ref]


async def test_who_does_not_come_though_nobody_expected_them_is_no_stranger_at_the_table(
    bot: RunningBot,
) -> None:
    table = await announced(bot, ANNA)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Not coming")
    assert reply.toast == "OK, I won’t wait for you."
    assert (await bot.app.tables.table(table.id)).phase is Phase.ANNOUNCED


async def test_a_table_for_the_night_says_that_nobody_is_called_and_an_invitation_waits_for_the_morning(
    bot: RunningBot,
) -> None:
    await announced(bot, ANNA, hours=9.0)
    assert "It’s quiet hours then: I’ll call nobody." in bot.table_message().text

    await bot.taps(ANNA, "Call off")
    await bot.skip(10 * HOUR)
    await bot.chat.types(ANNA, "/durak 9:30", mentioned=(BORIS,))
    await bot.skip(PAUSE)
    assert calls(bot) == []

    await bot.restart()
    table = await bot.app.tables.announced_in(ROOM)
    assert table is not None
    await comes(bot, table, before=1.4 * HOUR)
    await bot.skip(PAUSE)

    assert mentioned(bot) == [BORIS.ref]


async def test_who_is_forgotten_comes_no_more(bot: RunningBot) -> None:
    await announced(bot, ANNA, BORIS)
    await bot.chat.types(ANNA, "/forgetme yes")
    await bot.settle()
    assert "Boris (host) · 1 of 6" in bot.table_message().text


async def test_an_announcement_shows_its_time_by_a_clock_that_an_admin_chooses_later(bot: RunningBot) -> None:
    await announced(bot, ANNA)
    assert "14:10 UTC" in bot.table_message().text
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings timezone Europe/Vilnius")
    await bot.settle()
    assert "17:10" in bot.table_message().text
    assert "UTC" not in bot.table_message().text
