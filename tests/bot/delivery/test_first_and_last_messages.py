"""The first private message of a game is the hand, and its last form names the result."""

import asyncio
from dataclasses import replace

import pytest

from adapters.port import MessageRef, PrivateChat, User
from bot.delivery.idle_tables import NOTE_SECONDS
from bot.model.buttons import ChangeLobby, LobbyAction
from bot.model.messages import MessageKind
from bot.model.standings import MIN_GAMES
from bot.model.table import Phase, Table
from bot.model.waiting import COUNTDOWN_SECONDS
from bot.storage import MessageSlotStore
from bot.tables.loader import MESSAGES_KEPT_SECONDS
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot

WON = "✅ You’re not the fool! 🏳️ Anna resigned."


def only_hands_rang(bot: RunningBot, *people: User, games: int = 1, cards: int = 12) -> None:
    for user in people:
        rang = bot.chat.rang_for(user)
        assert len(rang) == games
        assert all(f"Your {cards} cards" in text for text in rang)


async def test_the_first_message_is_the_hand_in_each_of_a_tables_games(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    only_hands_rang(bot, ANNA, BORIS)
    await bot.plays_to_the_end(table)

    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()

    only_hands_rang(bot, ANNA, BORIS, games=2)


async def test_the_first_message_is_the_hand_when_a_full_table_begins_by_itself(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS, rules=f"{SHORT_GAME} max_players=2")
    await bot.skip(COUNTDOWN_SECONDS)
    only_hands_rang(bot, ANNA, BORIS)


async def test_nobody_is_told_of_a_deal_before_the_table_is_on_disk_as_playing(bot: RunningBot) -> None:
    """Fails the disk between the two, then kills the process: another one finds the table dealt."""
    table = await bot.opened(ANNA, BORIS, rules=SHORT_GAME)
    table_message = bot.table_message()
    async with bot.without_disk("card_table"):
        await bot.chat.presses(ANNA, table_message.ref, "Start")
        await bot.settle()
        assert bot.chat.rang_for(ANNA) == bot.chat.rang_for(BORIS) == []
        assert bot.table_message() == table_message
        await bot.stop()
        await bot.database.open()

    await bot.database.close()
    await bot.start()
    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING

    only_hands_rang(bot, ANNA, BORIS)


async def test_a_table_whose_deal_failed_goes_on_gathering_after_a_restart(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules=SHORT_GAME)
    async with bot.without_disk("entry"):
        reply = await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
        assert "Something went wrong on our side" in str(reply.toast)

    await bot.restart()
    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY

    await bot.chat.presses(BORIS, bot.table_message().ref, "Leave")
    await bot.settle()
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    only_hands_rang(bot, ANNA, BORIS)


async def test_what_is_left_of_a_game_says_how_it_ended_in_one_message(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=f"{SHORT_GAME} simultaneous_empty=defender_loses")
    hands = {user: bot.hand_message(user).ref for user in (ANNA, BORIS)}
    await bot.plays_to_the_end(table)
    outcome = (await bot.session(table)).outcome
    assert outcome is not None

    for seat, user in enumerate((ANNA, BORIS)):
        (left,) = bot.chat.sees_alone(user)
        assert left.ref == hands[user]
        assert [button.label for button in left.buttons] == ["Rematch"]
        place = f"🏆 You win! The fool: {('Anna', 'Boris')[1 - seat]}."
        assert left.text == ("🃏 You’re the fool!" if outcome.fool == seat else place)
        assert left.screen.body[0].link == await bot.shown(table, MessageKind.TABLE)


async def test_a_rating_is_told_once_it_is_no_guess(bot: RunningBot) -> None:
    endings = list[str]()
    for _ in range(MIN_GAMES):
        table = await bot.dealt(ANNA, BORIS)
        await (await bot.session(table)).resign(0)
        await bot.settle()
        endings.append(bot.hand_message(ANNA).text)
        await bot.app.tables.change(table.id, Table.close)

    *guessed, known = endings
    assert guessed == ["🃏 You’re the fool!"] * len(guessed)
    assert known == "🃏 You’re the fool!"  # a higher rating from less uncertainty is not news for a fool
    assert " Rating +" in bot.hand_message(BORIS).text


async def test_a_rematch_can_be_asked_for_under_ones_own_result_and_then_the_button_goes(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    (ended,) = bot.chat.sees_alone(BORIS)
    reply = await bot.chat.presses(BORIS, ended.ref, "Rematch")
    assert reply.toast == "The next game is waiting: press Start at the table."

    await bot.settle()
    assert "\nBoris (host) · 1 of 2\nRematch! Still to come: Anna" in bot.table_message().text

    (asked,) = bot.chat.sees_alone(ANNA)
    assert [button.label for button in asked.buttons] == ["Rematch"]

    await bot.chat.presses(ANNA, asked.ref, "Rematch")
    await bot.settle()
    for user in (ANNA, BORIS):
        (left,) = bot.chat.sees_alone(user)
        assert left.buttons == ()

    late = await bot.chat.presses_token(BORIS, ended.ref, f"g:{table.id}:1:rematch")
    assert late.toast == "You’re already at this table."


async def test_who_asks_for_a_rematch_beside_the_table_is_not_told_where_it_is(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    (ended,) = bot.chat.sees_alone(BORIS)
    rematch = f"g:{table.id}:1:rematch"
    assert (await bot.chat.presses_token(BORIS, ended.ref, rematch, seen_in=table.room)).toast is None


async def test_a_result_says_the_same_after_a_restart(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    before = [bot.chat.sees_alone(user) for user in (ANNA, BORIS)]
    bot.chat.sent.clear()
    await bot.restart()
    bot.app.outbox.mark_dirty(table.subject)
    await bot.settle()

    assert [bot.chat.sees_alone(user) for user in (ANNA, BORIS)] == before
    assert [sent for sent in bot.chat.sent if sent.place in {ANNA.ref, BORIS.ref}] == []


async def test_who_asks_for_their_hand_keeps_one_message_of_the_game(bot: RunningBot) -> None:
    """Covers chats where a private answer stays in the private chat and replaces the hand there."""
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP)
    table = await bot.dealt(ANNA, BORIS)
    before = bot.hand_message(ANNA)
    await bot.chat.types(ANNA, "/hand")
    await bot.settle()
    (after,) = bot.chat.sees_alone(ANNA)
    assert (after.screen, after.ref == before.ref) == (before.screen, False)

    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    (left,) = bot.chat.sees_alone(ANNA)
    assert left.text == "🃏 You’re the fool!"


async def test_a_game_that_was_stopped_or_resigned_says_so_in_its_hands(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.stopped(ANNA, BORIS)
    stopped = "The game was stopped: it has no result."
    assert [bot.hand_message(user).text for user in (ANNA, BORIS)] == [stopped, stopped]

    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.presses_token(ANNA, bot.hand_message(ANNA).ref, f"q:{table.id}:1:resign")
    await bot.settle()

    assert bot.hand_message(ANNA).text == "🃏 You’re the fool!"
    assert bot.hand_message(BORIS).text == WON
    assert "\n🏳️ Anna resigned.\n" in bot.chat.room_sees()[-1].text
    assert "\nStill in hand: " in bot.chat.room_sees()[-1].text


async def test_the_end_is_told_in_the_readers_language(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.types(BORIS, "/language de")
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    assert bot.hand_message(BORIS).text == "🃏 Du bist der Durak!"


@pytest.mark.parametrize("is_dealt_again", [False, True])
async def test_a_hand_that_could_not_be_changed_in_time_says_how_its_game_ended_later(
    bot: RunningBot, is_dealt_again: bool
) -> None:
    """Throttles the bot in Boris's chat from the last move until the table plays again."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = bot.hand_message(BORIS).ref
    bot.chat.floods[BORIS.ref] = 60.0
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()

    if is_dealt_again:
        await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
        await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
        await bot.settle()

    await bot.skip(60.0)
    assert bot.chat.messages[hand].text == WON

    only_hands_rang(bot, BORIS, games=1 + is_dealt_again)


async def test_old_endings_stay_as_they_are_through_the_games_after(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    for game in range(1, 4):
        await bot.app.tables.resign(table.id, ANNA)
        await bot.settle()
        assert len(bot.chat.sees_alone(BORIS)) == game

        await bot.chat.presses(ANNA, bot.chat.room_sees(ROOM)[-1].ref, "Rematch")
        await bot.settle()
        await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
        await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
        await bot.settle()

    texts = [message.text for message in bot.chat.sees_alone(BORIS)]
    assert texts[:3] == [WON] * 3
    assert "Your 12 cards" in texts[3]

    edits = [sent for sent in bot.chat.sent if sent.verb == "edit" and sent.place == BORIS.ref]
    assert len(edits) == 2 * 3  # the end, and then without the button for a rematch


async def ends_before_the_room_takes_it(bot: RunningBot) -> MessageRef:
    """Plays a game and asks for a rematch while the room takes no messages; returns the table's message."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    first = bot.table_message().ref
    bot.chat.gates[ROOM] = asyncio.Event()

    await bot.plays_to_the_end(table)
    await bot.chat.presses_token(BORIS, first, f"g:{table.id}:1:rematch")
    return first


async def deals_again(bot: RunningBot, pressed: MessageRef) -> Table:
    """Begins the next game by buttons that the room does not show yet."""
    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    for person, action in ((ANNA, LobbyAction.JOIN), (BORIS, LobbyAction.START)):
        await bot.chat.presses_token(person, pressed, str(ChangeLobby(table.id, table.game, action)))

    assert (await bot.session(table)).game == table.game
    return table


async def takes_the_end(bot: RunningBot, first: MessageRef) -> None:
    """Makes the room accept messages again, and checks that the table's message shows a finished game."""
    bot.chat.gates.pop(ROOM).set()
    await bot.settle()

    shown = bot.chat.messages[first].text
    assert "attacks" not in shown
    assert "defends" not in shown


def results(bot: RunningBot) -> list[str]:
    """Returns the results that the room shows."""
    texts = [message.text for message in bot.chat.room_sees()]
    return [text for text in texts if "is the fool" in text or "draw" in text]


async def test_a_game_has_its_end_and_its_result_after_a_kill_though_a_rematch_was_quicker_than_the_chat(
    bot: RunningBot,
) -> None:
    first = await ends_before_the_room_takes_it(bot)
    await bot.restart()
    await takes_the_end(bot, first)
    assert len(results(bot)) == 1


async def test_a_game_has_its_end_and_its_result_though_a_rematch_was_quicker_than_the_chat(
    bot: RunningBot,
) -> None:
    first = await ends_before_the_room_takes_it(bot)
    await takes_the_end(bot, first)

    assert len(results(bot)) == 1
    assert "game 2" in bot.table_message().text


async def test_a_game_has_its_end_and_its_result_though_the_next_deal_was_quicker_than_the_chat(
    bot: RunningBot,
) -> None:
    first = await ends_before_the_room_takes_it(bot)
    await deals_again(bot, first)
    await takes_the_end(bot, first)

    assert len(results(bot)) == 1
    assert "game 2" in bot.table_message().text


async def test_messages_of_the_game_before_are_left_alone_once_they_show_its_end(bot: RunningBot) -> None:
    first = await ends_before_the_room_takes_it(bot)
    table = await deals_again(bot, first)
    await takes_the_end(bot, first)
    bot.chat.sent.clear()

    await bot.plays(table)
    await bot.settle()
    assert bot.table_message().ref in {sent.ref for sent in bot.chat.sent}
    assert first not in {sent.ref for sent in bot.chat.sent}


async def test_a_result_off_the_record_is_not_posted_once_more_for_a_rematch(bot: RunningBot) -> None:
    """Lets a month pass, after which nothing is known of the messages of a table that is over."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    first = bot.table_message().ref
    await bot.plays_to_the_end(table)
    (result,) = results(bot)
    await bot.skip(NOTE_SECONDS)

    await bot.stop()
    await bot.database.open()
    long_ago = bot.clock.now() + MESSAGES_KEPT_SECONDS
    assert await MessageSlotStore(bot.database).forget_old(long_ago, most=9) == 1
    await bot.database.close()
    await bot.start()

    await bot.chat.presses_token(BORIS, first, f"g:{table.id}:1:rematch")
    await bot.settle()
    assert "game 2" in bot.table_message().text
    assert results(bot) == [result]
