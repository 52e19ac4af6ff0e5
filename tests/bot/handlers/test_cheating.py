"""Cheating at a table: by buttons and by typing, against house players, and never by the table itself."""

import pytest

from adapters.port import User
from bot.model.table import Table
from engine import Accuse, AccusedWrongly, Caught, Move, State, is_honest
from engine.runtime import Author, GameSession
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

SLY = "podkidnoy-24 hand_size=8 cheating=on"
PEOPLE = {0: ANNA, 1: BORIS, 2: CLARA}


def state_of(session: GameSession) -> State:
    assert session.state is not None
    return session.state


async def presses(bot: RunningBot, user: User, label: str) -> None:
    """Presses a button under somebody's hand."""
    await bot.chat.presses(user, bot.hand_message(user).ref, label)
    await bot.settle()


async def cheats(bot: RunningBot, table: Table) -> Move:
    """Plays by the rules until somebody can cheat, and does so by buttons; returns that move."""
    session = await bot.session(table)
    while True:
        await bot.settle()
        state = state_of(session)
        seat = await bot.waiting_seat(table)
        wrong = [move for move in state.sly_moves(seat) if not is_honest(state, move)]
        if not wrong:
            await bot.plays(table)
            continue

        await presses(bot, PEOPLE[seat], "🤫 Against the rules…")
        await bot.presses_move(table, PEOPLE[seat], str(wrong[0]))
        return wrong[0]


async def test_a_wrong_card_looks_like_any_other_until_somebody_points_at_it(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules=SLY)
    session = await bot.session(table)
    wrong = await cheats(bot, table)
    await bot.settle()
    assert "caught" not in bot.table_message().text.lower()

    state = state_of(session)
    pointer = next(
        seat for seat in range(3) if any(isinstance(each, Accuse) for each in state.sly_moves(seat))
    )
    await presses(bot, PEOPLE[pointer], "👀 Caught!")
    accusation = next(each for each in state.sly_moves(pointer) if isinstance(each, Accuse))
    await bot.presses_move(table, PEOPLE[pointer], str(accusation))
    await bot.settle()
    assert "caught" in bot.table_message().text
    assert [type(event) for event in session.events if isinstance(event, Caught | AccusedWrongly)] == [Caught]
    assert str(accusation.card) in str(wrong)


async def test_a_beginner_who_is_about_to_cheat_reads_no_lesson_about_fair_moves(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules=SLY)
    await bot.plays(table)
    await bot.settle()
    user = await bot.waiting_for(table)
    assert "🎓" in bot.hand_message(user).text

    await presses(bot, user, "🤫 Against the rules…")
    assert "🤫 Which card?" in bot.hand_message(user).text
    assert "🎓" not in bot.hand_message(user).text

    await presses(bot, user, "◀ Back")
    assert "🎓" in bot.hand_message(user).text


@pytest.mark.parametrize("strength", ["beginner", pytest.param("expert", marks=pytest.mark.slow)])
async def test_house_players_look_and_below_expert_they_play_by_the_rules(
    bot: RunningBot, strength: str
) -> None:
    table = await bot.chooses(await bot.opened(ANNA, rules=SLY), strength=strength)
    for label in ("Add bot", "Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.settle()
    session = await bot.session(table)
    sly = 0
    while session.outcome is None:
        state = state_of(session)
        if 0 in state.awaited:
            wrong = [move for move in state.sly_moves(0) if not is_honest(state, move)]
            sly += bool(wrong)
            await bot.presses_move(table, ANNA, str([*wrong, *state.fair_moves(0)][0]))

        await bot.settle()

    assert sly
    house = [event for event in session.events if isinstance(event, Caught | AccusedWrongly) and event.seat]
    assert not any(isinstance(event, AccusedWrongly) for event in house)
    assert len(house) >= (sly // 2 if strength == "expert" else 0)
    cheats = cheats_of(session, Author.HOUSE)
    assert len(cheats) <= (2 if strength == "expert" else 0)


async def fools(bot: RunningBot) -> list[str]:
    """Returns the lines of /fool about everyone."""
    reply = await bot.chat.types(ANNA, "/fool")
    assert reply.public is not None
    return text_of(reply.public).splitlines()[2:]


async def resigns(bot: RunningBot, loser: User, winner: User, rules: str = "") -> None:
    table = await bot.dealt(loser, winner, rules=rules)
    await bot.app.tables.resign(table.id, loser)
    await bot.skip(60)


async def test_games_with_cheating_are_counted_apart_if_a_server_wants(bot: RunningBot) -> None:
    await resigns(bot, ANNA, BORIS)
    await resigns(bot, BORIS, ANNA, SLY)
    await resigns(bot, BORIS, ANNA, SLY)
    assert await fools(bot) == ["🃏 Boris · 2 of 3 games · 67% · 🤫 2", "2. Anna · 1 of 3 games · 33% · 🤫 2"]

    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings cheats apart")
    assert await fools(bot) == [
        "🃏 Anna · 1 of 1 game · 100%",
        "2. Boris · 0 of 1 game · 0%",
        "",
        "🤫 With cheating",
        "🃏 Boris · 2 of 2 games · 100% · 🤫 2",
        "2. Anna · 0 of 2 games · 0% · 🤫 2",
    ]
    leaderboard = (await bot.chat.types(ANNA, "/leaderboard")).public
    assert leaderboard is not None
    assert "fool in 0 of 1" in text_of(leaderboard)


async def test_a_bot_that_stands_in_neither_cheats_nor_accuses(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SLY)
    session = await bot.session(table)
    await presses(bot, BORIS, "🚪 Leave")
    await presses(bot, BORIS, "Let a bot play on")
    await bot.settle()
    while session.outcome is None:
        state = state_of(session)
        if 0 in state.awaited:
            wrong = [move for move in state.sly_moves(0) if not is_honest(state, move)]
            await bot.presses_move(table, ANNA, str([*wrong, *state.fair_moves(0)][0]))

        await bot.settle()

    assert cheats_of(session, Author.PLAYER)
    assert not cheats_of(session, Author.HOUSE)
    assert not any(isinstance(event, Caught | AccusedWrongly) for event in session.events)


def cheats_of(session: GameSession, author: Author) -> list[Move]:
    """Returns the moves against the rules that somebody has made in a game."""
    assert session.opening is not None
    state = session.opening.deal()
    found = list[Move]()
    for entry in session.entries[1:]:
        move = Move.parse(entry.text)
        if entry.author is author and not is_honest(state, move):
            found.append(move)

        assert entry.seat is not None
        state = state.apply(entry.seat, move).state

    return found
