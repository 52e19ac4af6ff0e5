"""Limits on the database cost of an action, regardless of how many people see its effects."""

import shutil
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from adapters.port import PinTrouble
from bot.app import REGISTRY
from bot.features.bets.buttons import AskBet
from bot.model.buttons import (
    AfterGame,
    AskHint,
    CallCompany,
    CallMe,
    ChangeLobby,
    ChangeOption,
    HostGame,
    JoinCompany,
    OpenCheating,
    PlayMove,
    QuitGame,
    ShowHand,
    SortHand,
    TableButton,
    WatchTable,
    WriteInPrivate,
)
from bot.model.calendar import Appointment
from bot.model.table import Phase
from tests.bot.chat import ROOM, Chat, person
from tests.bot.databases import on_every_database
from tests.bot.fake_clock import FakeClock
from tests.bot.handlers.test_presses_from_elsewhere import EXAMPLES, at_phase
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot
from tests.bot.statements import counted

PEOPLE = [person(name) for name in ("Anna", "Boris", "Clara", "Dora")]
PRESSES = 20


async def test_a_press_is_a_move_on_disk_and_one_note_of_what_everybody_sees(bot: RunningBot) -> None:
    table = await bot.chooses(await bot.dealt(*PEOPLE, rules="podkidnoy-36"), throw_in_seconds=0)
    for each in PEOPLE:  # a first press looks its person up
        await bot.presses_move(table, each, "T")

    await bot.settle()
    with counted() as statements:
        for _ in range(PRESSES):
            await bot.plays(table)
            await bot.settle()

    assert statements.commits == statements.writers
    assert PRESSES < statements.writers <= 2 * PRESSES
    assert statements.all <= 6 * PRESSES


async def cost_of_presses(file: Path, links: str) -> tuple[int, int, int]:
    """Plays the same game on a new database; returns calls, statements and commits of its presses."""
    bot = RunningBot(f"sqlite+aiosqlite:///{file}", Chat(), FakeClock())
    bot.links = links
    await bot.start()
    dealt = await bot.dealt(*PEOPLE, rules="podkidnoy-36", seed="5eed")
    table = await bot.chooses(dealt, throw_in_seconds=0)
    await bot.settle()
    before = len(bot.chat.sent)

    with counted() as statements:
        for _ in range(PRESSES):
            await bot.plays(table)
            await bot.settle()

    await bot.stop()
    return len(bot.chat.sent) - before, statements.all, statements.commits


async def test_a_table_that_nobody_views_costs_what_it_costs_without_live_tables(
    empty_database: Path, tmp_path: Path
) -> None:
    costs = list[tuple[int, int, int]]()
    for number, links in enumerate(("", "https://durak.example/in/link")):
        file = tmp_path / f"{number}.db"
        shutil.copy(empty_database, file)
        costs.append(await cost_of_presses(file, links))

    without, offered = costs
    assert without == offered


async def cost_of(bot: RunningBot, act: Awaitable[object]) -> int:
    """Returns the statements of an act and of all that follows at once; a transaction's beginning is one."""
    await bot.settle()
    with counted() as statements:
        await act
        await bot.settle()

    return statements.all


@on_every_database
async def test_an_evening_of_people_that_nobody_has_met(bot: RunningBot) -> None:
    anna, *others = PEOPLE
    assert await cost_of(bot, bot.chat.types(anna, "/durak")) <= 34
    message = bot.table_message().ref
    for other in others:
        assert await cost_of(bot, bot.chat.presses(other, message, "Join")) <= 16

    assert await cost_of(bot, bot.chat.presses(anna, message, "Start")) <= 15

    table = await bot.app.tables.table(1)
    last = 0
    while (await bot.app.tables.table(1)).phase is Phase.PLAYING:
        last = await cost_of(bot, bot.plays(table))
    assert last <= 23

    result = bot.chat.room_sees()[-1].ref
    assert await cost_of(bot, bot.chat.presses(anna, result, "Rematch")) <= 15


