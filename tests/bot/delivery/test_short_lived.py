"""Panels, questions and lists for one person are removed when they are no longer useful."""

from dataclasses import replace

import pytest

from adapters.port import MessageRef, PrivateChat, User
from bot.model.table import Phase
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

ONE_WORD = "/play what"


def alone(bot: RunningBot, user: User) -> set[MessageRef]:
    """Returns the messages that a person alone sees."""
    return {message.ref for message in bot.chat.sees_alone(user)}


async def test_a_closed_panel_of_settings_is_gone(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    await bot.taps(ANNA, "Settings")
    (panel,) = alone(bot, ANNA)
    await bot.chat.presses(ANNA, panel, "OK")
    assert alone(bot, ANNA) == set()


async def test_a_panel_of_settings_is_gone_once_the_game_has_begun(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    await bot.taps(ANNA, "Settings")
    (panel,) = alone(bot, ANNA)
    await bot.settle()
    assert panel in alone(bot, ANNA)

    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert panel not in alone(bot, ANNA)


@pytest.mark.parametrize("token", ["o:{}:1", "t:{}:1:close"])
async def test_no_forged_press_removes_the_table(bot: RunningBot, token: str) -> None:
    table = await (bot.opened(ANNA, BORIS) if token.startswith("o") else bot.dealt(ANNA, BORIS))
    shown = set(bot.chat.messages)
    for user in (ANNA, BORIS):
        await bot.chat.presses_token(user, bot.table_message().ref, token.format(table.id))
        for own in alone(bot, user) & shown:
            await bot.chat.presses_token(user, own, token.format(table.id))

    await bot.settle()
    assert shown <= set(bot.chat.messages)


async def test_the_hosts_panel_is_gone_once_it_is_closed_or_the_game_has_ended(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    hands = alone(bot, ANNA)
    await bot.taps(ANNA, "⚙️ Table")
    (panel,) = alone(bot, ANNA) - hands
    await bot.chat.presses(ANNA, panel, "Back")
    assert alone(bot, ANNA) == hands

    await bot.taps(ANNA, "⚙️ Table")
    assert alone(bot, ANNA) != hands
    await bot.stopped(ANNA, BORIS)
    assert alone(bot, ANNA) <= hands


@pytest.mark.parametrize("answer", ["Yes, stop", "Play on"])
@pytest.mark.parametrize("is_alone", [True, False])
async def test_a_question_about_the_end_is_gone_once_it_is_answered(
    bot: RunningBot, answer: str, is_alone: bool
) -> None:
    private_chat = PrivateChat.IN_THE_ROOM if is_alone else PrivateChat.BEHIND_A_STEP
    bot.chat.limits = replace(bot.chat.limits, private_chat=private_chat)
    table = await bot.dealt(ANNA, BORIS, CLARA)
    before = set(bot.chat.messages)
    for _ in range(2):
        await bot.chat.types(ANNA, "/stop")
        await bot.settle()

    asked = bot.table_message().ref
    questions = set(bot.chat.messages) - before - {asked}
    assert len(questions) == 1

    await bot.chat.presses(BORIS, asked, answer)
    await bot.chat.presses(CLARA, asked, answer)
    await bot.settle()
    assert not questions & set(bot.chat.messages)
    is_closed = (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert is_closed == (answer == "Yes, stop")


async def test_a_list_of_moves_is_gone_once_the_choice_is_another(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=900.0)
    user = await bot.waiting_for(table)
    before = set(bot.chat.messages)
    await bot.chat.types(user, ONE_WORD, ROOM)
    await bot.settle()
    (offered,) = set(bot.chat.messages) - before

    state = (await bot.session(table)).state
    assert state is not None
    move = str(state.legal_moves(state.attacker)[0])
    hand = next(each for each in bot.chat.sees_alone(user) if each.ref != offered)
    version = (await bot.session(table)).version
    await bot.chat.presses_token(user, hand.ref, f"m:{table.id}:{version}:{move}")
    await bot.settle()
    assert offered not in bot.chat.messages
