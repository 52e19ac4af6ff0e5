"""Advice from an expert: typed or pressed, for one's own eyes, where the table allows it."""

from tests.bot.chat import text_of
from tests.bot.house import ANNA, BORIS, CLARA, House

ADVICE = "💡 An expert would play: "
NOTHING = "No table waits for a move of yours."
OFF = "Hints are off at this table."


async def test_a_hint_is_a_move_one_may_make_and_is_told_in_private(house: House) -> None:
    assert (await house.chat.types(ANNA, "/hint")).toast == "No table waits for a move of yours."
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    other = BORIS if user == ANNA else ANNA
    labels = [button.label for button in house.hand_message(user).buttons]
    reply = await house.chat.types(user, "/hint")
    assert reply.public is None
    assert reply.private is not None
    assert text_of(reply.private).removeprefix("💡 An expert would play: ") in labels
    assert (await house.chat.types(other, "/hint")).toast == "No table waits for a move of yours."


async def test_the_button_puts_advice_into_the_hand_until_the_position_changes(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    hand = house.hand_message(user)
    assert ADVICE not in hand.text
    await house.chat.presses(user, hand.ref, "💡 Hint")
    advised = house.hand_message(user)
    assert advised.ref == hand.ref
    text, _, advice = advised.text.rpartition(ADVICE)
    assert text.startswith(hand.text)
    assert advice in [button.label for button in hand.buttons]
    house.bot.outbox.changed(table.id)
    await house.settle()
    assert house.hand_message(user).text == advised.text
    await house.plays(table)
    await house.settle()
    assert all(ADVICE not in house.hand_message(each).text for each in (ANNA, BORIS))


async def test_advice_is_in_nobody_elses_messages(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    await house.chat.presses(user, house.hand_message(user).ref, "💡 Hint")
    await house.settle()
    advised = {sent.place for sent in house.chat.sent if sent.screen and ADVICE in text_of(sent.screen)}
    assert advised == {user.ref}


async def test_a_table_without_hints_gives_none(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    hand = house.hand_message(user)
    await house.chooses(table, hints=False)
    await house.settle()
    assert "💡 Hint" not in [button.label for button in house.hand_message(user).buttons]
    assert (await house.chat.types(user, "/hint")).toast == OFF
    reply = await house.chat.presses_token(user, hand.ref, f"i:{table.id}")
    assert reply.toast == OFF
    assert ADVICE not in house.hand_message(user).text


async def test_a_hint_that_cannot_be_is_a_sentence(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    other = BORIS if await house.waiting_for(table) == ANNA else ANNA
    hand, press = house.hand_message(other).ref, f"i:{table.id}"
    assert (await house.chat.presses_token(other, hand, press)).toast == NOTHING
    table_message = house.table_message().ref
    assert (
        await house.chat.presses_token(CLARA, table_message, press)
    ).toast == "You do not sit at this table."
