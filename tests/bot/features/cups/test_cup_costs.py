"""Limits on the database cost of a cup."""

from bot.features.cups.handlers import SIGN_UP_SECONDS
from tests.bot.chat import person
from tests.bot.databases import on_every_database
from tests.bot.running_bot import RunningBot
from tests.bot.test_costs import cost_of

PEOPLE = [person(name) for name in ("Anna", "Boris", "Clara", "Dora", "Eva", "Finn", "Gita", "Hugo")]


@on_every_database
async def test_a_sign_up_costs_the_same_however_many_are_in_and_two_tables_begin_at_once(
    bot: RunningBot,
) -> None:
    anna, *others = PEOPLE
    await bot.chat.types(anna, "/cup")
    await bot.settle()
    sign_up = bot.chat.room_sees()[-1]

    costs = [await cost_of(bot, bot.chat.presses(other, sign_up.ref, "I’m in")) for other in others]
    assert max(costs) <= 11

    assert await cost_of(bot, bot.skip(SIGN_UP_SECONDS)) <= 60
