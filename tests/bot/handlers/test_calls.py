"""“Notify me”: one private message when the next game gathers, at a person's request only, never at night."""

import asyncio
from dataclasses import replace

from adapters.port import Budget, CallLimiter, PrivateChatButton, Reply, RoomRef, Screen, User, UserRef
from bot.delivery.calls import PAUSE, WISH_SECONDS
from bot.model.choices import RuleSet
from bot.model.table import KEPT_MINUTES, Phase
from bot.storage import CallStore
from bot.storage.calls import RING_SECONDS
from engine import Rules
from tests.bot.chat import CELLAR, ROOM, own_room, person
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import Message, buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

LABEL = "🔔 Notify me"
GATHERS = "🔔 Anna opened a table: 1 of 6 is in. Join?"
PROMISE = "🔔 I’ll call you once, in private, when the next game gathers."
HOUR = 60 * 60.0


async def asked(bot: RunningBot) -> None:
    """Presses Notify me for Clara during a game of Anna and Boris, then ends that game."""
    await bot.chat.types(ANNA, "/settings quiet off")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.chat.presses(CLARA, bot.table_message().ref, LABEL)
    await bot.plays_to_the_end(table)
    await bot.skip(PAUSE)


def calls(bot: RunningBot) -> list[str]:
    return [text for text in bot.chat.rang_for(CLARA) if text.startswith("🔔 Anna")]


async def gathers(bot: RunningBot) -> None:
    await bot.stopped(ANNA, BORIS)
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


