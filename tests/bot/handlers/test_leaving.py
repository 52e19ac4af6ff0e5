"""Leaving a running game, coming back, and giving it up."""

from bot.model.table import Phase
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House


async def asked(house: House) -> None:
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "🏳️ Leave")
    await house.settle()


async def test_a_house_player_plays_on_and_the_leaver_stands_in_the_result(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await asked(house)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Let a house player")
    await house.settle()
    assert "You have left" in house.hand_message(ANNA).text
    assert "away" in house.table_message().text
    while (await house.session(table)).outcome is None:
        if await house.waiting_for(table) == BORIS:
            await house.plays(table)
        await house.skip(1)
    await house.settle()
    stats = await house.chat.types(ANNA, "/stats")
    assert stats.public is not None
    assert "1 game" in "".join(span.text for span in stats.public.body)


async def test_a_rematch_goes_on_without_who_has_left(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, CLARA)
    await asked(house)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Let a house player")
    await house.bot.tables.resign(table.id, BORIS)
    await house.settle()
    await house.bot.tables.rematch(table.id, CLARA)
    again = await house.bot.tables.table(table.id)
    assert [player.name for player in again.players] == ["Boris", "Clara"]


async def test_any_press_brings_back_and_a_restart_does_not(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await asked(house)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Let a house player")
    await house.settle()
    await house.restart()
    assert (await house.bot.tables.table(table.id)).players[0].has_left
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Come back")
    await house.settle()
    assert not (await house.bot.tables.table(table.id)).players[0].has_left
    assert "Your " in house.hand_message(ANNA).text
    assert "away" not in house.table_message().text


async def test_who_resigns_is_the_fool_at_once(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, CLARA)
    await asked(house)
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Resign")
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.OVER
    assert house.chat.room_sees()[-1].text.startswith("🃏 Anna is the fool!")


async def test_who_stays_has_the_hand_again(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    before = house.hand_message(ANNA).text
    await asked(house)
    assert "Leave this game?" in house.hand_message(ANNA).text
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Stay")
    await house.settle()
    assert house.hand_message(ANNA).text == before


async def test_the_question_stays_until_it_is_answered_though_the_game_goes_on(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    while await house.waiting_for(table) == ANNA:
        await house.plays(table)
    offered = (await house.session(table)).version_for(0)
    await asked(house)
    while await house.waiting_for(table) != ANNA:
        await house.plays(table)
    assert (await house.session(table)).version_for(0) > offered
    assert "Leave this game?" in house.hand_message(ANNA).text
    await house.chat.presses(ANNA, house.hand_message(ANNA).ref, "Stay")
    await house.settle()
    assert "Your " in house.hand_message(ANNA).text


async def test_the_question_is_not_carried_into_the_next_game(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await asked(house)
    await house.bot.tables.resign(table.id, BORIS)
    await house.bot.tables.rematch(table.id, ANNA)
    await house.bot.tables.start(table.id, ANNA.ref)
    await house.settle()
    assert "Your 6 cards" in house.hand_message(ANNA).text


async def test_nobody_leaves_who_does_not_play(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    for action in ("ask", "leave", "resign", "stay"):
        reply = await house.chat.presses_token(CLARA, house.table_message().ref, f"q:{table.id}:1:{action}")
        assert reply.toast == "You do not sit at this table."
        past = await house.chat.presses_token(CLARA, house.table_message().ref, f"q:{table.id}:2:{action}")
        assert past.toast == "That belongs to an earlier game."
    await house.bot.tables.resign(table.id, BORIS)
    reply = await house.chat.presses_token(ANNA, house.hand_message(ANNA).ref, f"q:{table.id}:1:leave")
    assert reply.toast == "No game is running here."
