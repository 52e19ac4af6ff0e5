"""Who sits down or starts is told where their cards will come."""

from dataclasses import replace

import pytest

from adapters.port import Reply
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

PRIVATE, AT_THE_TABLE = "come in private", "press “My hand”"


def told_by(reply: Reply) -> str:
    assert reply.toast is not None
    return reply.toast


@pytest.mark.parametrize("button", ["Join", "Start"])
@pytest.mark.parametrize("was_reached", [False, True])
@pytest.mark.parametrize("shows_alone", [False, True])
async def test_who_sits_down_or_starts_hears_where_their_cards_come(
    bot: RunningBot, button: str, *, was_reached: bool, shows_alone: bool
) -> None:
    """A chat that shows nobody anything alone cannot write to somebody first either."""
    bot.chat.limits = replace(bot.chat.limits, ephemeral_answers=shows_alone)
    opener, presser = (ANNA, BORIS) if button == "Join" else (BORIS, BORIS)
    await bot.opened(opener)
    if button == "Start":
        await bot.chat.presses(ANNA, bot.table_message().ref, "Join")
    if was_reached:
        await bot.chat.opens_private(presser)
    told = told_by(await bot.chat.presses(presser, bot.table_message().ref, button))
    is_private = was_reached or shows_alone
    assert (PRIVATE in told, AT_THE_TABLE in told) == (is_private, not is_private)


async def test_who_refuses_private_messages_hears_that_their_cards_are_at_the_table(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await bot.dealt(ANNA, BORIS)
    await bot.stopped(ANNA, BORIS)
    await bot.opened(ANNA)
    assert AT_THE_TABLE in told_by(await bot.chat.presses(BORIS, bot.table_message().ref, "Join"))


async def test_who_will_see_their_cards_on_the_table_itself_is_told_nothing_of_them(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    await bot.opened(ANNA)
    for user, button in ((BORIS, "Join"), (ANNA, "Start")):
        reply = await bot.chat.presses(user, bot.table_message().ref, button)
        assert reply == Reply(open_private=True)


async def test_a_moderator_who_starts_and_does_not_play_hears_of_no_cards(bot: RunningBot) -> None:
    bot.chat.moderators.add(CLARA.ref)
    await bot.opened(ANNA, BORIS)
    assert await bot.chat.presses(CLARA, bot.table_message().ref, "Start") == Reply()


async def test_joining_leads_newcomers_to_the_private_chat_and_nobody_else(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    assert reply.open_private
    await bot.chat.opens_private(BORIS)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Leave")
    await bot.settle()
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    assert not reply.open_private
