"""What goes wrong in other bots with chats, one test for each."""

import asyncio
from dataclasses import replace

from structlog.testing import capture_logs

from adapters.port import UserRef
from engine.runtime import Author
from tests.bot.chat import CELLAR, PLATFORM, ROOM, text_of
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House


async def test_an_old_button_two_taps_and_two_answers(house: House) -> None:
    """An old button does nothing, two taps play one move, each tap is answered once."""
    table = await house.dealt(ANNA, BORIS)
    session = await house.session(table)
    user, hand = await house.waiting_for(table), house.hand_message(await house.waiting_for(table)).ref
    assert session.state is not None
    move = session.state.legal_moves(session.state.attacker)[0]
    token = f"m:{table.id}:{session.version}:{move}"
    house.chat.sent.clear()
    async with asyncio.TaskGroup() as tasks:
        taps = [tasks.create_task(house.chat.presses_token(user, hand, token)) for _ in range(2)]
    toasts = [tap.result().toast for tap in taps]
    assert toasts.count(None) == 1
    assert [toast for toast in toasts if toast] == ["The table has moved on: here is how it stands now."]
    assert session.version == 2
    assert [sent.verb for sent in house.chat.sent].count("answer") == 2
    await house.settle()
    assert "Your 5 cards" in house.hand_message(user).text
    other = await house.waiting_for(table)
    await house.presses_move(table, other, "T")
    await house.chat.presses_token(user, hand, token)
    assert [str(entry.text) for entry in session.entries].count(str(move)) == 1


async def test_two_namesakes_hold_two_hands_and_any_name_is_shown_safely(house: House) -> None:
    twin = replace(ANNA, ref=UserRef(PLATFORM, "id-another-anna"), name="Anna")
    crocodile = replace(ANNA, ref=UserRef(PLATFORM, "id-crocodile"), name="🐊" * 64)
    nobody = replace(ANNA, ref=UserRef(PLATFORM, "id-nobody"), name="\u202e")
    markup = replace(ANNA, ref=UserRef(PLATFORM, "id-markup"), name="*_<b>[x](y)`\n|| @all")
    everybody = (ANNA, twin, crocodile, nobody, markup)
    await house.dealt(*everybody)
    hands = [house.hand_message(user).text for user in everybody]
    assert len(set(hands)) == 5
    table_message = house.table_message()
    assert "Anna · 6" in table_message.text
    assert "Anna (2) · 6" in table_message.text
    assert f"{'🐊' * 23}… · 6" in table_message.text
    assert "#4 · 6" in table_message.text
    # a span of its own, which the chat escapes
    assert "*_<b>[x](y)` || @all" in {span.text for span in table_message.screen.body}
    assert "\u202e" not in table_message.text


async def test_a_move_is_saved_whole_or_not_at_all(house: House) -> None:
    """The disk fails in the middle: no card is lost, and neither hand nor table shows what is not saved."""
    table = await house.dealt(ANNA, BORIS)
    session, user = await house.session(table), await house.waiting_for(table)
    before, seen = session.state, house.hand_message(user).text
    assert before is not None
    move = str(before.legal_moves(before.attacker)[0])
    with capture_logs():
        async with house.without_disk("snapshot"):  # after the entry, before the end of the transaction
            reply = await house.presses_move(table, user, move)
    assert reply.toast is not None
    await house.settle()
    assert session.state == before
    assert house.hand_message(user).text == seen
    await house.restart()
    await house.settle()
    again = await house.session(table)
    assert (again.state, again.version) == (before, 1)
    assert (await house.presses_move(table, user, move)).toast is None


async def test_those_who_play_and_moderators_end_a_game_not_who_plays_elsewhere(house: House) -> None:
    await house.dealt(BORIS, CLARA, room=CELLAR)
    table = await house.dealt(ANNA, BORIS)
    for user in (BORIS, CLARA):
        assert "everybody agrees" in str((await house.chat.types(user, "/stop")).toast)
    assert (await house.session(table)).outcome is None
    assert (await house.chat.types(ANNA, "/stop")).toast == "The table is put away."
    assert "everybody agrees" in str((await house.chat.types(ANNA, "/stop", CELLAR)).toast)


async def test_18_tallies_are_the_games_on_record_whatever_was_stopped_or_repeated(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.plays(table)
    await house.stopped(ANNA, BORIS)  # has no result
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    session = await house.session(table)
    last = session.entries[-1]
    assert last.seat is not None
    await house.presses_move(table, (ANNA, BORIS)[last.seat], last.text, version=last.version - 1)
    await house.restart()
    await house.settle()
    board = text_of((await house.chat.types(CLARA, "/leaderboard")).public or house.table_message().screen)
    assert board.count("in 1 game ·") == 2
    fools = {} if session.outcome is None else {table.players[seat].name for seat in session.outcome.losers}
    for name in ("Anna", "Boris"):
        assert f"{name} · fool {int(name in fools)} in 1 game" in board


async def test_19_a_restart_keeps_buttons_clocks_and_messages(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.plays(table)
    await house.settle()
    hand = house.hand_message(await house.waiting_for(table))
    table_message = house.table_message().ref
    button = hand.buttons[-1]
    await house.stop()
    house.hours.skip(500.0)
    await house.start()
    await house.settle()
    assert house.table_message().ref == table_message
    assert len([each for each in house.chat.room_sees() if each.text.startswith("Durak")]) == 1
    reply = await house.chat.presses(await house.waiting_for(table), hand.ref, button.label)
    assert reply.toast is None
    await house.restart()
    for _ in range(3):
        await house.skip(60.0)
    assert Author.CLOCK in {entry.author for entry in (await house.session(table)).entries}


async def test_one_slow_person_and_one_flooded_group_stop_nobody_else(house: House) -> None:
    here, there = await house.dealt(ANNA, BORIS), await house.dealt(ANNA, CLARA, room=CELLAR)
    house.chat.floods[ROOM] = 3600.0
    gate = house.chat.gates[BORIS.ref] = asyncio.Event()  # his phone does not answer
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(house.plays(here))
        await house.settle()
        await house.plays(there)
        await house.settle()
        assert (await house.session(here)).version == (await house.session(there)).version == 2
        assert "On the table" in house.table_message(CELLAR).text
        assert "On the table" not in house.table_message(ROOM).text
        gate.set()
    await house.settle()
    assert {len(house.chat.sees_alone(user)) for user in (ANNA, BORIS, CLARA)} == {1, 2}
