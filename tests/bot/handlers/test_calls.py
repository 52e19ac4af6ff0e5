"""“Call me”: one private message when the next game gathers, to those alone who asked, and never at night."""

from adapters.port import Budget, CallLimiter, RoomRef, User
from bot.delivery.calls import LONGEST, PAUSE
from bot.model.table import KEPT_MINUTES, RuleSet
from bot.storage import CallStore
from engine import Rules
from tests.bot.chat import CELLAR, ROOM, person
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

LABEL = "🔔 Call me"
GATHERS = "🔔 Anna is there: a game is gathering."
PROMISE = "🔔 I’ll call you once, in private, when the next game gathers."
HOUR = 60 * 60.0


async def asked(bot: RunningBot) -> None:
    """Clara, who looks on while Anna and Boris play, wants to be called; then that game is over."""
    await bot.chat.types(ANNA, "/settings quiet off")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.chat.presses(CLARA, bot.table_message().ref, LABEL)
    await bot.plays_to_the_end(table)
    await bot.skip(PAUSE)


def calls(bot: RunningBot) -> list[str]:
    return [text for text in bot.chat.rang_for(CLARA) if text.startswith("🔔 Anna")]


async def gathers(bot: RunningBot) -> None:
    await bot.stopped(ANNA)
    await bot.opened(ANNA)
    await bot.skip(PAUSE)