async def test_a_call_is_answered_where_it_came(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await gathers(bot)
    (call,) = (message for message in bot.chat.sees_alone(CLARA) if message.text == GATHERS)
    assert [button.label for button in call.buttons] == ["I’m in", "Don’t call me from this chat"]

    await bot.chat.presses(CLARA, call.ref, "I’m in")
    await bot.settle()
    assert bot.chat.messages[call.ref].text == "You’re at the table: here it is."
    assert "Anna (host), Clara · 2 of 6" in bot.table_message().text


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


async def test_who_cannot_be_written_to_is_called_once_they_can(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    bot.chat.closed.add(CLARA.ref)
    await bot.chat.types(ANNA, "/settings quiet off")
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    reply = await bot.chat.presses(CLARA, bot.table_message().ref, LABEL)
    assert reply.secret is not None
    assert text_of(reply.secret) == "I can’t write to you yet: open our private chat, then I’ll call you."
    ways = [button for row in reply.secret.rows for button in row]
    assert [isinstance(button, PrivateChatButton) for button in ways] == [True]

    await bot.restart()
    bot.chat.closed.clear()
    assert await bot.chat.opens_private(CLARA) == Reply()  # and nothing of cards, which they don't have
    await bot.settle()
    assert [text for text in bot.chat.rang_for(CLARA) if text.startswith(PROMISE)]

    await gathers(bot)
    assert calls(bot) == [GATHERS]


async def test_who_opens_the_private_chat_while_people_gather_is_called_then(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    bot.chat.closed.add(CLARA.ref)
    await gathers(bot)

    bot.chat.closed.clear()
    bot.chat.sent.clear()
    await bot.chat.opens_private(CLARA)
    await bot.skip(PAUSE)

    assert calls(bot) == [GATHERS]


async def test_a_chat_that_asks_for_a_setting_names_it(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, private_setting="Privacy → Messages")
    bot.chat.closed.add(CLARA.ref)
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    reply = await bot.chat.presses(CLARA, bot.table_message().ref, LABEL)
    text = "I can’t write to you yet: allow it under Privacy → Messages of this server, then I’ll call you."
    assert reply.toast == text


async def test_ten_presses_promise_once(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    told = [await bot.chat.presses(CLARA, bot.table_message().ref, LABEL) for _ in range(10)]
    assert {reply.toast for reply in told[1:]} == {
        "🔔 I’ve promised that already: I’ll write to you in private when the next game gathers."
    }
    assert len([text for text in bot.chat.rang_for(CLARA) if text.startswith(PROMISE)]) == 1


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
    await bot.skip(WISH_SECONDS)
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


async def test_a_player_at_the_table_is_called_to_the_next_game(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, LABEL)
    assert reply.toast == "🔔 OK, I’ll write to you in private when the next game gathers."

    await bot.plays_to_the_end(table)
    await bot.skip(PAUSE)
    assert not any(text.startswith("🔔 Anna") for text in bot.chat.rang_for(BORIS))

    result = bot.chat.room_sees()[-1]
    await bot.chat.presses(ANNA, result.ref, "Rematch")
    await bot.skip(PAUSE)
    assert any(text.startswith("🔔 Anna opened a table") for text in bot.chat.rang_for(BORIS))


async def test_who_sits_there_is_not_called(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    result = next(
        message
        for message in reversed(bot.chat.room_sees())
        if any(button.label.startswith(LABEL) for button in message.buttons)
    )
    await bot.chat.presses(BORIS, result.ref, LABEL)
    await bot.chat.presses(BORIS, result.ref, "Rematch")
    await bot.skip(PAUSE)

    assert not any(text.startswith("🔔 Boris") for text in bot.chat.rang_for(BORIS))


async def test_who_is_forgotten_is_not_called(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    assert len((await data_of(await bot.chat.types(CLARA, "/mydata")))["calls asked for"]) == 1
    await bot.chat.types(CLARA, "/forgetme yes")
    assert await CallStore(bot.database).forget_expired(bot.clock.now()) == 0
    await gathers(bot)
    assert calls(bot) == []


async def test_many_rooms_that_call_at_once_keep_to_what_the_platform_allows(bot: RunningBot) -> None:
    store = CallStore(bot.database)
    rooms = {person(f"P{number}"): RoomRef(ROOM.server, f"room-{number}") for number in range(24)}
    for user, room in rooms.items():
        await store.ask(user, room, bot.clock.now() + WISH_SECONDS, table_id=0, game=0, now=bot.clock.now())

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


COMPANY = "📣 Invite the last players"


async def played(bot: RunningBot) -> None:
    """Plays a game of Anna, Boris and Clara, whose company may call Boris, but not Clara."""
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
    assert again.toast == "The last players have already been called."

    await bot.skip(PAUSE)
    assert [called(bot, each) for each in (ANNA, BORIS, CLARA)] == [0, 1, 0]
    assert not [button for button in bot.table_message().buttons if button.label == COMPANY]

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
    await bot.chat.types(ANNA, "/settings quiet off")
    await bot.chat.types(ANNA, "/durak max_players=2 @Boris", mentioned=(BORIS,))
    await bot.skip(PAUSE)
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
    await bot.skip(PAUSE)
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


async def test_a_name_that_nobody_has_is_in_the_first_form_of_the_table(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, names_ring=True)
    await bot.opened(BORIS)
    await bot.chat.types(BORIS, "/stop")
    bot.chat.sent.clear()
    reply = await bot.chat.types(ANNA, "/durak perevodnoy @boris @nemo,")
    await bot.settle()

    assert reply.toast == "@nemo hasn’t pressed anything here yet, so no seat is kept."
    posted = [text_of(sent.screen) for sent in bot.chat.sent if sent.verb == "post" and sent.screen]
    assert "Invited: @nemo" in posted[0]
    assert "1 seat kept: Boris" in bot.table_message().text

    await bot.restart()
    assert "Invited: @nemo" in bot.table_message().text

    nemo = replace(DIMA, handle="Nemo")
    await bot.chat.presses(nemo, bot.table_message().ref, "Join")
    await bot.settle()
    assert "@nemo" not in bot.table_message().text
    await bot.chat.types(ANNA, "/stop")

    for _ in range(2):
        await bot.chat.types(ANNA, "/durak @a1 @a2 @a3 @a4")
    await bot.settle()
    assert "Invited: @a1, @a2, @a3\n" in bot.table_message().text

    await bot.skip(KEPT_MINUTES * 60.0)
    assert "Invited" not in bot.table_message().text

    reply = await bot.chat.types(CLARA, "/durak @anna")
    assert reply.ephemeral is not None
    assert text_of(reply.ephemeral) == "Only players invite to a table, so take a seat first: here it is."
    assert [button.label for button in buttons_of(reply.ephemeral)] == ["Join"]


async def test_where_a_written_name_calls_nobody_only_its_author_hears_of_it(bot: RunningBot) -> None:
    await bot.opened(BORIS)
    await bot.chat.types(BORIS, "/stop")
    reply = await bot.chat.types(ANNA, "/durak @boris @nemo @nobody")
    await bot.settle()
    assert reply.toast == "I know nobody here called @nemo and @nobody, so nobody was called."
    assert "1 seat kept: Boris" in bot.table_message().text
    assert "Invited" not in bot.table_message().text


# --- nobody is called for sport ---


def call_message(bot: RunningBot) -> Message:
    """Returns the room's call to its table."""
    return next(message for message in bot.chat.room_sees() if message.text.startswith("🔔"))


def mentions_of(bot: RunningBot, user: User) -> int:
    """Returns how often the room's calls rang for a person: an edit does not."""
    posted = [sent.screen for sent in bot.chat.sent if sent.verb == "post" and sent.place == ROOM]
    return sum(span.mention == user.ref for screen in posted if screen is not None for span in screen.body)


async def invites(bot: RunningBot, *people: User) -> None:
    await bot.chat.types(ANNA, "/durak", mentioned=people)
    await bot.skip(PAUSE)


async def test_eight_lobbies_ring_once_for_who_is_invited(bot: RunningBot) -> None:
    for _ in range(8):
        await invites(bot, BORIS)
        assert "1 seat kept: Boris" in bot.table_message().text
        await bot.chat.types(ANNA, "/stop")

    await bot.restart()
    await invites(bot, BORIS)
    assert mentions_of(bot, BORIS) == 1
    assert call_message(bot).text == INVITATION

    await bot.skip(RING_SECONDS)
    await bot.chat.types(ANNA, "/stop")
    await invites(bot, BORIS)

    assert mentions_of(bot, BORIS) == 2


async def test_a_mention_counts_for_the_calls_that_were_asked_for_and_these_come_later(
    bot: RunningBot,
) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await bot.stopped(ANNA)
    await invites(bot, CLARA)
    assert mentions_of(bot, CLARA) == 1
    assert calls(bot) == []

    for label in ("Add bot", "Remove bot", "Add bot", "Remove bot"):  # a lobby that nobody touches closes
        await bot.skip(RING_SECONDS / 5)
        await bot.taps(ANNA, label)

    assert calls(bot) == []
    await bot.skip(RING_SECONDS / 5)
    await bot.skip(PAUSE)

    assert [text[:21] for text in calls(bot)] == [GATHERS[:21]]


async def test_nobody_is_mentioned_at_night_but_their_seat_is_kept(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    hour = (await bot.app.servers.choices(ROOM.server)).local_time.at(bot.clock.now()).hour
    await bot.chat.types(ANNA, f"/settings quiet {hour}-{(hour + 2) % 24}")
    reply = await bot.chat.types(ANNA, "/durak", mentioned=(BORIS,))
    assert reply.toast == "It’s quiet hours here: nobody is called now."
    await bot.skip(PAUSE)
    assert "1 seat kept: Boris" in bot.table_message().text
    assert call_message(bot).text == INVITATION
    assert mentions_of(bot, BORIS) == 0


async def test_who_wants_no_calls_from_a_chat_gets_none_until_they_ask(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await asked(bot)
    await gathers(bot)
    (call,) = (message for message in bot.chat.sees_alone(CLARA) if message.text == GATHERS)
    await bot.chat.presses(CLARA, call.ref, "Don’t call me from this chat")
    text = "OK, no more calls from this chat, until you press “🔔 Notify me” there."
    assert bot.chat.messages[call.ref].text == text

    await bot.skip(24 * HOUR)
    await bot.restart()
    await invites(bot, CLARA)
    assert "1 seat kept: Clara" in bot.table_message().text
    assert mentions_of(bot, CLARA) == 0

    await bot.chat.types(ANNA, "/stop")
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.chat.presses(CLARA, bot.table_message().ref, LABEL)
    await bot.stopped(ANNA, BORIS)
    await gathers(bot)

    assert calls(bot) == [GATHERS, GATHERS]


async def test_a_mention_has_a_way_out_too_for_who_presses_it_alone(bot: RunningBot) -> None:
    await invites(bot, BORIS, CLARA)
    reply = await bot.chat.presses(CLARA, call_message(bot).ref, "Don’t call me from this chat")
    assert "no more calls from this chat" in str(reply.toast)
    await bot.chat.types(ANNA, "/stop")
    await bot.skip(RING_SECONDS)
    await invites(bot, BORIS, CLARA)
    assert (mentions_of(bot, BORIS), mentions_of(bot, CLARA)) == (2, 1)


async def test_a_call_names_the_chat_and_how_many_are_in(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    bot.chat.names[ROOM.server] = "Friends"
    await asked(bot)
    await gathers(bot)
    assert calls(bot) == ["🔔 Anna opened a table in “Friends”: 1 of 6 is in. Join?"]


# --- seats are kept with measure ---

DIMA = person("Dima")
ELENA = person("Elena")
FRITZ = person("Fritz")


async def test_one_person_keeps_three_seats_and_no_more_than_there_are(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/durak", mentioned=(BORIS, CLARA, DIMA, ELENA))
    await bot.settle()
    assert "3 seats kept: Boris, Clara, Dima" in bot.table_message().text
    assert reply.toast == "No seat for Elena: one person can keep 3, if there are any left."

    await bot.chat.types(ANNA, "/stop")
    reply = await bot.chat.types(ANNA, "/durak max_players=3", mentioned=(BORIS, CLARA, DIMA))
    await bot.settle()

    assert "2 seats kept: Boris, Clara (" in bot.table_message().text
    assert "No seat for Dima" in str(reply.toast)


async def test_nobody_who_never_was_in_the_chat_is_invited(bot: RunningBot) -> None:
    bot.chat.strangers = {BORIS.ref, CLARA.ref}
    await bot.chat.types(CLARA, "/rules")
    reply = await bot.chat.types(ANNA, "/durak", mentioned=(BORIS, CLARA))
    await bot.settle()
    assert "1 seat kept: Clara (" in bot.table_message().text
    assert reply.toast == "Boris hasn’t pressed anything here yet, so no seat is kept."


async def test_a_member_known_from_the_private_chat_alone_is_invited(bot: RunningBot) -> None:
    bot.chat.unreported = {BORIS.ref}
    reply = await bot.chat.types(ANNA, "/durak", mentioned=(BORIS,))
    await bot.settle()
    assert reply.toast is None
    assert "1 seat kept: Boris (" in bot.table_message().text


async def test_a_second_invitation_adds_to_the_first_and_rings_in_private(bot: RunningBot) -> None:
    bot.chat.names[ROOM.server] = "Friends"
    await invites(bot, BORIS)
    first = call_message(bot).ref
    await invites(bot, CLARA)

    assert call_message(bot).ref == first
    text = "🔔 Boris, Clara: Anna invites you to play, seats are kept at this table."
    assert call_message(bot).text == text
    assert bot.chat.rang_for(BORIS) == []
    assert bot.chat.rang_for(CLARA) == ["🔔 Anna keeps a seat for you in “Friends”: 1 of 6 is in. Join?"]


async def test_the_call_says_what_can_be_done(bot: RunningBot) -> None:
    await invites(bot, BORIS, CLARA)
    labels = [button.label for button in call_message(bot).buttons]
    assert labels == ["I’m in", "Not now", "Don’t call me from this chat"]

    reply = await bot.chat.presses(CLARA, call_message(bot).ref, "Not now")
    assert reply.toast == "OK, I won’t wait for you."

    await bot.chat.presses(BORIS, call_message(bot).ref, "I’m in")
    await bot.settle()
    assert "Anna (host), Boris · 2 of 6" in bot.table_message().text


async def test_a_lobby_of_nothing_but_kept_seats_blocks_nobody(bot: RunningBot) -> None:
    group = User(UserRef(ROOM.server.platform, "id-group"), "Club", is_person=False)
    await bot.chat.types(group, "/durak max_players=2", mentioned=(BORIS, CLARA))
    await bot.skip(PAUSE)
    await bot.chat.presses(BORIS, call_message(bot).ref, "Not now")
    await bot.chat.presses(DIMA, bot.table_message().ref, "Join")
    await bot.settle()
    assert "Dima (host) · 1 of 2" in bot.table_message().text


async def test_an_invitation_to_the_standing_table_says_that_the_seat_is_kept(bot: RunningBot) -> None:
    await bot.opened(ANNA, CLARA)
    reply = await bot.chat.types(CLARA, "/durak", mentioned=(BORIS,))
    assert reply.ephemeral is not None
    assert text_of(reply.ephemeral) == "A seat is kept for Boris. The table: here it is."

    stranger = person("Nemo")
    bot.chat.strangers.add(stranger.ref)
    reply = await bot.chat.types(CLARA, "/durak", mentioned=(DIMA, stranger))
    assert reply.ephemeral is not None
    kept, left_out = text_of(reply.ephemeral).split("\n")
    assert kept == "A seat is kept for Dima. The table: here it is."
    assert "Nemo" in left_out


async def test_nobody_is_offered_a_call_where_the_only_reader_sits_at_the_table(bot: RunningBot) -> None:
    room = own_room(ANNA)
    await bot.chat.types(ANNA, f"/durak bots {SHORT_GAME}", room)
    await bot.settle()
    table = await bot.app.tables.in_room(room)
    assert table is not None
    while table.phase is Phase.PLAYING:
        assert not [message for message in bot.chat.room_sees(room) if LABEL in labels_of(message)]
        state = (await bot.session(table)).state
        assert state is not None
        if 0 in state.awaited and not state.ended:
            await bot.presses_move(table, ANNA, str(state.legal_moves(0)[0]))
        await bot.skip(10.0)
        table = await bot.app.tables.table(table.id)

    assert any("How it ended" in label for each in bot.chat.room_sees(room) for label in labels_of(each))
    assert not [message for message in bot.chat.room_sees(room) if LABEL in labels_of(message)]


def labels_of(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def test_an_invitation_edits_the_lobby_once(bot: RunningBot) -> None:
    await bot.opened(ANNA, CLARA)
    lobby = bot.table_message().ref
    before = len(bot.chat.sent)

    def edits() -> list[Screen | None]:
        return [sent.screen for sent in bot.chat.sent[before:] if sent.ref == lobby]

    await bot.chat.types(CLARA, "/durak", mentioned=(BORIS,))
    bot.chat.receipts[ROOM] = asyncio.Event()  # the chat takes its time
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(bot.chat.types(CLARA, "/durak", mentioned=(DIMA,)))
        await bot.until(edits)
        bot.chat.receipts.pop(ROOM).set()

    await bot.skip(PAUSE)
    await bot.chat.types(CLARA, "/durak", mentioned=(DIMA,))  # nothing is new in the lobby
    await bot.settle()
    texts = [text_of(screen) for screen in edits() if screen is not None]
    assert len(texts) == len(set(texts)) == 2
