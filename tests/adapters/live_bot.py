"""The whole bot with the real adapter of a chat, run within the test's process."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, delete
from structlog.testing import capture_logs

from adapters.port import Adapter, RoomRef, User
from bot.app import SCHEMA, Bot
from bot.delivery.rings import PRESENT_SECONDS
from bot.features.puzzles.store import PuzzleStore
from bot.features.week.handlers import EVENING, SUNDAY
from bot.model.calendar import Appointment
from bot.model.table import Phase
from bot.model.waiting import CALL_AFTER_IN_ROOM
from bot.storage import Database
from bot.storage.models import RingRow
from tests.adapters.contract import eventually
from tests.bot.features.puzzles.test_puzzles import puzzle
from tests.bot.running_bot import CALL
from tests.e2e.chats import Person
from tests.e2e.game import SHORT, button, hand_with, press, result, sit_down, until

HOUR_SECONDS = 60 * 60.0

REPLAYS = "https://durak.example/games/"

TROUBLE = frozenset({"warning", "error", "critical", "exception"})


@dataclass
class LiveClock:
    """The wall clock, which a test can move ahead by some seconds."""

    ahead: float = 0.0

    def now(self) -> float:
        return time.time() + self.ahead


@dataclass
class LiveBot:
    """A bot that serves one chat, and the lines that it has `logged`."""

    app: Bot
    clock: LiveClock
    database: Database
    adapter: Adapter
    logged: Sequence[MutableMapping[str, Any]]
    library_log: pytest.LogCaptureFixture

    @property
    def trouble(self) -> list[object]:
        """The log lines that would worry its owner, the library's own warnings included."""
        own = [line for line in self.logged if line["log_level"] in TROUBLE]
        return [*own, *(record for record in self.library_log.records if record.levelno >= logging.WARNING)]

    async def loses(self, loser: User, other: User, room: RoomRef, opening: Awaitable[object]) -> None:
        """Plays a game in a room, which one of two people loses; `opening` makes the loser open a table."""
        tables = self.app.tables
        await self.app.servers.choose(room.server, quiet="off")  # tests run at night, too
        known = set(tables.tables_in(room))
        await opening
        await eventually(lambda: set(tables.tables_in(room)) - known)
        table = await tables.in_room(room)
        assert table is not None

        await tables.change(table.id, lambda now: now.join(other))
        await tables.start(table.id, loser.ref, event="start")
        await tables.resign(table.id, loser)


@asynccontextmanager
async def live_bot(
    adapter: Adapter, folder: Path, library_log: pytest.LogCaptureFixture
) -> AsyncIterator[LiveBot]:
    """Runs the bot until the test is over, without its pauses for people."""
    database = Database(f"sqlite+aiosqlite:///{folder / 'durak.db'}", SCHEMA)
    await database.open()
    clock = LiveClock()

    with capture_logs() as logged:
        app = Bot({adapter.platform: adapter}, database, clock.now, pace=0.0, locale="en", replays=REPLAYS)
        running = asyncio.create_task(app.run())
        try:
            await eventually(lambda: adapter.ready or running.done())
            yield LiveBot(app, clock, database, adapter, logged, library_log)
            assert not running.done(), "the bot has ended by itself"
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await database.close()


async def gives_up(person: Person) -> None:
    """Resigns the running game."""
    for label in ("🚪 Leave", "Resign"):
        await person.presses(*await hand_with(person, label))
    await until(lambda: result(person), "the result")


async def is_announced(person: Person, words: str, *, times: int = 1) -> None:
    """Waits until a person sees so many messages that begin with these words."""

    async def look() -> bool:
        seen = (*await person.private(), *await person.public())
        return sum(shown.text.lstrip("*").startswith(words) for shown in seen) >= times

    await until(look, words)


async def look_back_together(anna: Person, boris: Person, *, is_alone: bool = True) -> None:
    """Presses the buttons under a result that two people see, and the buttons of the answers.

    `is_alone`: the chat shows the explanation of the ranking only to the person who pressed.
    """
    await sit_down([anna, boris])
    await gives_up(anna)
    await press(anna, "My mistakes")
    await is_announced(anna, "Review · game 1")
    assert not [read for read in boris.has_read() if "Review · game 1" in read.text]

    await press(boris, "🏆 Leaderboard")
    await press(anna, "How is it counted?")
    await is_announced(anna, "How is it counted?")
    explained = [read for read in boris.has_read() if "The fool index compares" in read.text]
    assert bool(explained) is not is_alone


async def look_back_alone(anna: Person) -> None:
    """Presses the buttons under a result in a private chat with the bot."""
    await anna.types("/durak bots")
    await gives_up(anna)
    await press(anna, "My mistakes")
    await is_announced(anna, "Review · game 1")
    assert await result(anna), "the review has taken the place of the result"
    await press(anna, "🏆 Leaderboard")
    await is_announced(anna, "Leaderboard")


