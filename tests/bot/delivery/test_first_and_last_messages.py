"""The first private message of a game is the hand, and what is left of it says how the game ended."""

from dataclasses import replace

import pytest

from adapters.port import User
from bot.model.message_slots import MessageKind
from bot.model.table import Phase
from bot.tables.scheduler import FULL_SECONDS
from tests.bot.chat import ROOM
from tests.bot.house import ANNA, BORIS, SHORT_GAME, House


def only_hands_rang(house: House, *people: User, games: int = 1, cards: int = 12) -> None:
    for user in people:
        rang = house.chat.rang_for(user)
        assert len(rang) == games
        assert all(f"Your {cards} cards" in text for text in rang)


async def test_the_first_message_is_the_hand_in_each_of_a_tables_games(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    only_hands_rang(house, ANNA, BORIS)
    await house.plays_to_the_end(table)
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    only_hands_rang(house, ANNA, BORIS, games=2)


async def test_the_first_message_is_the_hand_when_a_full_table_begins_by_itself(house: House) -> None:
    await house.opened(ANNA, BORIS, rules=f"{SHORT_GAME} max_players=2")
    await house.skip(FULL_SECONDS)
    only_hands_rang(house, ANNA, BORIS)


async def test_nobody_is_told_of_a_deal_before_the_table_is_on_disk_as_playing(house: House) -> None:
    """The disk fails between the two; then the process is killed, and another one finds the table dealt."""
    table = await house.opened(ANNA, BORIS, rules=SHORT_GAME)
    table_message = house.table_message()
    async with house.without_disk("card_table"):
        await house.chat.presses(ANNA, table_message.ref, "Start")
        await house.settle()
        assert house.chat.rang_for(ANNA) == house.chat.rang_for(BORIS) == []
        assert house.table_message() == table_message
        await house.stop()
        await house.database.open()
    await house.database.close()
    await house.start()
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.PLAYING
    only_hands_rang(house, ANNA, BORIS)


async def test_a_table_whose_deal_failed_goes_on_gathering_after_a_restart(house: House) -> None:
    table = await house.opened(ANNA, BORIS, rules=SHORT_GAME)
    async with house.without_disk("entry"):
        reply = await house.chat.presses(ANNA, house.table_message().ref, "Start")
        assert "Something went wrong on our side" in str(reply.toast)
    await house.restart()
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY
    await house.chat.presses(BORIS, house.table_message().ref, "Leave")
    await house.settle()
    await house.chat.presses(BORIS, house.table_message().ref, "Join")
    await house.settle()
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    only_hands_rang(house, ANNA, BORIS)


async def test_what_is_left_of_a_game_says_how_it_ended_in_one_message(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=f"{SHORT_GAME} simultaneous_empty=defender_loses")
    hands = {user: house.hand_message(user).ref for user in (ANNA, BORIS)}
    await house.plays_to_the_end(table)
    outcome = (await house.session(table)).outcome
    assert outcome is not None
    for seat, user in enumerate((ANNA, BORIS)):
        (left,) = house.chat.sees_alone(user)
        assert (left.ref, left.buttons) == (hands[user], ())
        fool = "You are" if outcome.fool == seat else f"{('Anna', 'Boris')[1 - seat]} is"
        place = f"\nYour place: {outcome.order.index(seat) + 1} of 2" if seat in outcome.order else ""
        assert left.text == f"🃏 {fool} the fool!{place}\n\nGame 1 is over."
        assert left.screen.body[-1].link == await house.shown(table, MessageKind.TABLE)


async def test_who_asks_for_their_hand_keeps_one_message_of_the_game(house: House) -> None:
    """Where a private answer stays in the private chat, it takes the place of the hand that stood there."""
    house.chat.limits = replace(house.chat.limits, ephemeral_answers=False)
    table = await house.dealt(ANNA, BORIS)
    before = house.hand_message(ANNA)
    await house.chat.types(ANNA, "/hand")
    await house.settle()
    (after,) = house.chat.sees_alone(ANNA)
    assert (after.screen, after.ref == before.ref) == (before.screen, False)
    await house.bot.tables.resign(table.id, ANNA)
    await house.settle()
    (left,) = house.chat.sees_alone(ANNA)
    assert left.text == "🃏 You are the fool!\n\nGame 1 is over."


async def test_a_game_that_was_stopped_or_resigned_says_so_in_its_hands(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    await house.stopped(ANNA, BORIS)
    stopped = "The game was stopped: it has no result.\n\nGame 1 is over."
    assert [house.hand_message(user).text for user in (ANNA, BORIS)] == [stopped, stopped]
    table = await house.dealt(ANNA, BORIS)
    await house.chat.presses_token(ANNA, house.hand_message(ANNA).ref, f"q:{table.id}:1:resign")
    await house.settle()
    assert house.hand_message(ANNA).text == "🃏 You are the fool!\n\nGame 1 is over."
    assert house.hand_message(BORIS).text == "🃏 Anna is the fool!\n\nGame 1 is over."


async def test_the_end_is_told_in_the_readers_language(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.chat.types(BORIS, "/language de")
    await house.bot.tables.resign(table.id, BORIS)
    await house.settle()
    assert house.hand_message(BORIS).text == "🃏 Du bist der Durak!\n\nSpiel 1 ist vorbei."


@pytest.mark.parametrize("is_dealt_again", [False, True])
async def test_a_hand_that_could_not_be_changed_in_time_says_how_its_game_ended_later(
    house: House, is_dealt_again: bool
) -> None:
    """Boris's chat throttles the bot from the last move until the table plays again."""
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = house.hand_message(BORIS).ref
    house.chat.floods[BORIS.ref] = 60.0
    await house.bot.tables.resign(table.id, ANNA)
    await house.settle()
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    if is_dealt_again:
        await house.chat.presses(ANNA, house.table_message().ref, "Start")
        await house.settle()
    await house.skip(60.0)
    assert house.chat.messages[hand].text == "🃏 Anna is the fool!\n\nGame 1 is over."
    only_hands_rang(house, BORIS, games=1 + is_dealt_again)


async def test_old_endings_stay_as_they_are_through_the_games_after(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    for game in range(1, 4):
        await house.bot.tables.resign(table.id, ANNA)
        await house.settle()
        assert len(house.chat.sees_alone(BORIS)) == game
        await house.chat.presses(ANNA, house.chat.room_sees(ROOM)[-1].ref, "Rematch")
        await house.settle()
        await house.chat.presses(ANNA, house.table_message().ref, "Start")
        await house.settle()
    told = [message.text for message in house.chat.sees_alone(BORIS)]
    assert told[:3] == [f"🃏 Anna is the fool!\n\nGame {game} is over." for game in range(1, 4)]
    assert "Your 12 cards" in told[3]
    edits = [sent for sent in house.chat.sent if sent.verb == "edit" and sent.place == BORIS.ref]
    assert len(edits) == 3
