"""Leaving a running game, coming back, and giving it up."""

from dataclasses import replace

from bot.model.table import Phase
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot


async def asked(bot: RunningBot) -> None:
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "🚪 Leave")
    await bot.settle()


async def test_a_house_player_plays_on_and_the_leaver_stands_in_the_result(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await asked(bot)
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Let a bot")
    await bot.settle()
    assert "You have left" in bot.hand_message(ANNA).text
    assert "away" in bot.table_message().text

    while (await bot.session(table)).outcome is None:
        if await bot.waiting_for(table) == BORIS:
            await bot.plays(table)
        await bot.skip(1)

    await bot.settle()
    stats = await bot.chat.types(ANNA, "/stats")
    assert stats.ephemeral is not None
    assert "1 game" in "".join(span.text for span in stats.ephemeral.body)


async def test_a_rematch_goes_on_without_who_has_left(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    await asked(bot)
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Let a bot")

    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    await bot.app.tables.rematch(table.id, CLARA)

    again = await bot.app.tables.table(table.id)
    assert [player.name for player in (*again.players, *again.expected_players)] == ["Clara", "Boris"]


async def test_after_the_end_who_has_left_can_look_at_the_leaderboard_like_anybody(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.change(table.id, lambda now: now.with_presence(ANNA.ref, has_left=True))
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    reply = await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "🏆 Leaderboard")
    assert reply.public is not None
    assert (await bot.app.tables.table(table.id)).players[0].has_left


async def test_any_press_brings_back_and_a_restart_does_not(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await asked(bot)
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Let a bot")
    await bot.settle()
    await bot.restart()
    assert (await bot.app.tables.table(table.id)).players[0].has_left

    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Come back")
    await bot.settle()
    assert not (await bot.app.tables.table(table.id)).players[0].has_left
    assert "Your " in bot.hand_message(ANNA).text
    assert "away" not in bot.table_message().text


async def test_who_resigns_is_the_fool_at_once(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    await asked(bot)
    assert (await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Resign")).toast is None
    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.OVER
    assert bot.chat.room_sees()[-1].text.startswith("🃏 Anna is the fool!")


async def test_who_stays_has_the_hand_again(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    before = bot.hand_message(ANNA).text
    await asked(bot)
    assert "Leave? A bot plays on for you" in bot.hand_message(ANNA).text
    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Stay")
    await bot.settle()
    assert bot.hand_message(ANNA).text == before


async def test_who_stays_sees_the_first_page_of_the_hand(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, buttons=12, per_row=3)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    user = await bot.waiting_for(table)
    for label in ("🚪 Leave", "Stay"):
        await bot.chat.presses(user, bot.hand_message(user).ref, label)

    assert "▶ 1/2" in [button.label for button in bot.hand_message(user).buttons]


async def test_the_question_stays_until_it_is_answered_though_the_game_goes_on(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    while await bot.waiting_for(table) == ANNA:
        await bot.plays(table)

    offered = (await bot.session(table)).version_for(0)
    await asked(bot)
    while await bot.waiting_for(table) != ANNA:
        await bot.plays(table)

    assert (await bot.session(table)).version_for(0) > offered
    assert "Leave? A bot plays on for you" in bot.hand_message(ANNA).text

    await bot.chat.presses(ANNA, bot.hand_message(ANNA).ref, "Stay")
    await bot.settle()
    assert "Your " in bot.hand_message(ANNA).text


async def test_the_question_is_not_carried_into_the_next_game(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await asked(bot)
    await bot.app.tables.resign(table.id, BORIS)

    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref)
    await bot.settle()
    assert "Your 6 cards" in bot.hand_message(ANNA).text


async def test_nobody_leaves_who_does_not_play(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    for action in ("ask", "leave", "resign", "stay"):
        reply = await bot.chat.presses_token(CLARA, bot.table_message().ref, f"q:{table.id}:1:{action}")
        assert reply.toast == "You’re not at this table."
        past = await bot.chat.presses_token(CLARA, bot.table_message().ref, f"q:{table.id}:2:{action}")
        assert past.toast == "That’s from an earlier game."

    await bot.app.tables.resign(table.id, BORIS)
    reply = await bot.chat.presses_token(ANNA, bot.hand_message(ANNA).ref, f"q:{table.id}:1:leave")
    assert reply.toast == "No game is running here."