async def after_the_game(bot: LiveBot, anna: Person, boris: Person) -> None:
    """Replays the end of a game, then calls one of its players to a held and to an announced table."""
    await sit_down([anna, boris])
    await gives_up(anna)
    await press(boris, "🎞 How it ended")
    await press(boris, "🔔 Notify me of the next game")
    await is_announced(boris, "🔔 I’ll call you once")
    await boris.types("/me")

    for label in ("📣 Others may call you to play: no", "yes", "📣 Others may call you to play: yes"):
        await boris.presses(*await hand_with(boris, label))

    for table in bot.app.tables.known.values():
        await bot.app.servers.choose(table.room.server, quiet="off")  # tests run at night, too

    await anna.types("/durak max_players=2")
    await is_announced(boris, "🔔 Anna opened a table")
    await press_in_lobby(anna, "Close the table")
    await reads(anna, "table is closed")
    await half_an_hour_passes(bot)
    await anna.types("/durak max_players=2")
    await press_in_lobby(anna, "📣 Invite the last players")
    await is_announced(boris, "🔔 Anna opened a table", times=2)
    await press(boris, "Join")
    await press(anna, "Hold")
    await press_in_lobby(anna, "Close the table")
    await press_in_lobby(anna, "Close the table")  # Boris sits there, too
    await announce_a_table(bot, anna, boris)


async def press_in_lobby(person: Person, label: str) -> None:
    """Presses a button of the lobby, or one of those that it folds away."""
    shown, token = await button(person, label, "More…")
    if shown.buttons[token] == "More…":
        await person.presses(shown, token)
        shown, token = await hand_with(person, label)
    await person.presses(shown, token)


async def pins_a_table(
    bot: LiveBot,
    anna: Person,
    switches_on: Callable[[], Awaitable[object]],
    lets_pin: Callable[[], object],
    pinned: Callable[[], Sequence[object]],
) -> None:
    """Checks that Anna learns of the missing right, and that a table is pinned until it is closed then.

    `switches_on` types the setting for Anna, `lets_pin` gives the right, and `pinned` lists the room's pins.
    """
    await switches_on()
    await reads(anna, "I need the right “Pin Messages”. Give it to me, then try again.")
    lets_pin()
    await switches_on()
    await reads(anna, "📌 Pin the table: on")

    await anna.types("/durak")
    await eventually(pinned)
    await press_in_lobby(anna, "Close the table")
    await eventually(lambda: not pinned())
    assert not bot.trouble


async def reads(person: Person, words: str) -> None:
    """Waits until a person sees a message with these words."""

    async def look() -> bool:
        return any(words in read.text for read in person.has_read())

    await until(look, words)


async def half_an_hour_passes(bot: LiveBot) -> None:
    """Forgets earlier calls, as half an hour does, so that people can be called again."""

    def forget(session: Session) -> None:
        session.exec(delete(RingRow))

    await bot.database.write(forget)


async def announce_a_table(bot: LiveBot, anna: Person, boris: Person) -> None:
    """Announces a table, calls the people who come, and opens it."""
    await anna.types("/durak 20:30")
    await press(boris, "I’m in")
    (table,) = (known for known in bot.app.tables.known.values() if known.phase is Phase.ANNOUNCED)

    await half_an_hour_passes(bot)
    await bot.app.tables.change(table.id, lambda now: replace(now, starts_at=time.time()))
    await is_announced(boris, "⏰")
    await press(boris, "I’m in")
    seated = (await bot.app.tables.table(table.id)).players
    assert [player.name for player in seated] == ["Boris"]


def leaves_sunday_evening(bot: LiveBot) -> None:
    """Moves the clock past a Sunday evening: no report counts what is played after the week's is out."""
    there = datetime.fromtimestamp(bot.clock.now(), UTC)
    if there.weekday() == SUNDAY and there.hour >= EVENING:
        bot.clock.ahead += (24 - there.hour) * HOUR_SECONDS


async def comes_due(bot: LiveBot, room: RoomRef) -> None:
    """Moves the clock to Sunday evening, when the week and the puzzle come due in a room.

    The puzzle is there as one of a game played here, so that the bot doesn't search for one first. That would
    take up to half a minute on a busy machine.
    """
    await PuzzleStore(bot.database).add([puzzle()], bot.clock.now())
    await bot.app.servers.choose(room.server, quiet="off")
    local = (await bot.app.servers.choices(room.server)).local_time
    bot.clock.ahead += local.weekly(bot.clock.now(), SUNDAY, EVENING) - bot.clock.now()
    for kind in ("week", "puzzle"):
        await bot.app.calendar.put(Appointment(room.server, kind, bot.clock.now(), room=room))


async def rings_for_the_next_game(
    bot: LiveBot, anna: Person, boris: Person, room: Callable[[], Sequence[str]]
) -> None:
    """Plays on with hands in the room: Boris, who looks elsewhere, is rung at once, and only once.

    `room` returns what Anna sees there, oldest first: her hand comes below the result as she deals.
    """
    await sit_down([anna, boris], command=SHORT)
    for person in (anna, boris):
        await press(person, "My hand")

    await gives_up(anna)
    await press(anna, "Rematch")
    await press(boris, "Rematch", "Join")
    await eventually(lambda: [len(table.players) for table in bot.app.tables.known.values()] == [2])

    bot.clock.ahead += PRESENT_SECONDS
    seen = len(boris.has_read())

    def rings() -> int:
        return sum(CALL in read.text for read in boris.has_read()[seen:])

    await press(anna, "Start", "Start now")
    await eventually(rings, within=CALL_AFTER_IN_ROOM / 2)
    await asyncio.sleep(CALL_AFTER_IN_ROOM + 1.0)
    assert rings() == 1

    places = {
        words: place
        for place, text in enumerate(room())
        for words in ("Your 12 cards", "is the fool!")
        if words in text
    }
    assert places["is the fool!"] < places["Your 12 cards"]
