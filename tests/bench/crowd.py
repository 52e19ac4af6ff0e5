"""A bot in this process with a crowd of running games, on a chat in memory without rate limits."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace

from adapters.port import Budget, Budgets, RoomRef, ServerRef, User
from bot.app import SCHEMA, Bot
from bot.model.choices import RuleSet
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Table
from bot.storage import Database
from engine import PRESETS
from tests.bot.chat import NOWHERE, PLATFORM, Chat, person

SEATED = 4  # people at each table
MOVES = 20  # so many moves each game is old
QUIET_SECONDS = 0.5  # a bot that has sent nothing and computed nothing for so long has nothing to do


def patient_chat() -> Chat:
    """Returns a chat that accepts messages at any rate."""
    return Chat(budgets=Budgets(Budget(0.0, 1000), Budget(0.0, 1000)))


def room_of(number: int) -> RoomRef:
    """Returns the room of a table, on its own server."""
    return RoomRef(ServerRef(PLATFORM, f"club-{number}"), "parlour")


def people_at(number: int) -> list[User]:
    """Returns the players of a table, each at no other."""
    return [person(f"{name}-{number}") for name in ("Anna", "Boris", "Clara", "Dora")[:SEATED]]


class Crowd:
    """A bot on the real clock; the end of the block kills it."""

    def __init__(self, chat: Chat, database: Database, view: str) -> None:
        self.chat = chat
        self.view = view
        self.database = database
        self.bot = Bot({PLATFORM: chat}, database, time.time, pace=0.0, locale="en")
        self._began = time.monotonic()
        self._cpu_began = time.process_time()

    @property
    def seconds(self) -> float:
        """Seconds since its start."""
        return time.monotonic() - self._began

    @property
    def cpu(self) -> float:
        """Seconds of CPU since its start, of all threads."""
        return time.process_time() - self._cpu_began

    async def quiet(self) -> float:
        """Waits for the bot to fall idle; returns its seconds of CPU until then."""
        while True:
            cpu = self.cpu
            sent = len(self.chat.sent)
            await asyncio.sleep(QUIET_SECONDS)
            if self.cpu - cpu < 0.1 * QUIET_SECONDS and len(self.chat.sent) == sent:
                return cpu

    async def deal(self, number: int, *, moves: int = MOVES) -> Table:
        """Deals a game in its own room and plays its first moves."""
        tables = self.bot.tables
        people = people_at(number)
        await self.bot.servers.choose(room_of(number).server, view=self.view)
        rule_set = RuleSet("podkidnoy-36", PRESETS["podkidnoy-36"])
        table = (await tables.open(room_of(number), people[0], rule_set, "en")).table

        for each in people[1:]:
            await tables.change(table.id, lambda now, each=each: now.join(each, "trace"))  # type: ignore[misc]

        options = replace(table.options, clock=0, throw_in_seconds=0)
        await tables.change(table.id, lambda now: replace(now, options=options))
        table = await tables.start(table.id, people[0].ref)

        for _ in range(moves):
            await self.move(table)

        return table

    async def press(self, table: Table) -> None:
        """Presses the first button of the awaited player and waits until everyone has seen the result."""
        session = await self.bot.tables.session(table.id)
        assert session.state is not None
        seat = min(session.state.awaited)
        user = table.players[seat].user
        assert user is not None

        ref = await self.bot.message_index.message(TableSlot(table.id, 1, MessageKind.HAND, user))
        token = f"m:{table.id}:{session.version}:{session.state.legal_moves(seat)[0]}"
        await self.chat.presses_token(User(user, table.players[seat].name), ref or NOWHERE, token)

        while self.bot.outbox.is_dirty(table.subject):
            await asyncio.sleep(0.005)

    async def move(self, table: Table) -> None:
        """Plays the first legal move of the awaited player."""
        session = await self.bot.tables.session(table.id)
        if session.state is not None and session.state.awaited:
            seat = min(session.state.awaited)
            move = session.state.legal_moves(seat)[0]
            await self.bot.tables.submit(table.id, seat, str(move), session.version)


@asynccontextmanager
async def crowd(file: str, chat: Chat, *, view: str = "text") -> AsyncIterator[Crowd]:
    """Starts a bot on its own database and kills it at the end."""
    database = Database(f"sqlite+aiosqlite:///{file}", SCHEMA)
    chat.inbox = None
    found = Crowd(chat, database, view)
    await database.open()
    task = asyncio.create_task(found.bot.run())
    while chat.inbox is None and not task.done():
        await asyncio.sleep(0.001)

    try:
        yield found
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await database.close()


async def fill(file: str, games: int) -> None:
    """Copies the first table until this many games run, none of them rendered yet."""
    async with crowd(file, patient_chat()) as first:
        await first.deal(0)
        await first.quiet()

    with closing(sqlite3.connect(file)) as database, database:
        database.execute("DELETE FROM message_slot")
        for number in range(1, games):
            _copy(database, number)


def let_rest(file: str) -> None:
    """Marks all tables idle, as the bot does after its last message."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE card_table SET shown_at = changed_at, due_at = NULL")


def _copy(database: sqlite3.Connection, number: int) -> None:
    """Copies the first table with its server and its players."""
    step = number * SEATED

    def copied(table: str, **changed: str) -> None:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(changed.get(column, column) for column in columns)
        where = "id = 1" if "id" in columns else "table_id = 1"
        if table == "player":
            where = "id <= 4"

        database.execute(f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {where}")

    copied("server", id=f"{number} + 1", ref=f"'{room_of(number).server.id}'")
    copied("player", id=f"id + {step}", ref=f"replace(ref, '-0', '-{number}')", name="name")
    copied("card_table", id=f"{number} + 1", server_id=f"{number} + 1", opener_id=f"opener_id + {step}")
    copied("seat", table_id=f"{number} + 1", player_id=f"player_id + {step}")

    for table in ("entry", "snapshot"):
        copied(table, table_id=f"{number} + 1")
