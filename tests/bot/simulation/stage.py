"""The whole bot in a story, and what has to be true of it all the time and in the end.

One loop in one thread, one clock and one seed: a story happens the same way each time.
"""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import Session

from adapters.port import CallbackButton, MessageRef, Reply, RoomRef, User
from bot.model.buttons import PlayMove, ShowHand, TableButton, decode
from bot.model.table import HOUSE_NAMES, Phase, Table
from bot.storage.models import Base
from engine.runtime import GameSession, SessionFrozenError
from tests.bot.chat import LIMITS, Chat, own_room
from tests.bot.databases import WatchedDatabase
from tests.bot.fake_clock import FakeClock
from tests.bot.messages import Message, Place
from tests.bot.running_bot import RunningBot
from tests.bot.simulation.story import REGULARS, ROOMS, Deed, Step, Trouble

T = TypeVar("T")

OPENED = "Durak ·"  # what the lobby and the table begin with
FAREWELL = "I’ve forgotten you"
# A hand in the room can be edited for a quarter of an hour, as on Discord: only one has live buttons.
LIMITS_OF_A_PLATFORM = replace(LIMITS, ephemeral_seconds=900.0)
# How long everything may take to come right once nothing goes wrong any more.
CALM = (1.0, 5.0, 15.0, 40.0, 70.0, 70.0)


class Fault(Enum):
    """How the next write fails."""

    BEFORE_COMMIT = auto()
    AFTER_COMMIT = auto()


