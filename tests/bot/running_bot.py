"""The whole bot on a real database, with a chat in memory and a clock that the test controls."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from sqlalchemy import make_url
from sqlmodel import Session

from adapters.port import MessageRef, Reply, RoomRef, User
from bot.app import SCHEMA, Bot, Features
from bot.features import FEATURES
from bot.model.messages import MessageKind, TableSlot
from bot.model.table import Table
from bot.storage import ServerStore
from bot.storage.models import SnapshotRow, TableRow
from engine import Move
from engine.runtime import Author, GameSession
from tests.bot.chat import ROOM, Chat, person
from tests.bot.databases import WatchedDatabase
from tests.bot.fake_clock import FakeClock
from tests.bot.harness import Harness
from tests.bot.messages import Message

SHORT_GAME = "podkidnoy-24 hand_size=12 throw_in=none"  # the typed rules of a game of some two dozen moves
REPLAYS = "https://durak.example/games/"  # where the page of the bot shows public games
PUZZLES = "https://durak.example/puzzles/"
CALL = "⏰"  # the beginning of every call

ANNA = person("Anna")
BORIS = person("Boris")
CLARA = person("Clara")


@asynccontextmanager
async def running_bot(
    url: str, chat: Chat, *, pace: float = 0.0, links: str = ""
) -> "AsyncIterator[RunningBot]":
    """Runs a bot on a clock that only the test moves; `pace` and `links` are as for `Bot`."""
    bot = RunningBot(url, chat, FakeClock(), pace=pace, links=links)
    await bot.start()
    yield bot
    await bot.settle()  # the database's thread then sends nothing to the closed loop
    await bot.stop()


class RunningBot(Harness):
    """A running bot; `restart` kills it and starts another one on the same database and chat."""

    features: Features = FEATURES

    def __init__(self, url: str, chat: Chat, clock: FakeClock, *, pace: float = 0.0, links: str = "") -> None:
        super().__init__(chat, clock)
        self.url = url
        self._pace = pace
        self.links = links
        """Where its page shows live tables; empty: nowhere."""
        self._running: asyncio.Task[None] | None = None

    def make_database(self) -> WatchedDatabase:
        """Returns the database for the next start, closed."""
        return WatchedDatabase(self.url, SCHEMA)

    async def before_start(self) -> None:
        """Stores the servers' settings before each start."""
        await ServerStore(self.database).choose(ROOM.server, view="text")  # a picture takes time to draw

    async def start(self) -> None:
        self.database = self.make_database()
        await self.database.open()
        await self.before_start()
        self.app = Bot(
            {self.chat.platform: self.chat},
            self.database,
            self.clock.now,
            pace=self._pace,
            locale="en",
            replays=REPLAYS,
            puzzles=PUZZLES,
            links=self.links,
            features=self.features,
        )
        self.chat.inbox = None
        self._running = asyncio.create_task(self.app.run())
        await self.until(lambda: self.chat.inbox is not None or self._task.done())

        if self._task.done():
            await self._task

    async def stop(self) -> None:
        """Kills it without warning, like a crash."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self.database.close()

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    @property
    def file(self) -> str:
        """The path of the database's file."""
        return str(make_url(self.url).database)

    @property
    def _task(self) -> asyncio.Task[None]:
        assert self._running is not None
        return self._running

    # --- shortcuts by commands and buttons ----------------------------------------------------------------

    async def opened(self, *people: User, room: RoomRef = ROOM, rules: str = "") -> Table:
        """Opens a table and seats these people, all by commands and buttons."""
        opener, *others = people
        await self.chat.types(opener, f"/durak {rules}", room)
        await self.settle()

        for other in others:
            await self.chat.presses(other, self.table_message(room).ref, "Join")

        await self.settle()
        table = await self.app.tables.in_room(room)
        assert table is not None
        return table

    async def dealt(
        self, *people: User, room: RoomRef = ROOM, rules: str = "", seed: str | None = None
    ) -> Table:
        """Opens a table for these people and starts the game; a `seed` makes it the same each time."""
        table = await self.opened(*people, room=room, rules=rules)
        if seed is not None:
            await self.app.tables.change(table.id, lambda now: replace(now, seed=seed))

        await self.chat.presses(people[0], self.table_message(room).ref, "Start")
        await self.settle()
        return await self.app.tables.table(table.id)

    async def waits_for_house_player(self) -> Table:
        """Starts a game of Anna and two house players, and plays Anna's moves until it awaits one of them."""
        table = await self.opened(ANNA)
        for label in ("Add bot", "Add bot", "Start"):
            await self.chat.presses(ANNA, self.table_message().ref, label)

        await self.settle()
        while (await self.waiting_seat(table)) == 0:
            await self.plays(table)

        await self.settle()
        return table

    async def stopped(self, *people: User, room: RoomRef = ROOM) -> None:
        """Stops the running game by the agreement of these players."""
        for each in people:
            await self.chat.types(each, "/stop", room)
        await self.settle()

    def table_message(self, room: RoomRef = ROOM) -> Message:
        """Returns the newest lobby or table in a room."""
        return next(
            message for message in reversed(self.chat.room_sees(room)) if message.text.startswith("Durak ·")
        )

    def open_message(self, user: User, label: str) -> Message:
        """Returns the message that offers a person this button: their open panel, or else the table."""
        alone = [message for message in self.chat.sees_alone(user) if message.ref in self.chat.ephemeral]
        return next(
            message
            for message in (*alone[-1:], self.table_message())
            if any(button.label.startswith(label) for button in message.buttons)
        )

    async def taps(self, user: User, label: str) -> None:
        """Presses a button of the table's settings or of its host, wherever those are open."""
        await self.chat.presses(user, self.open_message(user, label).ref, label)
        await self.settle()

    def hand_message(self, user: User) -> Message:
        """Returns the newest hand of a person."""
        return self.chat.sees_alone(user)[-1]

    def calls(self) -> list[str]:
        """Returns the calls that are in the room now."""
        return [message.text for message in self.chat.room_sees() if message.text.startswith(CALL)]

    async def chooses(self, table: Table, **options: object) -> Table:
        """Changes a table's own options, by their names."""
        changed = replace(table.options, **options)  # type: ignore[arg-type] # by name
        return await self.app.tables.change(table.id, lambda now: replace(now, options=changed))

    async def session(self, table: Table) -> GameSession:
        return await self.app.tables.session(table.id)

    async def authors(self, table: Table) -> list[Author | None]:
        """Returns the author of each move of a game."""
        return [entry.author for entry in (await self.session(table)).entries[1:]]

    async def waiting_seat(self, table: Table) -> int:
        """Returns the first awaited seat."""
        state = (await self.session(table)).state
        assert state is not None
        return min(state.awaited)

    async def waiting_for(self, table: Table) -> User:
        """Returns the first awaited player."""
        seat = await self.waiting_seat(table)
        player = (await self.app.tables.table(table.id)).players[seat]
        assert player.user is not None

        known = {each.ref: each for each in (ANNA, BORIS, CLARA)}
        return known.get(player.user) or User(player.user, player.name)

    async def presses_move(self, table: Table, user: User, move: str, *, version: int | None = None) -> Reply:
        """Presses a move on the user's hand, at its current version or an older one."""
        seen = (await self.session(table)).version if version is None else version
        return await self.chat.presses_token(user, self.hand_message(user).ref, f"m:{table.id}:{seen}:{move}")

    async def plays(self, table: Table) -> Move:
        """Presses the first move on the hand of the awaited player."""
        state = (await self.session(table)).state
        assert state is not None

        move = state.legal_moves(await self.waiting_seat(table))[0]
        await self.presses_move(table, await self.waiting_for(table), str(move))
        return move

    async def plays_to_the_end(self, table: Table) -> None:
        while (await self.session(table)).outcome is None:
            await self.plays(table)
        await self.settle()

    async def shown(self, table: Table, kind: MessageKind, user: User | None = None) -> MessageRef | None:
        """Returns the message that shows this slot, by the bot's records."""
        owner = None if user is None else user.ref
        return await self.app.message_index.message(TableSlot(table.id, table.game, kind, owner))

    async def damage(self, table: Table) -> None:
        """Corrupts the record of a table, as a torn disk might."""

        def damage(session: Session) -> None:
            session.get_one(SnapshotRow, table.id).text += " "

        await self.database.write(damage)

    async def unreadable(self, *tables: Table) -> None:
        """Makes the rules of these tables unreadable, as a downgrade to an older version does."""

        def damage(session: Session) -> None:
            for table in tables:
                session.get_one(TableRow, table.id).rules = "podkidnoy-36 phase_of_the_moon=full"

        await self.database.write(damage)
