"""Mistakes of other chat bots, one test for each."""

import asyncio
import re
from dataclasses import replace

from structlog.testing import capture_logs

from adapters.port import Reply, UserRef
from engine.runtime import Author
from tests.bot.chat import CELLAR, PLATFORM, ROOM
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot


async def test_an_old_button_two_taps_and_two_answers(bot: RunningBot) -> None:
    """Presses an old button, which does nothing, and one twice: it plays one move, with an answer each."""
    table = await bot.dealt(ANNA, BORIS)
    session = await bot.session(table)
    user = await bot.waiting_for(table)
    hand = bot.hand_message(await bot.waiting_for(table)).ref

    assert session.state is not None
    move = session.state.legal_moves(session.state.attacker)[0]
    token = f"m:{table.id}:{session.version}:{move}"
    bot.chat.sent.clear()

    async with asyncio.TaskGroup() as tasks:
        taps = [tasks.create_task(bot.chat.presses_token(user, hand, token)) for _ in range(2)]

    toasts = [tap.result().toast for tap in taps]
    assert toasts.count(None) == 1
    assert [toast for toast in toasts if toast] == [
        "Too late, the table has moved on. This is how it looks now."
    ]
    assert session.version == 2
    assert [sent.verb for sent in bot.chat.sent].count("answer") == 2

    await bot.settle()
    assert "Your 5 cards" in bot.hand_message(user).text

    other = await bot.waiting_for(table)
    await bot.presses_move(table, other, "T")
    await bot.chat.presses_token(user, hand, token)

    assert [str(entry.text) for entry in session.entries].count(str(move)) == 1


async def test_two_namesakes_hold_two_hands_and_any_name_is_shown_safely(bot: RunningBot) -> None:
    twin = replace(ANNA, ref=UserRef(PLATFORM, "id-another-anna"), name="Anna")
    crocodile = replace(ANNA, ref=UserRef(PLATFORM, "id-crocodile"), name="🐊" * 64)
    nobody = replace(ANNA, ref=UserRef(PLATFORM, "id-nobody"), name="\u202e")
    markup = replace(ANNA, ref=UserRef(PLATFORM, "id-markup"), name="*_<b>[x](y)`\n|| @all")
    everybody = (ANNA, twin, crocodile, nobody, markup)
    await bot.dealt(*everybody)

    hands = [bot.hand_message(user).text for user in everybody]
    assert len(set(hands)) == 5

    table_message = bot.table_message()
    assert "Anna · 6" in table_message.text
    assert "Anna (2) · 6" in table_message.text
    assert f"{'🐊' * 23}… · 6" in table_message.text
    assert "#4 · 6" in table_message.text
    # its own span, which the chat escapes
    assert "*_<b>[x](y)` || @all" in {span.text for span in table_message.screen.text}
    assert "\u202e" not in table_message.text


async def test_a_move_is_saved_whole_or_not_at_all(bot: RunningBot) -> None:
    """Makes the disk fail in the middle: no card is lost, and no screen shows the lost move."""
    table = await bot.dealt(ANNA, BORIS)
    session = await bot.session(table)
    user = await bot.waiting_for(table)
    before = session.state
    seen = bot.hand_message(user).text
    assert before is not None
    move = str(before.legal_moves(before.attacker)[0])

    with capture_logs():
        async with bot.without_disk("snapshot"):  # after the entry, before the end of the transaction
            reply = await bot.presses_move(table, user, move)

    assert reply.toast is not None
    await bot.settle()
    assert session.state == before
    assert bot.hand_message(user).text == seen

    await bot.restart()
    await bot.settle()
    again = await bot.session(table)
    assert (again.state, again.version) == (before, 1)
    assert (await bot.presses_move(table, user, move)).toast is None


async def test_those_who_play_and_moderators_end_a_game_not_who_plays_elsewhere(bot: RunningBot) -> None:
    await bot.dealt(BORIS, CLARA, room=CELLAR)
    table = await bot.dealt(ANNA, BORIS)
    assert await bot.chat.types(BORIS, "/stop") == Reply()  # the table shows the question to Anna
    assert "all its players agree" in str((await bot.chat.types(CLARA, "/stop")).toast)
    assert (await bot.session(table)).outcome is None
    assert await bot.chat.types(ANNA, "/stop") == Reply()
    assert "all its players agree" in str((await bot.chat.types(ANNA, "/stop", CELLAR)).toast)


async def test_tallies_are_the_games_on_record_whatever_was_stopped_or_repeated(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.plays(table)
    await bot.stopped(ANNA, BORIS)  # has no result

    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)

    session = await bot.session(table)
    last = session.entries[-1]
    assert last.seat is not None

    await bot.presses_move(table, (ANNA, BORIS)[last.seat], last.text, version=last.version - 1)
    await bot.restart()
    await bot.settle()

    board = text_of((await bot.chat.types(CLARA, "/leaderboard")).public or bot.table_message().screen)
    assert board.count(" of 1") == 2

    fools = {} if session.outcome is None else {table.players[seat].name for seat in session.outcome.losers}
    for name in ("Anna", "Boris"):
        assert re.search(rf"{name} · (fool in )?{int(name in fools)} of 1\b", board)


async def test_a_restart_keeps_buttons_clocks_and_messages(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.plays(table)
    await bot.settle()

    hand = bot.hand_message(await bot.waiting_for(table))
    table_message = bot.table_message().ref
    button = hand.buttons[-1]

    await bot.stop()
    bot.clock.skip(500.0)
    await bot.start()
    await bot.settle()

    assert bot.table_message().ref == table_message
    assert len([message for message in bot.chat.room_sees() if message.text.startswith("Durak")]) == 1

    reply = await bot.chat.presses(await bot.waiting_for(table), hand.ref, button.label)
    assert reply.toast is None

    await bot.restart()
    for _ in range(3):
        await bot.skip(60.0)

    assert Author.CLOCK in {entry.author for entry in (await bot.session(table)).entries}


async def test_one_slow_person_and_one_flooded_group_stop_nobody_else(bot: RunningBot) -> None:
    here = await bot.dealt(ANNA, BORIS)
    there = await bot.dealt(ANNA, CLARA, room=CELLAR)
    bot.chat.floods[ROOM] = 3600.0
    gate = bot.chat.gates[BORIS.ref] = asyncio.Event()  # his phone does not respond

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(bot.plays(here))
        await bot.settle()
        await bot.plays(there)
        await bot.settle()
        assert (await bot.session(here)).version == (await bot.session(there)).version == 2
        assert "On the table" in bot.table_message(CELLAR).text
        assert "On the table" not in bot.table_message(ROOM).text

        gate.set()

    await bot.settle()
    assert {len(bot.chat.sees_alone(user)) for user in (ANNA, BORIS, CLARA)} == {1, 2}
