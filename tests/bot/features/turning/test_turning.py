"""The turn of the game in results: off by default, from the judge of /review."""

from adapters.port import User
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Table
from bot.tables.reviews import Review
from engine import Decision, Memory, Regret
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot

DECIDED = "🔀 Round 1 decided it: "


def review_slot(table: Table, user: User) -> TableSlot:
    return TableSlot(table.id, 1, MessageKind.REVIEW, user.ref)


def result_of(bot: RunningBot) -> str:
    return next(message.text for message in bot.chat.room_sees() if "is the fool" in message.text)


async def lost(bot: RunningBot) -> tuple[Table, User]:
    """Plays a game whose first attack was costly for both players, by its review; also returns its fool."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="lost3")
    state = (await bot.session(table)).state
    assert state is not None
    moves = state.legal_moves(state.attacker)
    decision = Decision(1, state.view_for(state.attacker), Memory(), moves, moves[0])
    regret = Regret(decision, moves[1], risk=0.9, least=0.3)

    for user in (ANNA, BORIS):
        bot.app.reviews.found[review_slot(table, user)] = Review(None, (regret,))

    await bot.plays_to_the_end(table)
    outcome = (await bot.session(table)).outcome
    assert outcome is not None
    assert outcome.fool is not None

    return table, (ANNA, BORIS)[outcome.fool]


async def test_a_result_names_the_move_that_decided_it_where_the_server_wants_that(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings turning on")
    await lost(bot)
    assert DECIDED in result_of(bot)


async def test_until_then_it_does_not_and_no_game_is_looked_at(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    assert not any(bot.app.reviews.is_wanted(review_slot(table, user)) for user in (ANNA, BORIS))
    await lost(bot)
    assert DECIDED not in result_of(bot)


async def test_a_result_comes_at_once_and_the_turn_once_it_is_found(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings turning on")
    table, fool = await lost(bot)
    slot = review_slot(table, fool)

    found = bot.app.reviews.found.pop(slot)
    bot.app.table_events.changed(table.id)
    await bot.settle()
    assert DECIDED not in result_of(bot)
    assert bot.app.reviews.is_wanted(slot) or slot in bot.app.reviews.found

    bot.app.reviews.found[slot] = found
    bot.app.table_events.changed(table.id)
    await bot.settle()

    assert DECIDED in result_of(bot)


async def test_who_resigned_decided_it_themselves(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings turning on")
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    assert "resigned" in result_of(bot)
    assert not bot.app.reviews.is_wanted(review_slot(table, ANNA))