# The statements of each command, typed for the second time after a game.
COMMANDS: Mapping[str, int] = {
    "durak": 18,
    "cup": 6,
    "hand": 5,
    "hint": 5,
    "play": 5,
    "learn": 6,
    "leaderboard": 8,
    "fool": 5,
    "stats": 22,
    "puzzle": 7,
    "rules": 11,
    "settings": 9,
    "me": 3,
    "language": 3,
    "review": 8,
    "verify": 8,
    "privacy": 3,
    "mydata": 37,
    "stop": 4,
    "help": 6,
    "forgetme": 2,
}

# The statements of the dearest press of each kind of a table's button, by its opener.
BUTTONS: Mapping[type[TableButton], int] = {
    AfterGame: 15,
    AskBet: 0,
    AskHint: 0,
    OpenCheating: 0,
    CallCompany: 2,
    CallMe: 10,
    ChangeLobby: 6,
    ChangeOption: 4,
    HostGame: 11,
    JoinCompany: 7,
    PlayMove: 0,  # a wrong one
    QuitGame: 28,  # which ends the game
    ShowHand: 0,
    SortHand: 3,
    WatchTable: 0,
    WriteInPrivate: 3,
}


def test_every_command_and_every_button_of_a_table_has_its_cost() -> None:
    assert COMMANDS.keys() == REGISTRY.commands.keys()
    assert BUTTONS.keys() == EXAMPLES.keys()


# --- what is due at a time ---------------------------------------------------------------------------------


async def after_a_game(bot: RunningBot) -> str:
    await bot.plays_to_the_end(await bot.dealt(ANNA, BORIS, rules=SHORT_GAME))
    return ""


async def after_refused_pins(bot: RunningBot) -> str:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings pins on")
    return PinTrouble.REFUSED.name


async def after_real_cards(bot: RunningBot) -> str:
    await bot.chat.types(ANNA, "/fool add", mentioned=(BORIS, CLARA))
    return "1"


async def in_a_cup(bot: RunningBot) -> str:
    await bot.chat.types(ANNA, "/cup")
    return "1"


# The statements of each kind of appointment when it is due, and what has happened before, which names it.
APPOINTMENTS: Mapping[str, tuple[int, Callable[[RunningBot], Awaitable[str]]]] = {
    "pins": (13, after_refused_pins),
    "worn": (12, after_a_game),
    "cards": (24, after_real_cards),
    "week": (18, after_a_game),
    "puzzle": (17, after_a_game),
    "cup": (15, in_a_cup),
}


def test_every_kind_of_appointment_has_its_cost() -> None:
    assert APPOINTMENTS.keys() == REGISTRY.appointments.keys()


@on_every_database
@pytest.mark.parametrize("name", APPOINTMENTS)
async def test_what_appointments_cost(bot: RunningBot, name: str) -> None:
    limit, prepare = APPOINTMENTS[name]
    about = await prepare(bot)
    await bot.settle()
    due = Appointment(ROOM.server, name, bot.clock.now(), about, ROOM)
    assert await cost_of(bot, bot.app.calendar.put(due)) <= limit


# --- what people type and press ----------------------------------------------------------------------------


@pytest.mark.slow
async def test_what_commands_cost(bot: RunningBot) -> None:
    await bot.plays_to_the_end(await bot.dealt(ANNA, BORIS, rules=SHORT_GAME))
    costs = dict[str, int]()
    for name in COMMANDS:
        await bot.chat.types(ANNA, f"/{name}")
        costs[name] = await cost_of(bot, bot.chat.types(ANNA, f"/{name}"))

    assert {name: cost for name, cost in costs.items() if cost > COMMANDS[name]} == {}


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["lobby", "playing", "over"])
@pytest.mark.parametrize("kind", BUTTONS, ids=lambda kind: kind.__name__)
async def test_what_presses_cost(bot: RunningBot, kind: type[TableButton], phase: str) -> None:
    table = await at_phase(bot, phase)
    session = await bot.app.tables.session(table.id)
    message = bot.table_message().ref
    for button in EXAMPLES[kind](table.id, table.game, session.version):
        assert await cost_of(bot, bot.chat.presses_token(ANNA, message, str(button))) <= BUTTONS[kind]
