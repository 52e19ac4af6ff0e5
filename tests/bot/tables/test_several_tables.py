"""A player at tables in several rooms can tell their hands apart."""

from tests.bot.chat import CELLAR, ROOM
from tests.bot.messages import Message
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot


def hands(bot: RunningBot) -> list[Message]:
    """Returns Anna's hands, the older one first."""
    return [message for message in bot.chat.sees_alone(ANNA) if "Your 6 cards" in message.text]


async def test_each_hand_says_which_table_it_belongs_to_and_leads_there(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    assert not hands(bot)[0].text.startswith("Durak")

    await bot.dealt(CLARA, ANNA, room=CELLAR, rules="perevodnoy")
    upstairs, downstairs = hands(bot)
    assert upstairs.text.startswith("Durak · Throw-in, 36 cards · game 1\nAnna · Boris\n\n")
    assert downstairs.text.startswith("Durak · Transfer · game 1\nClara · Anna\n\n")

    links = [hand.screen.body[0].link for hand in (upstairs, downstairs)]
    assert links == [bot.table_message(room).ref for room in (ROOM, CELLAR)]


async def test_the_hand_of_somebody_at_one_table_has_no_heading(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.dealt(CLARA, ANNA, room=CELLAR)
    for user in (BORIS, CLARA):
        assert not bot.hand_message(user).text.startswith("Durak")


async def test_the_heading_goes_with_the_other_game(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    other = await bot.dealt(CLARA, ANNA, room=CELLAR)
    await bot.app.tables.resign(other.id, CLARA)
    await bot.settle()
    (hand,) = hands(bot)
    assert not hand.text.startswith("Durak")


async def test_who_wants_to_leave_sees_which_table(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.dealt(CLARA, ANNA, room=CELLAR, rules="perevodnoy")
    _, downstairs = hands(bot)
    reply = await bot.chat.presses(ANNA, downstairs.ref, "🚪 Leave")
    assert reply.secret is not None
    assert reply.secret.body[0].text == "Durak · Transfer · game 1"
