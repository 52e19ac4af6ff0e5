"""Every failure becomes a sentence: no error reaches a chat, and no secret reaches a log."""

import asyncio
from dataclasses import replace
from random import Random

from structlog.testing import capture_logs

from adapters.port import Delivered, Everyone, Reply, RoomRef, User
from bot.model.messages import MessageKind
from bot.model.table import Phase, Table
from engine import Move
from engine.runtime import Author
from tests.bot.chat import CELLAR, PLATFORM, ROOM
from tests.bot.databases import held, pragma
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

NOT_WRITTEN = "I can’t save anything right now. Nothing is lost: please try again in a minute."
SORRY = "Something went wrong on our side. Nothing is lost: please try again."


async def first_move(bot: RunningBot, table: Table) -> Move:
    state = (await bot.session(table)).state
    assert state is not None
    return state.legal_moves(await bot.waiting_seat(table))[0]


async def test_a_broken_disk_is_an_apology_and_the_game_goes_on_afterwards(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    state = (await bot.session(table)).state
    assert state is not None
    move = state.legal_moves(await bot.waiting_seat(table))[0]

    with capture_logs() as logs:
        async with bot.without_disk():
            reply = await bot.presses_move(table, user, str(move))

    assert reply.toast == SORRY
    assert [line["event"] for line in logs if line["log_level"] != "debug"] == [
        "press_failed",
        "press_refused",
    ]
    assert (await bot.session(table)).state == state

    reply = await bot.presses_move(table, user, str(move))
    assert reply.toast is None
    assert (await bot.session(table)).version == 2


async def redrawn_at_once(bot: RunningBot, user: User) -> None:
    """Covers a hand without a pending answer: it follows its owner's language at once."""
    for language, told in (("de", "Du hast 6\N{NO-BREAK SPACE}Karten"), ("en", "Your 6 cards")):
        await bot.chat.types(user, f"/language {language}")
        await bot.settle()
        assert told in bot.hand_message(user).text


async def test_a_hand_whose_press_failed_waits_for_no_answer(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    async with bot.without_disk():
        reply = await bot.presses_move(table, user, str(await first_move(bot, table)))

    assert reply.toast == SORRY
    await redrawn_at_once(bot, user)


async def test_a_hand_whose_press_was_cancelled_waits_for_no_answer(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    hand = bot.hand_message(user).ref
    token = f"h:{table.id}"

    for turns in range(1, 24, 2):
        pressing = asyncio.ensure_future(bot.chat.presses_token(user, hand, token))
        for _ in range(turns):
            await asyncio.sleep(0)

        pressing.cancel()
        await asyncio.wait([pressing])

    async with held(bot.database):  # no one else gets the disk, so this press cannot end
        pressing = asyncio.ensure_future(bot.chat.presses_token(user, hand, token))
        for _ in range(10):
            await asyncio.sleep(0)

        pressing.cancel()
        await asyncio.wait([pressing])

    await redrawn_at_once(bot, user)


async def test_a_disk_that_takes_nothing_is_said_to_people_and_the_game_goes_on_afterwards(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    state = (await bot.session(table)).state
    assert state is not None
    move = state.legal_moves(await bot.waiting_seat(table))[0]

    await pragma(bot.database, "query_only=ON")
    said = [(await bot.presses_move(table, user, str(move))).toast for _ in range(2)]
    assert said == [NOT_WRITTEN] * 2
    assert not await bot.database.is_healthy()

    await pragma(bot.database, "query_only=OFF")
    reply = await bot.presses_move(table, user, str(move))
    assert reply.toast is None
    assert (await bot.session(table)).version == 2
    assert await bot.database.is_healthy()


async def test_a_failing_command_and_a_failing_private_chat_are_apologies_too(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    async with bot.without_disk("card_table"):
        with capture_logs() as logs:
            assert (await bot.chat.types(ANNA, "/hand")).toast == SORRY
            assert (await bot.chat.opens_private(ANNA)).toast == SORRY

    lines = [line["event"] for line in logs if line["log_level"] != "debug"]
    assert lines == ["command_failed", "private_chat_failed"]


async def test_removals_returns_and_moves_raise_nothing(bot: RunningBot) -> None:
    with capture_logs() as logs:
        async with bot.without_disk("player"):
            await bot.app.inbox.became_unreachable(ANNA.ref)
            await bot.app.inbox.became_reachable(ANNA.ref)

        async with bot.without_disk("server"):
            assert not await bot.app.inbox.room_moved(ROOM, CELLAR)

    lines = [line["event"] for line in logs if line["log_level"] != "debug"]
    assert lines == ["removal_failed", "return_failed", "move_failed"]


async def test_peeking_sends_the_hand_anew_where_it_is_seen(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    old = bot.hand_message(ANNA)

    await bot.chat.opens_private(ANNA)
    await bot.settle()
    (new,) = bot.chat.sees_alone(ANNA)
    assert new.ref != old.ref
    assert new.screen == old.screen
    assert await bot.shown(table, MessageKind.HAND, ANNA) == new.ref


async def test_opening_the_private_chat_without_cards_tells_newcomers_that_all_is_set(
    bot: RunningBot,
) -> None:
    await bot.opened(ANNA, BORIS)
    await bot.chat.types(ANNA, "/stop")
    await bot.chat.types(ANNA, "/stop")
    assert (await bot.chat.opens_private(CLARA)).toast == "All set: ask me again here."  # they came from /me

    await bot.opened(ANNA, BORIS)
    assert (await bot.chat.opens_private(ANNA)).toast == (
        "All set: your cards will come here when the game starts."
    )
    assert (await bot.chat.opens_private(ANNA)).toast == (
        "You have no cards right now. /durak opens a table."
    )

    helped = await bot.chat.opens_private(ANNA, room=None)
    assert helped.secret is not None
    assert "/durak" in text_of(helped.secret)


async def test_a_removed_bot_is_silent_there_and_goes_on_when_it_returns(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    bot.chat.banned.add(ROOM)
    await bot.app.inbox.became_unreachable(ROOM)
    await bot.plays(table)  # on the private hand
    bot.chat.sent.clear()
    await bot.settle()
    assert ROOM not in {sent.place for sent in bot.chat.sent}

    bot.chat.banned.clear()
    await bot.app.inbox.became_reachable(ROOM)
    await bot.settle()

    assert "On the table" in bot.table_message().text


async def test_where_somebody_presses_the_bot_is_back(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    await bot.app.inbox.became_unreachable(ROOM)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    assert "Boris" in bot.table_message().text


async def test_who_only_says_they_come_from_a_room_brings_the_bot_back_to_none(bot: RunningBot) -> None:
    await bot.app.inbox.became_unreachable(ROOM)
    await bot.chat.opens_private(CLARA, ROOM)
    assert not bot.app.reachability.is_served(ROOM)


async def test_a_removal_from_a_room_covers_its_topics(bot: RunningBot) -> None:
    topic = RoomRef(ROOM.server, ROOM.id, "topic")
    await bot.dealt(ANNA, BORIS, room=topic)
    await bot.app.inbox.became_unreachable(ROOM)
    assert not bot.app.reachability.is_served(topic)
    await bot.app.inbox.became_reachable(ROOM)
    assert bot.app.reachability.is_served(topic)


async def test_somebody_who_changes_their_name_is_the_same_person(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    renamed = replace(ANNA, name="Annette")
    reply = await bot.chat.presses(renamed, bot.table_message().ref, "My hand")
    assert reply.secret is not None
    assert text_of(reply.secret) == bot.hand_message(ANNA).text
    assert (await bot.app.tables.table(table.id)).people() == (ANNA.ref, BORIS.ref)


async def test_no_card_no_seed_and_no_token_is_ever_logged(bot: RunningBot) -> None:
    """Plays a whole game with good and bad presses, trouble and a restart, at the finest level."""
    chance = Random(0)
    with capture_logs() as logs:
        table = await bot.dealt(ANNA, BORIS, CLARA, rules="perevodnoy deck=24")
        users = (ANNA, BORIS, CLARA)
        for turn in range(400):
            session = await bot.session(table)
            if session.outcome is not None or session.state is None:
                break

            seat = chance.choice(sorted(session.state.actors))
            if moves := session.state.legal_moves(seat):
                await bot.presses_move(table, users[seat], str(chance.choice(moves)))

            if turn % 20 == 7:
                await bot.presses_move(table, users[seat], chance.choice(["A 9H", "D 9H JH", "x", "T"]))
                await bot.chat.presses_token(users[seat], bot.hand_message(users[seat]).ref, "x:9H")

            if turn == 11:
                async with bot.without_disk():
                    state = (await bot.session(table)).state
                    if state is not None and (open_moves := state.legal_moves(min(state.awaited))):
                        await bot.presses_move(table, users[min(state.awaited)], str(open_moves[0]))

            if turn == 23:
                bot.chat.failures.append(RuntimeError("trouble"))
                await bot.settle()
                await bot.restart()
                await bot.settle()

        await bot.settle()
        assert (await bot.app.tables.table(table.id)).phase is Phase.OVER

    written = "\n".join(repr(line) for line in logs)
    opening = (await bot.session(table)).opening
    assert opening is not None
    assert "press_failed" in written
    assert opening.seed not in written

    held = {str(card) for card in opening.rules.cards(3)}
    assert not [card for card in held if f" {card}" in written or f"{card} " in written]
    assert f"m:{table.id}:" not in written
    assert Author.PLAYER in {entry.author for entry in (await bot.session(table)).entries}
    assert PLATFORM in written


async def test_each_press_command_and_delivery_is_one_line_at_the_finest_level(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    with capture_logs() as logs:
        before = len(bot.chat.sent)
        version = (await bot.session(table)).version
        await bot.plays(table)
        await bot.settle()

        await bot.chat.types(ANNA, f"/stats {BORIS.name}")
        await bot.settle()

        (press,) = [line for line in logs if line["event"] == "press"]
        (command,) = [line for line in logs if line["event"] == "command"]
        deliveries = [line for line in logs if line["event"] == "delivery"]
        posted = [sent for sent in bot.chat.sent[before:] if sent.verb in {"post", "edit"}]

        await bot.chat.types(CLARA, "/hand")
        await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "⇅")
        await bot.skip(30.0)
        await bot.plays(table)
        await bot.settle()
        verbs = [line["verb"] for line in logs if line["event"] == "delivery"]

    assert (press["button"], press["table"], press["version"]) == ("PlayMove", table.id, version)
    assert (press["outcome"], command["outcome"]) == ("done", "refused")
    assert (command["command"], command["table"], command["version"]) == ("stats", table.id, version + 1)
    assert set(verbs) == {"post", "edit", "delete", "answer"}
    assert deliveries
    assert len([line for line in deliveries if line["verb"] != "answer"]) <= len(posted)
    assert {line["version"] for line in deliveries} == {version + 1}
    assert {line["outcome"] for line in deliveries} == {"delivered"}
    assert all(line["ms"] >= 0 for line in (press, command, *deliveries) if line.get("verb") != "answer")

    written = repr(logs)
    assert not [name for name in (ANNA.name, BORIS.name) if name in written]


async def test_where_it_is_new_the_bot_says_hello_and_one_press_opens_a_table(bot: RunningBot) -> None:
    hello = (await bot.app.inbox.greet(ROOM, "en")).public
    assert hello is not None
    delivery = await bot.chat.post(Everyone(ROOM), hello)
    assert isinstance(delivery, Delivered)
    assert "the last one with cards is the fool" in text_of(hello)
    assert [button.label for button in buttons_of(hello)] == [
        "🃏 Deal here",
        "🤖 Try against a bot",
        "🎓 Learn by playing",
        "How to play",
    ]
    assert await bot.app.inbox.greet(ROOM, "en") == Reply()  # a chat may report it twice

    await bot.skip(61.0)
    assert (await bot.app.inbox.greet(ROOM, "en")).public == hello

    await bot.skip(61.0)
    rules = await bot.chat.presses(BORIS, delivery.ref, "How to play")
    assert rules.ephemeral is not None or rules.public is not None

    await bot.chat.presses(ANNA, delivery.ref, "🃏 Deal here")
    await bot.settle()
    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    assert table.opener == ANNA.ref
    assert await bot.app.inbox.greet(ROOM, "en") == Reply()  # it was away for a moment
    assert (await bot.app.inbox.greet(CELLAR, "")).public is not None


async def test_events_that_cannot_be_read_are_logged_by_kind_and_then_counted(bot: RunningBot) -> None:
    def read(event: dict[str, dict[str, str]]) -> str:
        return event["emoji"]["user"]

    event = {"emoji": {"name": "Zoe's secret"}}
    with capture_logs() as lines:
        for number in range(25):
            try:
                read(event)
            except KeyError as error:
                bot.app.inbox.event_skipped("chat", f"PRESS {number}", error)

    logged = [line for line in lines if line["event"] == "event_skipped"]
    assert [line["times"] for line in logged] == [1, 10]
    assert logged[0]["error"] == "KeyError"
    assert 'event["emoji"]["user"]' in logged[0]["where"]
    assert "secret" not in repr(lines)


async def test_where_notices_stay_the_hand_itself_says_why_a_press_did_nothing(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, notices_stay=True)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    awaited = await bot.waiting_for(table)
    other = BORIS if awaited == ANNA else ANNA
    for _ in range(2):
        reply = await bot.presses_move(table, other, "T")
        await bot.settle()
        assert reply.toast is None
        assert bot.hand_message(other).text.startswith("There’s nothing to take.\n\n")

    await bot.plays(table)
    await bot.settle()
    assert "There’s nothing" not in bot.hand_message(other).text