async def test_who_asked_is_called_once_and_told_where(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    assert calls(bot) == []
    await gathers(bot)
    assert calls(bot) == [GATHERS]
    (call,) = (message for message in bot.chat.sees_alone(CLARA) if message.text == GATHERS)
    assert any(span.link == bot.table_message().ref for span in call.screen.body)
    await gathers(bot)
    assert calls(bot) == [GATHERS]


async def test_a_call_waits_for_the_table_that_it_leads_to(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await bot.stopped(ANNA)
    bot.chat.floods[ROOM] = 2 * PAUSE
    await bot.chat.types(ANNA, "/durak")
    await bot.skip(PAUSE)
    assert calls(bot) == []
    await bot.skip(PAUSE)
    await bot.skip(PAUSE)
    (call,) = (message for message in bot.chat.sees_alone(CLARA) if message.text == GATHERS)
    assert any(span.link == bot.table_message().ref for span in call.screen.body)


async def test_a_call_outlives_a_restart_at_any_moment(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await bot.restart()
    await gathers(bot)
    assert calls(bot) == [GATHERS]
    await bot.restart()
    await gathers(bot)
    assert calls(bot) == [GATHERS]


async def test_who_cannot_be_written_to_is_promised_nothing(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    bot.chat.closed.add(CLARA.ref)
    reply = await bot.chat.presses(CLARA, bot.table_message().ref, LABEL)
    assert reply.open_private
    assert (reply.toast or "").startswith("I can’t write to you yet")
    assert await CallStore(bot.database).number(bot.clock.now()) == 0


async def test_cancel_ends_it(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    promise = next(message for message in bot.chat.sees_alone(CLARA) if message.text.startswith(PROMISE))
    await bot.chat.presses(CLARA, promise.ref, "Don’t call me")
    assert bot.chat.messages[promise.ref].text == "OK, I won’t call you."
    await gathers(bot)
    assert calls(bot) == []


async def test_a_wait_of_twelve_hours_is_over(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await bot.skip(LONGEST)
    await gathers(bot)
    assert calls(bot) == []


async def test_no_one_is_called_at_night_or_to_another_room(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await bot.opened(ANNA, room=CELLAR)
    await bot.skip(PAUSE)
    assert calls(bot) == []
    hour = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now()).hour
    await bot.chat.types(ANNA, f"/settings quiet {hour}-{(hour + 2) % 24}")
    await gathers(bot)
    assert calls(bot) == []
    await bot.skip(2 * HOUR)
    await gathers(bot)
    assert calls(bot) == [GATHERS]


async def test_who_sits_there_is_not_called(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, LABEL)
    assert reply.toast == "You’re already at this table: nobody has to call you."
    await bot.plays_to_the_end(table)
    result = next(
        message
        for message in reversed(bot.chat.room_sees())
        if any(button.label == LABEL for button in message.buttons)
    )
    await bot.chat.presses(BORIS, result.ref, LABEL)
    await bot.chat.presses(BORIS, result.ref, "Rematch")
    await bot.skip(PAUSE)
    assert not any(text.startswith("🔔 Boris") for text in bot.chat.rang_for(BORIS))


async def test_who_cannot_be_written_to_is_tried_once(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    bot.chat.closed.add(CLARA.ref)
    await gathers(bot)
    bot.chat.closed.clear()
    await gathers(bot)
    assert calls(bot) == [GATHERS]
    assert not any(message.text == GATHERS for message in bot.chat.sees_alone(CLARA))


async def test_who_is_forgotten_is_not_called(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    assert len((await data_of(await bot.chat.types(CLARA, "/mydata")))["calls asked for"]) == 1
    await bot.chat.types(CLARA, "/forgetme yes")
    assert await CallStore(bot.database).number(bot.clock.now()) == 0
    await gathers(bot)
    assert calls(bot) == []


async def test_many_rooms_that_call_at_once_keep_to_what_the_platform_allows(bot: RunningBot) -> None:
    store = CallStore(bot.database)
    rooms = {person(f"P{number}"): RoomRef(ROOM.server, f"room-{number}") for number in range(24)}
    for user, room in rooms.items():
        await store.ask(user, room, bot.clock.now() + LONGEST, table_id=0, game=0)
    await bot.chat.types(ANNA, "/settings quiet off")
    bot.chat.calls = CallLimiter(Budget(seconds=0.1, burst=5))
    await bot.restart()
    for room in rooms.values():
        await bot.app.tables.open(room, ANNA, RuleSet("podkidnoy-36", Rules()), "en")
    while not all(bot.chat.rang_for(user) for user in rooms):
        before = len(bot.chat.sent)
        await bot.skip(1.0)
        assert 0 < len(bot.chat.sent) - before <= 10 + 5
    await bot.skip(PAUSE)
    assert [len(bot.chat.rang_for(user)) for user in rooms] == [1] * len(rooms)


COMPANY = "📣 Call the last company"


async def played(bot: RunningBot) -> None:
    """Anna, Boris and Clara have played; Boris may be called by the last company, Clara may not."""
    await bot.chat.types(ANNA, "/settings quiet off")
    await bot.chat.types(BORIS, "/me company on")
    table = await bot.dealt(ANNA, BORIS, CLARA, rules=SHORT_GAME)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()


def called(bot: RunningBot, user: User) -> int:
    return bot.chat.rang_for(user).count(GATHERS)


async def test_who_opens_a_table_calls_the_last_company_once(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await played(bot)
    await bot.opened(ANNA)
    lobby = bot.table_message().ref
    assert (await bot.chat.presses(CLARA, lobby, COMPANY)).toast == "Only the host can do that."
    reply = await bot.chat.presses(ANNA, lobby, COMPANY)
    assert reply.toast == "📣 I’m calling 1 player."
    await bot.restart()
    again = await bot.chat.presses_token(ANNA, lobby, "r:2:1")
    assert again.toast == "The last company has already been called."
    await bot.skip(PAUSE)
    assert [called(bot, each) for each in (ANNA, BORIS, CLARA)] == [0, 1, 0]
    assert not [each for each in bot.table_message().buttons if each.label == COMPANY]
    await bot.chat.types(ANNA, "/stop")
    await bot.opened(ANNA)
    await bot.skip(PAUSE)
    assert called(bot, BORIS) == 1


async def test_no_last_company_is_called_at_night_or_against_its_will(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await played(bot)
    await bot.opened(ANNA)
    lobby = bot.table_message().ref
    hour = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now()).hour
    await bot.chat.types(ANNA, f"/settings quiet {hour}-{(hour + 2) % 24}")
    assert (
        await bot.chat.presses(ANNA, lobby, COMPANY)
    ).toast == "It’s quiet hours here: nobody is called now."
    await bot.chat.types(ANNA, "/settings quiet off")
    await bot.chat.types(BORIS, "/me company off")
    toast = (await bot.chat.presses(ANNA, lobby, COMPANY)).toast
    assert toast == "Nobody of the last game can be called now: they choose that under /me."
    await bot.chat.types(BORIS, "/me company on")
    reply = await bot.chat.presses_token(ANNA, lobby, "r:2:1")
    assert reply.toast == "📣 I’m calling 1 player."
    await bot.chat.types(BORIS, "/forgetme yes")
    await bot.skip(PAUSE)
    assert called(bot, BORIS) == 0


INVITATION = "🔔 Boris: Anna invites you to play, a seat is kept at this table."


def invitations(bot: RunningBot) -> list[str]:
    return [message.text for message in bot.chat.room_sees() if "invites you" in message.text]


async def test_who_is_invited_is_mentioned_once_and_their_seat_is_kept_for_five_minutes(
    bot: RunningBot,
) -> None:
    await bot.chat.types(ANNA, "/durak max_players=2 @Boris", mentioned=(BORIS,))
    await bot.settle()
    assert invitations(bot) == [INVITATION]
    (call,) = (message for message in bot.chat.room_sees() if message.text == INVITATION)
    assert [span.mention for span in call.screen.body if span.mention] == [BORIS.ref]
    assert "1 seat kept: Boris (5\xa0min)" in bot.table_message().text
    kept = "The last seats are kept for those who were invited: try again in a few minutes."
    assert (await bot.chat.presses(CLARA, bot.table_message().ref, "Join")).toast == kept
    await bot.skip(60.0)
    await bot.restart()
    assert "1 seat kept: Boris (4\xa0min)" in bot.table_message().text
    await bot.chat.types(ANNA, "/durak", mentioned=(BORIS,))
    await bot.settle()
    posted = [sent for sent in bot.chat.sent if sent.verb == "post" and sent.screen is not None]
    assert [text_of(sent.screen) for sent in posted if sent.screen].count(INVITATION) == 1
    assert (await bot.chat.presses(CLARA, bot.table_message().ref, "Join")).toast == kept
    await bot.skip(KEPT_MINUTES * 60.0)
    assert invitations(bot) == []
    assert "seat kept" not in bot.table_message().text
    await bot.chat.presses(CLARA, bot.table_message().ref, "Join")
    await bot.settle()
    assert "Clara" in bot.table_message().text


async def test_who_was_invited_sits_down_or_declines_and_is_forgotten_if_they_wish(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak max_players=3", mentioned=(BORIS, CLARA))
    await bot.settle()
    lobby = bot.table_message().ref
    await bot.chat.presses(BORIS, lobby, "Join")
    await bot.chat.presses(CLARA, lobby, "Leave")
    await bot.settle()
    assert "seat kept" not in bot.table_message().text
    assert invitations(bot) == []
    await bot.chat.types(ANNA, "/stop")
    await bot.chat.types(ANNA, "/durak", mentioned=(CLARA,))
    await bot.chat.types(CLARA, "/forgetme yes")
    await bot.settle()
    assert "seat kept" not in bot.table_message().text
    await bot.restart()
    assert "Clara" not in " ".join(message.text for message in bot.chat.room_sees())


async def test_a_name_that_nobody_has_is_a_sentence_and_opens_no_table(bot: RunningBot) -> None:
    told = (await bot.chat.types(ANNA, "/durak @nemo")).toast
    assert told == "I don’t know who “@nemo” is here: send the command as a reply to a message of theirs."
    assert bot.chat.room_sees() == []
    await bot.opened(BORIS)
    await bot.chat.types(BORIS, "/stop")
    await bot.chat.types(ANNA, "/durak perevodnoy @boris")
    await bot.settle()
    assert "1 seat kept: Boris" in bot.table_message().text
    reply = await bot.chat.types(CLARA, "/durak @anna")
    assert reply.toast == "You’re not at this table."