class FaultyDatabase(WatchedDatabase):
    """A database whose disk fails on demand, and whose process can be killed."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.faults: list[Fault] = []
        self.is_killed = False

    async def _run(self, engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
        if self.is_killed:
            raise asyncio.CancelledError
        fault = self.faults.pop(0) if self.faults and engine is self._writing else None
        if fault is Fault.BEFORE_COMMIT:
            raise _disk_error()
        result = await super()._run(engine, work)
        if fault is Fault.AFTER_COMMIT:
            raise _disk_error()
        return result

    async def bury(self) -> None:
        """Clears away what the process had in memory."""
        self._asked.clear()
        self._working.clear()
        await self.close()


def _disk_error() -> OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return OperationalError("", None, error)


class Stage(RunningBot):
    """A bot in a story."""

    database: FaultyDatabase

    def __init__(self, url: str, connections: list[sqlite3.Connection]) -> None:
        chat = Chat(keeps_answers=True, limits=LIMITS_OF_A_PLATFORM)
        super().__init__(url, chat, FakeClock(), pace=1.0)
        self._connections = connections  # those of the process that runs, and older ones
        self.acknowledged: list[tuple[int, int]] = []
        """Tables and versions of the moves that were answered with a new hand."""
        self.doubtful = Counter[Place]()
        """By place, how many messages arrived there of which the bot could not hear."""
        self._settled = 0  # how much was sent when everything had happened last

    def make_database(self) -> FaultyDatabase:
        return FaultyDatabase(self.url)

    async def plays_out(self, story: Sequence[Step]) -> None:
        for step in story:
            await self.goes_through(step)
            self.no_room_shows_names_of_another()
        await self.calms_down()
        await self.everything_is_right()

    # --- what happens -----------------------------------------------------------------------------------

    async def goes_through(self, step: Step) -> None:
        self.clears_up()
        self.prepares(step)
        self._settled = len(self.chat.sent)
        doing = [asyncio.create_task(self.does(step)) for _ in range(1 + (step.trouble is Trouble.TWICE))]
        if step.trouble is Trouble.KILL:
            for _ in range(step.turns):
                await asyncio.sleep(0)
            await self.is_killed()
        else:
            await self.settle()
            for gate in self.chat.gates.values():
                gate.set()
            while not all(task.done() for task in doing):  # a card thrown in waits for a moment
                await self.skip(0.5)
            await asyncio.gather(*doing)
        await self.skip(step.gap)

    def clears_up(self) -> None:
        """Ends the trouble of the step before."""
        chat = self.chat
        chat.closed.clear()
        chat.banned.clear()
        chat.gates.clear()
        chat.floods.clear()
        chat.failures.clear()
        chat.lost_answers.clear()
        self.database.faults.clear()

    def prepares(self, step: Step) -> None:
        chat = self.chat
        match step.trouble:
            case Trouble.DISK_BEFORE:
                self.database.faults.append(Fault.BEFORE_COMMIT)
            case Trouble.DISK_AFTER:
                self.database.faults.append(Fault.AFTER_COMMIT)
            case Trouble.THROTTLED:
                chat.floods[step.room] = 4.0
            case Trouble.FAILED:
                chat.failures.append(ConnectionError("the line broke"))
            case Trouble.LOST_ANSWER:
                chat.lost_answers.append(ConnectionError("the line broke after the message"))
                self.doubtful.update([step.room, *(user.ref for user in REGULARS[step.room])])
            case Trouble.SHUT:
                chat.closed.add(step.user.ref)
            case Trouble.BANNED:
                chat.banned.add(step.room)
            case Trouble.SLOW:
                chat.gates[step.user.ref] = asyncio.Event()
            case _:
                pass

    async def does(self, step: Step) -> None:
        user, room = step.user, step.room
        match step.deed:
            case Deed.PLAYS:
                people = [user, *REGULARS[room]]
                user = next((each for each in people if self.moves_of(each)), user)
                offered = self.moves_of(user) or self.buttons_of(user, room)
                await self.presses_one(user, offered, step.choice)
            case Deed.PRESSES:
                offered = self.buttons_of(user, room)
                named = [(ref, button) for ref, button in offered if button.label.startswith(step.words)]
                await self.presses_one(user, named, step.choice)
            case Deed.TYPES:
                with suppress(ConnectionError):  # the answer was lost on its way
                    await self.chat.types(user, step.words, room)
            case Deed.IS_FORGOTTEN:
                await self.is_forgotten(step)
            case Deed.WAITS:
                pass

    async def presses_one(
        self, user: User, offered: Sequence[tuple[MessageRef, CallbackButton]], choice: int
    ) -> None:
        if not offered:
            return
        ref, button = offered[choice % len(offered)]
        reply: Reply | None = None
        with suppress(ConnectionError):
            reply = await self.chat.presses_token(user, ref, button.token)
        move = decode(button.token)
        if (
            isinstance(move, PlayMove)
            and reply is not None
            and reply.toast is None
            and reply.secret is not None
        ):
            self.acknowledged.append((move.table_id, move.version + 1))

    async def is_forgotten(self, step: Step) -> None:
        with suppress(ConnectionError):
            reply = await self.chat.types(step.user, "/forgetme yes", step.room)
            if step.trouble is Trouble.NONE and FAREWELL in (reply.toast or ""):
                await self.nothing_is_kept_of(step.user)

    async def is_killed(self) -> None:
        """Ends the process between two turns of its loop: nothing that was under way goes on."""
        for sent in self.chat.sent[self._settled :]:
            if sent.verb in {"post", "answer"}:
                self.doubtful[sent.place] += 1
        self.database.is_killed = True
        for connection in self._connections:
            connection.rollback()
            connection.close()
        self._connections.clear()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.database.bury()
        await self.start()

    async def calms_down(self) -> None:
        self.clears_up()
        for seconds in CALM:
            await self.skip(seconds)

    # --- what people see --------------------------------------------------------------------------------

    def seen_by(self, user: User, room: RoomRef) -> Iterator[Message]:
        yield from self.chat.room_sees(room)
        yield from self.chat.sees_alone(user)
        yield from self.chat.room_sees(own_room(user))

    def buttons_of(self, user: User, room: RoomRef) -> list[tuple[MessageRef, CallbackButton]]:
        return [
            (message.ref, button)
            for message in self.seen_by(user, room)
            for button in message.buttons
            if button.enabled
        ]

    def moves_of(self, user: User) -> list[tuple[MessageRef, CallbackButton]]:
        return [
            (message.ref, button)
            for message in self.chat.sees_alone(user)[-1:]
            for button in message.buttons
            if button.enabled and isinstance(decode(button.token), PlayMove)
        ]

    # --- what has to be true ----------------------------------------------------------------------------

    def no_room_shows_names_of_another(self) -> None:
        for room in ROOMS:
            others = {user.name for other in ROOMS if other != room for user in REGULARS[other]}
            others.difference_update(HOUSE_NAMES)  # which bots have everywhere
            for message in self.chat.room_sees(room):
                strange = [name for name in others if name in message.text]
                assert not strange, f"{room} shows {strange}: {message.text}"

    async def everything_is_right(self) -> None:
        for room in ROOMS:
            for find in (self.app.tables.in_room, self.app.tables.announced_in):
                table = await find(room)
                if table is not None:
                    await self.table_is_right(table)
        for table_id, version in self.acknowledged:
            await self.is_in_the_journal(table_id, version)

    async def table_is_right(self, table: Table) -> None:
        session = await self.session(table)
        is_over = session.outcome is not None and session.game == table.game
        assert is_over == (table.phase is Phase.OVER), f"{table.phase} with the outcome {session.outcome}"
        if table.phase in {Phase.LOBBY, Phase.PLAYING}:
            self.is_shown_once(table)
        if table.phase is Phase.PLAYING:
            for user in REGULARS[table.room]:
                seat = table.seat_of(user.ref)
                if seat is not None:
                    self.hand_is_shown_once(table, session, user)
                    self.has_a_button(table, session, user, seat)

    def is_shown_once(self, table: Table) -> None:
        shown = [
            message.text
            for message in self.chat.room_sees(table.room)
            if message.text.startswith(OPENED) and _belongs_to(message, table)
        ]
        assert shown, "the table is nowhere to be seen"
        assert len(shown) <= 1 + self.doubtful[table.room], f"{len(shown)} messages show one table: {shown}"

    def hand_is_shown_once(self, table: Table, session: GameSession, user: User) -> None:
        shown = [
            message.text
            for message in self.chat.sees_alone(user)
            if any(_plays(button, table, session.version) for button in message.buttons)
        ]
        assert len(shown) <= 1 + self.doubtful[user.ref], f"{user.name} has {len(shown)} hands: {shown}"

    def has_a_button(self, table: Table, session: GameSession, user: User, seat: int) -> None:
        assert session.state is not None
        if seat not in session.state.awaited:
            return
        oldest = session.version_for(seat)
        buttons = [button for _, button in self.buttons_of(user, table.room)]
        plays = any(_plays(button, table, oldest) for button in buttons)
        leads = any(_leads_to_hand(button, table) for button in buttons)
        assert plays or leads, f"{user.name} is waited for and has no button"

    async def is_in_the_journal(self, table_id: int, version: int) -> None:
        with suppress(SessionFrozenError):
            session = await self.app.tables.session(table_id)
            assert session.version >= version, f"a move at table {table_id} was lost"

    async def nothing_is_kept_of(self, user: User) -> None:
        def read(session: Session) -> dict[str, str]:
            connection = session.connection()
            return {
                table.name: "\n".join(str(tuple(row)) for row in connection.execute(table.select()))
                for table in Base.metadata.sorted_tables
            }

        kept = await self.database.read(read)
        known = [name for name, rows in kept.items() if user.ref.id in rows or user.name in rows]
        assert not known, f"{known} still know {user.name}"


def _belongs_to(message: Message, table: Table) -> bool:
    meanings = [decode(button.token) for button in message.buttons if button.enabled]
    return any(isinstance(each, TableButton) and each.table_id == table.id for each in meanings)


def _plays(button: CallbackButton, table: Table, oldest: int) -> bool:
    move = decode(button.token)
    return (
        button.enabled and isinstance(move, PlayMove) and move.table_id == table.id and move.version >= oldest
    )


def _leads_to_hand(button: CallbackButton, table: Table) -> bool:
    meaning = decode(button.token)
    return button.enabled and isinstance(meaning, ShowHand) and meaning.table_id == table.id
