"""Bets on the fool: offered and placed in private, shown in the result, counted by /stats and the week."""

import re

import pytest
from sqlmodel import Session, select

from adapters.port import WAITS_IN_PRIVATE, Press, Reply, User
from bot.features.bets import screens
from bot.features.bets.buttons import AskBet, PlaceBet
from bot.features.bets.model import GameProphets
from bot.features.bets.rows import BetRow
from bot.locale import Translator
from bot.model.table import Table
from tests.bot.chat import ROOM, person
from tests.bot.handlers.test_privacy import data_of
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

ASK = "🔮 Who loses?"
DORA = person("Dora")
WITH_A_TALON = "podkidnoy-24 hand_size=6"


async def wanted(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings bets on")


async def asks(bot: RunningBot, user: User) -> Reply:
    return await bot.chat.presses(user, bot.table_message().ref, ASK)


async def bets(bot: RunningBot, user: User, on: str) -> Reply:
    """Presses the question under the table, and a name below it."""
    reply = await asks(bot, user)
    assert reply.secret is not None
    await bot.settle()
    return await bot.chat.presses(user, bot.chat.sees_alone(user)[-1].ref, on)


def has_button(bot: RunningBot) -> bool:
    return any(button.label == ASK for button in bot.table_message().buttons)


def offered(reply: Reply) -> list[str]:
    assert reply.secret is not None
    return [button.label for row in reply.secret.rows for button in row]


async def placed(bot: RunningBot) -> list[tuple[int, int]]:
    def read(session: Session) -> list[tuple[int, int]]:
        return [(row.game, row.seat) for row in session.exec(select(BetRow))]

    return await bot.database.read(read)


async def over(bot: RunningBot, table: Table) -> tuple[User, User]:
    """Plays a game of Anna and Boris to its end; returns its fool and the other player."""
    await bot.plays_to_the_end(table)
    await bot.skip(60)
    outcome = (await bot.session(table)).outcome
    assert outcome is not None
    assert outcome.fool is not None
    players = (ANNA, BORIS)
    return players[outcome.fool], players[1 - outcome.fool]


def result(bot: RunningBot) -> str:
    return next(text for message in reversed(bot.chat.room_sees()) if " round" in (text := message.text))


async def stats(bot: RunningBot, user: User) -> str:
    shown = (await bot.chat.types(user, "/stats")).ephemeral
    assert shown is not None
    return text_of(shown)


async def test_until_a_server_wants_them_there_are_no_bets(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    assert not has_button(bot)

    token = str(AskBet(table.id, table.game))
    reply = await bot.chat.presses_token(CLARA, bot.table_message().ref, token)
    assert reply.toast == screens.CLOSED


async def test_the_result_names_those_who_saw_it_coming_and_nothing_is_shown_before(bot: RunningBot) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="lost3")
    shown = len(bot.chat.room_sees())
    await bets(bot, CLARA, "Boris")
    reply = await bets(bot, DORA, "Anna")
    assert reply.replacement is not None
    assert text_of(reply.replacement).startswith("🔮 Your bet: Anna.")

    await bot.settle()
    assert len(bot.chat.room_sees()) == shown
    assert not any("Clara" in message.text or "Dora" in message.text for message in bot.chat.room_sees())

    await bot.restart()
    await bot.settle()
    fool, _ = await over(bot, table)
    prophet, other = (DORA, CLARA) if fool == ANNA else (CLARA, DORA)
    assert f"🔮 Saw it coming: {prophet.name}\n" in result(bot)
    assert "🔮 Bets on the fool: 1 of 1 right" in await stats(bot, prophet)
    assert "🔮 Bets on the fool: 0 of 1 right" in await stats(bot, other)


async def test_a_bet_is_placed_once_even_by_two_presses_and_after_a_restart(bot: RunningBot) -> None:
    await wanted(bot)
    await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    await asks(bot, CLARA)
    await asks(bot, CLARA)
    first, second = (message.ref for message in bot.chat.sees_alone(CLARA)[-2:])

    await bot.chat.presses(CLARA, first, "Boris")
    reply = await bot.chat.presses(CLARA, second, "Anna")
    already = "🔮 You’ve bet already: Boris."
    assert (reply.toast or "").startswith(already)

    await bot.restart()
    reply = await asks(bot, CLARA)
    assert reply.secret is None
    assert (reply.toast or "").startswith(already)
    assert await placed(bot) == [(1, 1)]


async def test_players_bet_on_others(bot: RunningBot) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, CLARA, rules=WITH_A_TALON)
    assert offered(await asks(bot, BORIS)) == ["Anna", "Clara"]
    assert offered(await asks(bot, DORA)) == ["Anna", "Boris", "Clara"]

    await bot.chat.presses_token(BORIS, bot.table_message().ref, str(PlaceBet(table.id, 1, 1)))
    assert not await placed(bot)


async def test_in_a_game_of_teams_one_bets_on_a_team_that_is_not_ones_own(bot: RunningBot) -> None:
    await wanted(bot)
    eve = person("Eve")
    await bot.dealt(ANNA, BORIS, CLARA, eve, rules="podkidnoy-36 teams=2x2")
    assert offered(await asks(bot, DORA)) == ["🔴 Anna and Clara", "🔵 Boris and Eve"]
    assert offered(await asks(bot, CLARA)) == ["🔵 Boris and Eve"]


