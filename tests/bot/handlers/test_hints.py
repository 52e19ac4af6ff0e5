"""Advice from an expert: by command or button, for the asker alone, where the table allows it."""

import asyncio

from prometheus_client import REGISTRY

from bot.thinking.queue import Purpose
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

ADVICE = "💡 An expert would play: "
NOTHING = "It’s not your turn at any table."
OFF = "Hints are off at this table."


async def test_a_hint_is_a_move_one_may_make_and_is_told_in_private(bot: RunningBot) -> None:
    assert (await bot.chat.types(ANNA, "/hint")).toast == "It’s not your turn at any table."
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    other = BORIS if user == ANNA else ANNA
    labels = [button.label for button in bot.hand_message(user).buttons]

    reply = await bot.chat.types(user, "/hint")
    assert reply.public is None
    assert reply.secret is not None
    assert text_of(reply.secret).removeprefix("💡 An expert would play: ") in labels
    assert (await bot.chat.types(other, "/hint")).toast == "It’s not your turn at any table."


async def test_the_button_puts_advice_into_the_hand_until_the_position_changes(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    hand = bot.hand_message(user)
    assert ADVICE not in hand.text

    await bot.chat.presses(user, hand.ref, "💡 Hint")
    advised = bot.hand_message(user)
    assert advised.ref == hand.ref

    text, _, advice = advised.text.partition(ADVICE)
    advice, _, way_back = advice.partition("\n\n")
    assert f"{text}{way_back}" == hand.text
    assert advice in [button.label for button in hand.buttons]

    bot.app.outbox.mark_dirty(table.subject)
    await bot.settle()
    assert bot.hand_message(user).text == advised.text

    await bot.plays(table)
    await bot.settle()
    assert all(ADVICE not in bot.hand_message(each).text for each in (ANNA, BORIS))


async def test_advice_is_in_nobody_elses_messages(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    await bot.chat.presses(user, bot.hand_message(user).ref, "💡 Hint")
    await bot.settle()
    advised = {sent.place for sent in bot.chat.sent if sent.screen and ADVICE in text_of(sent.screen)}
    assert advised == {user.ref}


async def test_a_table_without_hints_gives_none(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    hand = bot.hand_message(user)
    await bot.chooses(table, hints=False)
    await bot.settle()

    assert "💡 Hint" not in [button.label for button in bot.hand_message(user).buttons]
    assert (await bot.chat.types(user, "/hint")).toast == OFF

    reply = await bot.chat.presses_token(user, hand.ref, f"i:{table.id}")
    assert reply.toast == OFF
    assert ADVICE not in bot.hand_message(user).text


async def test_a_hint_that_cannot_be_is_a_sentence(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    other = BORIS if await bot.waiting_for(table) == ANNA else ANNA
    hand = bot.hand_message(other).ref
    press = f"i:{table.id}"
    assert (await bot.chat.presses_token(other, hand, press)).toast == NOTHING
    table_message = bot.table_message().ref
    assert (await bot.chat.presses_token(CLARA, table_message, press)).toast == "You’re not at this table."


async def test_a_position_is_thought_about_once_however_often_somebody_asks(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    thoughts = hints_asked()

    reply, *_ = await asyncio.gather(
        bot.chat.types(user, "/hint"),
        *[bot.chat.presses(user, bot.hand_message(user).ref, "💡 Hint") for _ in range(3)],
    )
    assert hints_asked() == thoughts + 1
    assert reply.secret is not None
    assert text_of(reply.secret) in bot.hand_message(user).text

    await bot.plays(table)
    await bot.settle()
    await bot.chat.types(await bot.waiting_for(table), "/hint")
    assert hints_asked() == thoughts + 2


def hints_asked() -> float:
    return REGISTRY.get_sample_value("durak_thoughts_asked_total", {"kind": str(Purpose.HINT)}) or 0.0
