"""People are called when a table waits for them, and the table shows for how long."""

import asyncio
from dataclasses import replace

import pytest

from adapters.port import Reply, User
from bot.delivery.outbox import IN_SIGHT_SECONDS
from bot.model.messages import MessageKind, OnlyInRoom, TableSlot
from engine.runtime import Author
from tests.bot.chat import ROOM
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import ANNA, BORIS, CALL, CLARA, RunningBot


async def test_after_twenty_seconds_whoever_is_waited_for_is_called_until_they_move(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    await bot.skip(19.0)
    assert bot.calls() == []

    await bot.skip(1.0)
    assert bot.calls() == [f"{CALL} {user.name}: your move!"]

    (call,) = [message for message in bot.chat.room_sees() if message.text.startswith(CALL)]
    assert user.ref in {span.mention for span in call.screen.body}

    await bot.plays(table)
    await bot.settle()
    assert bot.calls() == []


async def test_who_got_their_hand_late_is_called_twenty_seconds_after_it_came(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    late = ANNA if await bot.waiting_for(table) is BORIS else BORIS
    gate = bot.chat.gates[late.ref] = asyncio.Event()
    await bot.plays(table)
    assert await bot.waiting_for(table) is late

    await bot.skip(15.0)
    gate.set()
    await bot.skip(19.0)
    assert bot.calls() == []

    await bot.skip(1.0)
    assert bot.calls() == [f"{CALL} {late.name}: your move!"]

    bot.app.outbox.renew(TableSlot(table.id, table.game, MessageKind.HAND, late.ref))
    await bot.skip(5.0)
    assert len([each for each in posted(bot) if each.startswith(CALL)]) == 1, "as they were called already"


async def test_a_call_leads_to_the_table_and_to_the_hand_of_whoever_presses(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=900.0)
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    await bot.skip(20.0)
    (call,) = [message for message in bot.chat.room_sees() if message.text.startswith(CALL)]
    assert {span.link for span in call.screen.body if span.link} == {bot.table_message().ref}

    await bot.chat.presses(user, call.ref, "My hand")
    await bot.settle()
    shown = [message for message in bot.chat.sees_alone(user) if isinstance(message.audience, OnlyInRoom)]
    assert ["Your turn: attack" in each.text for each in shown] == [True]

    await bot.plays(table)
    await bot.settle()
    assert bot.calls() == []


async def test_a_table_that_has_sunk_comes_down_for_who_sits_there_and_for_nobody_else(
    bot: RunningBot,
) -> None:
    await bot.dealt(ANNA, BORIS)
    before = bot.table_message()
    reply = await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    assert reply.ephemeral is not None  # it was posted a moment ago, so this leads to it
    assert bot.table_message().ref == before.ref

    await bot.skip(IN_SIGHT_SECONDS)
    assert (await bot.chat.types(CLARA, "/durak")).ephemeral is not None
    assert bot.table_message().ref == before.ref
    assert (await bot.chat.types(ANNA, "/durak")) == Reply()

    await bot.settle()
    after = bot.table_message()
    assert after.ref != before.ref
    assert before.ref not in bot.chat.messages

    await bot.chat.presses(ANNA, after.ref, "My hand")


async def test_a_call_rings_once_though_the_table_it_leads_to_is_posted_again(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(30.0)
    (call,) = [message for message in bot.chat.room_sees() if message.text.startswith(CALL)]
    before = bot.table_message().ref
    bot.app.outbox.renew(TableSlot(table.id, table.game, MessageKind.TABLE))
    await bot.settle()

    assert bot.table_message().ref != before
    (after,) = [message for message in bot.chat.room_sees() if message.text.startswith(CALL)]
    assert after.ref == call.ref
    assert {span.link for span in after.screen.body if span.link} == {bot.table_message().ref}


def posted(bot: RunningBot) -> list[str]:
    """Returns the posts of the room, each in its first form."""
    sent = [message for message in bot.chat.sent if message.verb == "post" and message.place == ROOM]
    return [text_of(message.screen) for message in sent if message.screen is not None]


async def test_every_silence_is_called_twice_and_the_second_call_says_when_the_table_moves(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    for _ in range(2):
        name = (await bot.waiting_for(table)).name
        bot.chat.sent.clear()
        for _ in range(7):
            await bot.skip(15.0)
            assert len(bot.calls()) <= 1

        assert posted(bot) == [
            f"{CALL} {name}: your move!",
            f"{CALL} {name}: your move! The bot moves for you in 60\N{NO-BREAK SPACE}s.",
        ]
        assert bot.calls() == posted(bot)[1:]

        await bot.plays(table)
        await bot.settle()
        assert bot.calls() == []


async def test_a_restart_calls_nobody_twice(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.skip(60.0)
    bot.chat.sent.clear()
    await bot.restart()
    await bot.skip(30.0)
    assert posted(bot) == []
    assert len(bot.calls()) == 1


async def test_a_restart_calls_nobody_twice_whose_hand_came_late(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    late = ANNA if await bot.waiting_for(table) is BORIS else BORIS
    gate = bot.chat.gates[late.ref] = asyncio.Event()
    await bot.plays(table)
    await bot.skip(5.0)
    gate.set()
    await bot.skip(60.0)

    before = bot.calls()
    bot.chat.sent.clear()
    await bot.restart()
    await bot.skip(1.0)

    assert posted(bot) == []
    assert bot.calls() == before


async def test_who_has_more_time_after_a_restart_is_called_with_the_seconds_that_are_left(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    name = (await bot.waiting_for(table)).name
    await bot.skip(60.0)
    await bot.skip(45.0)

    await bot.restart()
    await bot.settle()
    assert bot.calls() == [f"{CALL} {name}: your move! The bot moves for you in 20\N{NO-BREAK SPACE}s."]

    await bot.skip(19.0)
    assert await bot.authors(table) == []
    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_nobody_is_called_where_the_game_rests_or_was_stopped(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    session = await bot.session(table)
    resting = await bot.app.tables.change(table.id, lambda now: now.pause(is_paused=True))
    await bot.skip(60.0)
    assert bot.calls() == []
    assert await bot.app.scheduler.called_seats(resting, session) == frozenset()

    await bot.app.tables.change(table.id, lambda now: now.pause(is_paused=False))
    await bot.stopped(ANNA, BORIS)
    await bot.skip(60.0)

    assert not await bot.app.scheduler.move_for_called(table.id)


async def test_the_public_table_says_for_how_long_it_waits_with_one_edit(bot: RunningBot) -> None:
    table = await bot.chooses(await bot.dealt(ANNA, BORIS), clock=0)
    await bot.app.servers.choose(ROOM.server, time_zone="Europe/Vilnius")
    name = (await bot.waiting_for(table)).name
    bot.chat.sent.clear()
    await bot.skip(59.0)
    assert bot.chat.sent == []

    for _ in range(10):
        await bot.skip(30.0)

    assert [sent.verb for sent in bot.chat.sent] == ["edit"]
    assert f"Waiting for {name} for over 1\N{NO-BREAK SPACE}min." in bot.table_message().text

    await bot.skip(4 * 3600.0)
    assert f"Waiting for {name} for over 4 hours." in bot.table_message().text

    await bot.plays(table)
    await bot.settle()
    assert " for over " not in bot.table_message().text


async def test_where_there_is_no_clock_people_are_called_after_hours_and_daily_but_not_at_night(
    bot: RunningBot,
) -> None:
    await bot.chooses(await bot.dealt(ANNA, BORIS), clock=0)  # on Monday, 13:46 in UTC
    await bot.skip(3 * 3600.0)
    assert bot.calls() == []

    await bot.skip(3600.0)
    (first,) = bot.calls()
    assert "for 4 hours" in first

    await bot.skip(20 * 3600.0)
    (second,) = bot.calls()
    assert "for 1 day" in second

    bot.chat.sent.clear()
    for _ in range(14):
        await bot.skip(43_200.0)

    assert len(posted(bot)) == 6  # for a week
    assert len(bot.calls()) == 1


async def test_a_call_that_falls_into_the_night_waits_for_the_morning(bot: RunningBot) -> None:
    await bot.skip(7 * 3600.0)  # 20:46
    await bot.chooses(await bot.dealt(ANNA, BORIS), clock=0)
    await bot.skip(11 * 3600.0)
    assert bot.calls() == []
    await bot.skip(14 * 60.0)
    assert len(bot.calls()) == 1


async def test_the_hand_of_an_awaited_player_counts_down_the_last_minute(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    awaited = await bot.waiting_for(table)
    other = BORIS if awaited == ANNA else ANNA
    await bot.skip(59.0)
    assert "The bot moves" not in bot.hand_message(awaited).text

    await bot.skip(1.0)
    assert "⏰ The bot moves for you in 60 s." in plain(bot.hand_message(awaited).text)

    await bot.skip(45.0)
    assert "⏰ The bot moves for you in 15 s." in plain(bot.hand_message(awaited).text)
    assert "The bot moves" not in bot.hand_message(other).text

    await bot.skip(15.0)
    assert "The bot moves" not in bot.hand_message(awaited).text


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


async def throws_in_without_limit(bot: RunningBot, *, clock: int = 120) -> tuple[User, User]:
    """Deals to three, and returns the two who are asked to throw in, for as long as they like."""
    people = (ANNA, BORIS, CLARA)
    dealt = await bot.dealt(*people, rules="podkidnoy-36")
    table = await bot.chooses(dealt, throw_in_seconds=0, clock=clock)
    for move in ("", "T"):
        session = await bot.session(table)
        assert session.state is not None
        seat = min(session.state.awaited)
        text = move or str(session.state.legal_moves(seat)[0])
        await bot.app.tables.submit(table.id, seat, text, session.version, Author.PLAYER)
        await bot.settle()

    state = (await bot.session(table)).state
    assert state is not None
    first, second = sorted(state.awaited)
    return people[first], people[second]


def call_to(bot: RunningBot, *people: User) -> Message:
    """Returns the only call in the room, which mentions these people."""
    (call,) = [
        message
        for message in bot.chat.room_sees()
        if {span.mention for span in message.screen.body if span.mention} == {user.ref for user in people}
    ]
    return call


async def test_a_call_to_several_stays_for_the_others_once_one_has_come_or_left(bot: RunningBot) -> None:
    one, other = await throws_in_without_limit(bot)
    await bot.skip(20.0)
    call = call_to(bot, one, other)

    await bot.chat.loses(one)
    await bot.settle()
    assert call_to(bot, other).ref == call.ref


@pytest.mark.parametrize("seconds", [5.0, 25.0])
async def test_the_way_to_their_cards_stays_for_the_others_once_one_has_come(
    bot: RunningBot, seconds: float
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=900.0)
    bot.chat.closed |= {ANNA.ref, BORIS.ref, CLARA.ref}
    one, other = await throws_in_without_limit(bot)
    await bot.skip(seconds)
    call = call_to(bot, one, other)

    await bot.chat.presses(one, bot.table_message().ref, "My hand")
    await bot.settle()
    assert call_to(bot, other).ref == call.ref


async def test_a_call_to_somebody_who_leaves_at_night_goes(bot: RunningBot) -> None:
    await bot.skip(4 * 3600.0)  # 17:46
    table = await bot.chooses(await bot.dealt(ANNA, BORIS), clock=0)
    await bot.skip(4 * 3600.0 + 60.0)
    assert len(bot.calls()) == 1

    await bot.skip(2 * 3600.0)  # 23:47, where nobody is called
    await bot.chat.loses(await bot.waiting_for(table))
    await bot.settle()
    assert bot.calls() == []