async def test_bets_close_when_half_of_the_talon_is_drawn(bot: RunningBot) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    await asks(bot, CLARA)
    question = bot.chat.sees_alone(CLARA)[-1].ref

    while (state := (await bot.session(table)).state) is not None and 2 * len(state.talon) > 12:
        assert has_button(bot)
        await bot.plays(table)
        await bot.skip(5)

    assert not has_button(bot)
    assert (await bot.chat.presses(CLARA, question, "Boris")).toast == screens.CLOSED
    assert not await placed(bot)


async def test_without_a_talon_bets_close_with_the_first_round(bot: RunningBot) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="lost3")
    assert has_button(bot)
    while (state := (await bot.session(table)).state) is not None and not state.bouts:
        await bot.plays(table)

    await bot.skip(5)
    assert not has_button(bot)


async def test_a_table_of_one_person_and_bots_takes_none(bot: RunningBot) -> None:
    await wanted(bot)
    await bot.waits_for_house_player()
    assert not has_button(bot)


async def test_bets_on_a_draw_are_void(bot: RunningBot) -> None:
    await wanted(bot)
    outcome = None
    while outcome is None or not outcome.is_draw:
        table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="draw")
        await bets(bot, CLARA, "Boris")
        before = await placed(bot)
        await bot.plays_to_the_end(table)
        outcome = (await bot.session(table)).outcome

    await bot.skip(60)
    assert len(await placed(bot)) == len(before) - 1
    assert "🔮" not in result(bot)


@pytest.mark.parametrize("end", ["resigned", "stopped"])
async def test_bets_on_a_game_that_nobody_lost_by_the_cards_are_void(bot: RunningBot, end: str) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    await bets(bot, CLARA, "Boris")

    if end == "resigned":
        await bot.app.tables.resign(table.id, BORIS)
        await bot.skip(60)
        assert "🔮" not in result(bot)
    else:
        await bot.stopped(ANNA, BORIS)

    assert not await placed(bot)
    assert "🔮" not in await stats(bot, CLARA)


async def test_a_bet_from_another_message_counts_as_little_as_one_on_an_earlier_game(bot: RunningBot) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    await bot.chat.presses_token(CLARA, bot.table_message().ref, str(PlaceBet(table.id, 1, 1)))
    await asks(bot, CLARA)
    question = bot.chat.sees_alone(CLARA)[-1].ref
    await bot.app.tables.resign(table.id, BORIS)
    await bot.skip(60)

    assert (await bot.chat.presses(CLARA, question, "Boris")).toast == screens.CLOSED
    assert not await placed(bot)


async def test_the_question_leaves_no_row_too_many_beside_open_panels(bot: RunningBot) -> None:
    await wanted(bot)
    await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    await bot.chat.types(BORIS, "/stop")
    await bot.settle()
    assert not has_button(bot)


async def test_where_nothing_can_be_shown_alone_the_question_waits_in_the_private_chat(
    bot: RunningBot,
) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=WITH_A_TALON)
    message = bot.table_message().ref
    token = str(AskBet(table.id, table.game))
    press = Press(CLARA, ROOM, token, message, id="press", tokens=frozenset([token]))
    reply = await bot.app.inbox.press(press)
    bot.app.inbox.press_answered(press, reply, WAITS_IN_PRIVATE)

    opened = await bot.chat.opens_private(CLARA)
    assert opened.secret == reply.secret


async def test_the_week_has_a_prophet(bot: RunningBot) -> None:
    await wanted(bot)
    await bot.chat.types(ANNA, "/settings week on")
    while len(await placed(bot)) < 6:  # draws leave none
        table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="week")
        await bets(bot, CLARA, "Boris")
        await bets(bot, DORA, "Anna")
        await bot.plays_to_the_end(table)
        await bot.skip(60)

    await bot.skip(8 * 24 * 60 * 60.0)
    (week,) = [message.text for message in bot.chat.room_sees() if message.text.startswith("🗓")]
    assert re.search(r"🔮 Prophet of the week: (Clara|Dora) \([23] of 3 bets right\)", week)


async def test_a_bet_is_shown_by_mydata_and_forgotten_with_its_person(bot: RunningBot) -> None:
    await wanted(bot)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="lost3")
    await bets(bot, CLARA, "Boris")
    await bets(bot, DORA, "Anna")
    data = await data_of(await bot.chat.types(CLARA, "/mydata"))
    assert [bet["seat"] for bet in data["bets"]] == [1]

    await over(bot, table)
    await bot.chat.types(CLARA, "/forgetme yes")
    await bot.chat.types(DORA, "/forgetme yes")
    await bot.settle()
    bot.app.table_events.changed(table.id)
    await bot.skip(60)

    assert not await placed(bot)
    assert "🔮" not in result(bot)


def test_many_prophets_are_counted() -> None:
    names = [f"Prophet {number}" for number in range(9)]
    line = screens.game_prophets_line(GameProphets(names, 20), Translator("en"))
    assert "".join(span.text for span in line) == f"🔮 Saw it coming: {', '.join(names[:5])} +4"


def test_where_nobody_saw_it_coming_nobody_is_named() -> None:
    line = screens.game_prophets_line(GameProphets((), 2), Translator("en"))
    assert "".join(span.text for span in line) == "🔮 Nobody saw it coming."
    assert screens.game_prophets_line(GameProphets((), 0), Translator("en")) == ()
