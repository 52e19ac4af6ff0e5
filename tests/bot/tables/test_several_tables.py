"""Somebody sits at tables in different rooms, and no hand is taken for another."""

from tests.bot.chat import CELLAR, ROOM, Message
from tests.bot.house import ANNA, BORIS, CLARA, House


def hands(house: House) -> list[Message]:
    """Anna's hands, the older one first."""
    return [message for message in house.chat.sees_alone(ANNA) if "Your 6 cards" in message.text]


async def test_each_hand_says_which_table_it_belongs_to_and_leads_there(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    assert not hands(house)[0].text.startswith("Durak")
    await house.dealt(CLARA, ANNA, room=CELLAR, rules="perevodnoy")
    upstairs, downstairs = hands(house)
    assert upstairs.text.startswith("Durak · podkidnoy-36 · game 1\nAnna · Boris\n\n")
    assert downstairs.text.startswith("Durak · perevodnoy · game 1\nClara · Anna\n\n")
    links = [hand.screen.body[0].link for hand in (upstairs, downstairs)]
    assert links == [house.table_message(room).ref for room in (ROOM, CELLAR)]


async def test_the_hand_of_somebody_at_one_table_has_no_heading(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    await house.dealt(CLARA, ANNA, room=CELLAR)
    for user in (BORIS, CLARA):
        assert not house.hand_message(user).text.startswith("Durak")


async def test_the_heading_goes_with_the_other_game(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    other = await house.dealt(CLARA, ANNA, room=CELLAR)
    await house.bot.tables.resign(other.id, CLARA)
    await house.settle()
    (hand,) = hands(house)
    assert not hand.text.startswith("Durak")


async def test_who_wants_to_leave_sees_which_table(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    await house.dealt(CLARA, ANNA, room=CELLAR, rules="perevodnoy")
    _, downstairs = hands(house)
    reply = await house.chat.presses(ANNA, downstairs.ref, "🏳️ Leave")
    assert reply.private is not None
    assert reply.private.body[0].text == "Durak · perevodnoy · game 1"
