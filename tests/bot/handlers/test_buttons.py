"""An impossible press is answered with a sentence and the newest hand, and changes nothing."""

import asyncio
from dataclasses import replace

from sqlmodel import select

from adapters.port import (
    Delivered,
    Everyone,
    MessageRef,
    PrivateChat,
    PrivateChatButton,
    Reply,
    User,
    UserRef,
)
from bot.handlers.notices import REPEAT_SECONDS
from bot.model.messages import MessageKind
from bot.model.table import Phase, Table
from bot.storage.models import PlayerRow
from engine import Attack, Move
from tests.bot.chat import CELLAR, PLATFORM, ROOM, person
from tests.bot.databases import rows
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

GROUP = User(UserRef(PLATFORM, "the-group"), "The group", is_person=False)
STALE = "Too late, the table has moved on. This is how it looks now."


def refusal_in(reply: Reply) -> str:
    assert reply.toast is not None
    return reply.toast


async def legal(bot: RunningBot, table: Table, seat: int) -> tuple[Move, ...]:
    state = (await bot.session(table)).state
    assert state is not None
    return state.legal_moves(seat)


async def test_a_move_is_answered_with_the_new_hand_in_the_pressed_message(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    hand = bot.hand_message(user)
    bot.chat.sent.clear()
    await bot.plays(table)
    await bot.settle()

    mine = [sent for sent in bot.chat.sent if sent.place == user.ref]
    assert [sent.verb for sent in mine] == ["answer"]
    assert bot.hand_message(user).ref == hand.ref
    assert "Your 5 cards" in bot.hand_message(user).text


async def test_an_old_button_plays_nothing_and_shows_how_it_stands(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    first = await bot.plays(table)
    session = await bot.session(table)
    before = session.state

    reply = await bot.presses_move(table, user, str(first), version=1)
    assert refusal_in(reply) == STALE
    assert reply.secret is not None
    assert "Your 5 cards" in text_of(reply.secret)
    assert session.state is before


async def test_a_move_against_the_rules_is_refused_with_its_reason(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    session = await bot.session(table)
    assert session.state is not None
    defender = (ANNA, BORIS)[session.state.defender]
    before = session.state

    reply = await bot.presses_move(table, defender, "T")
    assert refusal_in(reply) == "There’s nothing to take."
    assert reply.secret is not None
    attacker = (ANNA, BORIS)[session.state.attacker]

    foreign = (await legal(bot, table, session.state.attacker))[0]
    assert refusal_in(await bot.presses_move(table, defender, str(foreign)))
    assert refusal_in(await bot.presses_move(table, attacker, "P"))
    assert session.state is before


async def test_who_throws_in_a_moment_too_late_reads_who_was_quicker(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules="podkidnoy-36 hand_size=12", seed="quick")
    session = await bot.session(table)
    people = (ANNA, BORIS, CLARA)

    while True:  # until two players may throw in at the same moment
        state = session.state
        assert state is not None
        cards = {
            seat: [move for move in state.legal_moves(seat) if isinstance(move, Attack)] for seat in range(3)
        }
        ready = [seat for seat, moves in cards.items() if moves]
        if len(ready) > 1:
            break

        seat = await bot.waiting_seat(table)
        await bot.presses_move(table, people[seat], str(state.legal_moves(seat)[0]))

    first, second = ready
    before = session.version
    await bot.presses_move(table, people[first], str(cards[first][0]))

    reply = await bot.presses_move(table, people[second], str(cards[second][0]), version=before)
    assert refusal_in(reply) == f"{people[first].name} was quicker: wait until it’s beaten."


async def test_a_mangled_move_is_not_from_here(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    before = (await bot.session(table)).state
    for move in ("A", "A 1X", "D 9H", "ZZ", "T T", "A 9H\x00"):
        reply = await bot.presses_move(table, ANNA, move)
        assert refusal_in(reply) == "That button belongs to another chat."
        assert reply.secret is not None

    reply = await bot.chat.presses_token(ANNA, bot.hand_message(ANNA).ref, "no token at all")
    assert reply == Reply(toast="That button belongs to another chat.")
    assert (await bot.session(table)).state is before


async def test_who_does_not_sit_here_plays_nothing_and_sees_no_hand(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    before = (await bot.session(table)).state
    table_message = bot.table_message().ref
    not_seated = Reply(toast="You’re not at this table.")
    assert await bot.chat.presses(CLARA, table_message, "My hand") == not_seated
    assert await bot.chat.presses_token(CLARA, table_message, f"m:{table.id}:1:T") == not_seated
    assert (await bot.session(table)).state is before


async def test_somebody_elses_token_moves_ones_own_seat_alone(bot: RunningBot) -> None:
    """Checks that a token acts for its presser, never for the person it was offered to."""
    table = await bot.dealt(ANNA, BORIS)
    session = await bot.session(table)
    assert session.state is not None
    attacker = session.state.attacker
    defender = session.state.defender
    move = (await legal(bot, table, attacker))[0]
    users = (ANNA, BORIS)

    reply = await bot.chat.presses_token(
        users[defender], bot.hand_message(users[defender]).ref, f"m:{table.id}:1:{move}"
    )

    assert refusal_in(reply)
    assert session.version == 1
    assert reply.secret is not None
    assert text_of(reply.secret) != bot.hand_message(users[attacker]).text


async def test_after_the_end_nothing_moves(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = bot.hand_message(ANNA).ref
    await bot.plays_to_the_end(table)
    session = await bot.session(table)
    before = session.version

    reply = await bot.chat.presses_token(ANNA, hand, f"m:{table.id}:{before}:T")

    assert refusal_in(reply) == "This game is over."
    assert session.version == before
    assert reply.secret is not None
    assert [button.label for button in buttons_of(reply.secret)] == ["Rematch"]


async def test_tables_that_never_were_are_gone(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    table_message = bot.table_message().ref
    for token in ("m:99:1:T", "h:99", "l:99:1:join", "g:99:1:rematch"):
        assert refusal_in(await bot.chat.presses_token(ANNA, table_message, token)).startswith(
            "There’s no such table here."
        )


async def test_who_asks_for_a_rematch_at_a_table_put_away_since_opens_another_by_its_rules(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    rematch = f"g:{table.id}:1:rematch"
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.presses_token(ANNA, result, rematch)
    await bot.app.tables.change(table.id, Table.call_off)

    reply = await bot.chat.presses_token(BORIS, result, rematch)
    assert reply.toast is None
    await bot.settle()
    opened = await bot.app.tables.in_room(ROOM)
    assert opened is not None
    assert (opened.opener, opened.preset) == (BORIS.ref, table.preset)


async def test_buttons_of_an_earlier_game_do_nothing(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.presses(ANNA, result, "Rematch")
    await bot.settle()

    old = await bot.chat.presses_token(BORIS, result, f"l:{table.id}:1:leave")
    assert refusal_in(old) == "That’s from an earlier game."

    invented = await bot.chat.presses_token(BORIS, result, f"l:{table.id}:3:leave")
    assert refusal_in(invented) == "That’s from an earlier game."
    assert (await bot.app.tables.table(table.id)).game == 2
    assert len((await bot.app.tables.table(table.id)).players) == 1


async def test_my_hand_on_the_table_shows_the_pressers_own_hand_privately(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "My hand")
    assert reply.public is None
    assert reply.secret is not None
    assert text_of(reply.secret) == bot.hand_message(BORIS).text
    await bot.settle()
    assert len(bot.chat.room_sees()) == 1


async def test_before_the_deal_there_is_no_hand(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    reply = await bot.chat.presses_token(ANNA, bot.table_message().ref, f"h:{table.id}")
    assert reply == Reply(toast="The cards aren’t dealt yet.")


async def test_starting_alone_is_refused_with_the_way_out(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    table_message = bot.table_message()
    assert "Add bot" in refusal_in(await bot.chat.presses(ANNA, table_message.ref, "Start"))
    assert "Add bot" in [button.label for button in table_message.buttons]


async def test_only_the_opener_and_moderators_start(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    table_message = bot.table_message().ref
    assert refusal_in(await bot.chat.presses(BORIS, table_message, "Start")).startswith(
        "Only the host or a chat admin"
    )
    bot.chat.moderators.add(CLARA.ref)
    assert (await bot.chat.presses(CLARA, table_message, "Start")).toast is None
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING


async def test_the_lobby_says_by_name_who_has_to_press_start(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    assert "Anna, press Start when everyone’s in." in bot.table_message().text

    await bot.chat.presses(ANNA, bot.table_message().ref, "Leave")
    await bot.settle()
    assert "press Start" not in bot.table_message().text  # alone, Boris cannot

    await bot.chat.presses(CLARA, bot.table_message().ref, "Join")
    await bot.settle()
    assert "Boris, press Start when everyone’s in." in bot.table_message().text


async def test_a_table_that_a_group_opens_seats_nobody_and_goes_to_the_first_who_joins(
    bot: RunningBot,
) -> None:
    """Covers administrators who speak in the name of their group, so that nobody learns their names."""
    table = await bot.opened(GROUP)
    assert table.players == ()
    assert "\n0 of" in bot.table_message().text

    bot.chat.moderators.add(CLARA.ref)
    assert refusal_in(await bot.chat.presses(CLARA, bot.table_message().ref, "Start"))

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Join")
    await bot.settle()

    assert "Boris (host)" in bot.table_message().text
    assert (await bot.chat.presses(BORIS, bot.table_message().ref, "Start")).toast is None
    assert "The group" not in await rows(bot.database, select(PlayerRow.name))


async def test_only_the_opener_or_a_moderator_closes(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    table_message = bot.table_message().ref
    assert refusal_in(await bot.chat.presses(BORIS, table_message, "Close the table")).startswith(
        "Only the host or"
    )

    bot.chat.moderators.add(CLARA.ref)
    first = await bot.chat.presses(CLARA, table_message, "Close the table")
    assert first.toast == "2 other players are in. Press again to close the table."
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY
    assert (await bot.chat.presses(CLARA, table_message, "Close the table")).toast is None

    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in bot.table_message().text
    assert not bot.table_message().buttons


async def test_a_typed_stop_asks_before_it_closes_a_table_with_others_as_the_button_does(
    bot: RunningBot,
) -> None:
    table = await bot.opened(ANNA, BORIS)
    asked = (await bot.chat.types(ANNA, "/stop")).ephemeral
    assert asked is not None
    assert text_of(asked) == "1 other player is in. Close the table?\nTo the table"
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    (close,) = buttons_of(asked)
    assert close.label == "Close the table"
    closed = await bot.chat.presses_token(ANNA, MessageRef(PLATFORM, "?"), close.token, seen_in=ROOM)
    assert closed.replacement is not None
    assert text_of(closed.replacement) == "The table is closed."
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED


async def test_a_typed_stop_closes_at_once_when_nobody_else_is_in_or_when_it_is_typed_again(
    bot: RunningBot,
) -> None:
    table = await bot.opened(ANNA)
    assert (await bot.chat.types(ANNA, "/stop")).toast == "The table is closed."
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED

    table = await bot.opened(ANNA, BORIS)
    bot.chat.moderators.add(CLARA.ref)
    assert (await bot.chat.types(CLARA, "/stop")).ephemeral is not None
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY
    assert (await bot.chat.types(CLARA, "/stop")).toast == "The table is closed."


async def test_who_is_awaited_has_a_way_to_the_private_chat_until_they_open_it_and_the_table_has_none(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP)
    bot.chat.closed.add(BORIS.ref)
    table = await bot.dealt(ANNA, BORIS)
    while await bot.waiting_for(table) != BORIS:
        await bot.plays(table)

    await bot.settle()

    def ways() -> list[str]:
        return [
            message.text
            for message in bot.chat.room_sees()
            for row in message.screen.rows
            if any(isinstance(button, PrivateChatButton) for button in row)
        ]

    assert ways() == ["Boris, your cards are in our private chat."]
    assert bot.chat.sees_alone(BORIS) == []

    bot.chat.closed.clear()
    await bot.chat.opens_private(BORIS)
    await bot.settle()

    assert ways() == []
    assert "Your 6 cards" in bot.hand_message(BORIS).text
    assert await bot.shown(table, MessageKind.HAND, BORIS) == bot.hand_message(BORIS).ref


async def test_the_leaderboard_button_answers_in_the_room(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, room=CELLAR, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    reply = await bot.chat.presses(CLARA, bot.chat.room_sees(CELLAR)[-1].ref, "🏆 Leaderboard")
    assert reply.public is not None
    assert "Leaderboard" in text_of(reply.public)


async def test_the_leaderboard_under_an_old_result_is_shown_during_the_rematch(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(await bot.app.tables.table(1))
    result = bot.chat.room_sees()[-1].ref

    await bot.chat.presses(ANNA, result, "Rematch")
    await bot.settle()

    reply = await bot.chat.presses(BORIS, result, "🏆 Leaderboard")
    assert reply.public is not None
    assert "Leaderboard" in text_of(reply.public)


async def test_friends_who_press_deal_here_at_the_same_moment_sit_at_one_table(bot: RunningBot) -> None:
    assert bot.chat.inbox is not None
    hello = (await bot.chat.inbox.greet(ROOM, "en")).public
    assert hello is not None
    posted = await bot.chat.post(Everyone(ROOM), hello)
    assert isinstance(posted, Delivered)
    deal, *_ = bot.chat.room_sees()[0].buttons

    friends = (ANNA, BORIS, CLARA, person("Dora"))
    replies = await asyncio.gather(
        *(bot.chat.presses_token(friend, posted.ref, deal.token) for friend in friends)
    )
    await bot.settle()

    assert [(reply.public, reply.ephemeral) for reply in replies] == [(None, None)] * len(friends)
    assert len(bot.chat.room_sees()) == 2  # the hello, and one table
    assert "4 of 6" in bot.table_message().text


async def test_friends_who_press_deal_here_one_after_the_other_sit_at_one_table(bot: RunningBot) -> None:
    assert bot.chat.inbox is not None
    hello = (await bot.chat.inbox.greet(ROOM, "en")).public
    assert hello is not None
    posted = await bot.chat.post(Everyone(ROOM), hello)
    assert isinstance(posted, Delivered)
    deal, *_ = bot.chat.room_sees()[0].buttons

    for friend in (ANNA, BORIS, CLARA, BORIS):
        reply = await bot.chat.presses_token(friend, posted.ref, deal.token)  # pressed at the same moment
        assert reply.public is None
        assert reply.ephemeral is None
        await bot.settle()
        assert not bot.chat.room_sees()[0].buttons

    assert len(bot.chat.room_sees()) == 2  # the hello, and one table
    assert "\nAnna (host), Boris, Clara · 3 of 6\n" in bot.table_message().text

    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    hand = (await bot.chat.presses_token(BORIS, posted.ref, deal.token)).secret
    assert hand is not None
    assert text_of(hand) == bot.hand_message(BORIS).text


async def test_a_hand_stays_sorted_as_its_owner_likes_it_and_nobody_elses_is(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    for user in (ANNA, BORIS):
        assert "⇅ By suit" in [button.label for button in bot.hand_message(user).buttons]

    before = bot.hand_message(ANNA).ref
    await bot.chat.presses(ANNA, before, "⇅ By suit")
    await bot.restart()
    await bot.settle()
    assert bot.hand_message(ANNA).ref == before
    assert "⇅ By rank" in [button.label for button in bot.hand_message(ANNA).buttons]
    assert "⇅ By suit" in [button.label for button in bot.hand_message(BORIS).buttons]

    await bot.chat.presses(ANNA, before, "⇅ By rank")
    assert "⇅ By suit" in [button.label for button in bot.hand_message(ANNA).buttons]


async def test_a_hand_that_is_sorted_anew_shows_its_first_page(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, buttons=12, per_row=3)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    user = await bot.waiting_for(table)
    hand = bot.hand_message(user).ref
    await bot.chat.presses(user, hand, "▶ 1/2")
    await bot.chat.presses(user, hand, "⇅")
    assert "▶ 1/2" in [button.label for button in bot.hand_message(user).buttons]


async def test_a_second_press_for_the_same_post_is_answered_by_a_notice(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    result = bot.chat.room_sees()[-1].ref

    def rankings() -> int:
        return sum(message.text.startswith("Leaderboard") for message in bot.chat.room_sees())

    await bot.chat.presses(ANNA, result, "🏆 Leaderboard")
    second = await bot.chat.presses(BORIS, result, "🏆 Leaderboard")
    assert second.toast == "It’s just above: somebody asked for it a moment ago."
    assert rankings() == 1

    bot.clock.skip(REPEAT_SECONDS - 1.0)
    await bot.chat.presses(BORIS, result, "🏆 Leaderboard")
    assert rankings() == 1

    bot.clock.skip(2.0)  # repeated presses do not put it off
    await bot.chat.presses(BORIS, result, "🏆 Leaderboard")
    assert rankings() == 2


async def test_a_second_press_for_the_same_command_is_answered_by_a_notice(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await bot.chat.types(ANNA, "/fool")
    fools = bot.chat.room_sees()[-1].ref
    assert (await bot.chat.presses(ANNA, fools, "🏛 Seasons")).public is not None
    second = await bot.chat.presses(BORIS, fools, "🏛 Seasons")
    assert second.toast == "It’s just above: somebody asked for it a moment ago."
