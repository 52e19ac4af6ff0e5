"""The whole bot in a story: people press and type, with trouble in between.

One loop in one thread, one clock and one seed: a story happens the same way each time.
"""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from adapters.port import CallbackButton, Inbox, MessageRef, RoomRef, Throttled, User
from bot.model.buttons import PlayMove, decode
from bot.model.table import Table
from bot.storage import ServerStore, TableStore
from tests.bot.chat import LIMITS, own_room
from tests.bot.fake_clock import FakeClock
from tests.bot.messages import Message, Place
from tests.bot.running_bot import RunningBot
from tests.bot.simulation.acts import Acts
from tests.bot.simulation.faults import BrokenLineError, Fault, FaultyDatabase, MovingChat
from tests.bot.simulation.promises import Promises
from tests.bot.simulation.story import ADMINS, REGULARS, ROOMS, Deed, Step, Trouble
from tests.bot.simulation.witness import Witness

LINKS = "https://durak.example/in/link"
# A hand in the room can be edited for a quarter of an hour, as on Discord: only one has live buttons.
LIMITS_OF_A_PLATFORM = replace(LIMITS, ephemeral_seconds=900.0)
DISK_TROUBLES = {Trouble.DISK_BEFORE, Trouble.DISK_AFTER}
MAX_ACT_SECONDS = 120.0  # after which nobody waits for an answer
# The pauses in which everything recovers once failures are over; bots think in the shorter ones.
CALM = (1.0, 5.0, 15.0, 40.0, 70.0, 70.0, 2.0, 2.0, 2.0, 2.0)


class Stage(RunningBot):
    """The bot of a story, with its chat, its clock and its trouble.

    Attributes:
        witness: Receives the log of the bot.
        promises: Checks that the bot keeps its promises.
        acts: Makes people act.
        doubtful: By place, the number of messages whose arrival the bot could not learn of.
        was_killed: Whether a process was killed.
        unheard: The messages that were edited when a process was killed, whose content was not recorded.
    """

    chat: MovingChat
    database: FaultyDatabase

    def __init__(
        self, url: str, connections: list[sqlite3.Connection], witness: Witness, deaths: list[str]
    ) -> None:
        """Prepares a bot; `start` begins its process.

        Args:
            url: Its database, empty.
            connections: Those of the process that runs, and older ones.
            witness: Receives the log of the bot.
            deaths: The coming deaths of thinkers.
        """
        chat = MovingChat(keeps_answers=True, limits=LIMITS_OF_A_PLATFORM, moderators=set(ADMINS))
        super().__init__(url, chat, FakeClock(), pace=1.0)
        self.links = LINKS
        self.witness = witness
        self.promises = Promises(self)
        self.acts = Acts(self)
        self.doubtful = Counter[Place]()
        self.was_killed = False
        self.unheard = set[MessageRef]()
        self._connections = connections
        self._deaths = deaths
        self._is_prepared = False
        self._settled = 0  # how much was sent when everything had happened last

    def make_database(self) -> FaultyDatabase:
        return FaultyDatabase(self.url)

    async def before_start(self) -> None:
        """Shows each room as text at first, because drawing takes long."""
        if not self._is_prepared:
            for room in ROOMS:
                await ServerStore(self.database).choose(room.server, view="text")

        self._is_prepared = True

    async def start(self) -> None:
        await super().start()
        self.table_store = TableStore(self.database, self.clock.now)

    @property
    def inbox(self) -> Inbox:
        """Returns the current bot, for its chat."""
        assert self.chat.inbox is not None
        return self.chat.inbox

    async def plays_out(self, story: Sequence[Step]) -> None:
        """Plays a story.

        Raises:
            AssertionError: A promise was broken.
        """
        for step in story:
            await self.goes_through(step)
            await self.promises.check(self.chat.sent[self._settled :])
            if step.trouble in DISK_TROUBLES:
                await self.promises.memory_is_as_the_disk()
            if step.deed is Deed.WATCHES:
                await self.promises.messages_are_newest()

        await self.calms_down()
        await self.promises.check_end()
        await self.promises.check(self.chat.sent[self._settled :])

    # --- steps -----------------------------------------------------------------------------------

    async def goes_through(self, step: Step) -> None:
        """Performs a step with its trouble, and then lets some time pass."""
        self.clears_up()
        self.prepares(step)
        self._settled = len(self.chat.sent)

        times = 2 if step.trouble is Trouble.TWICE else 1
        doing = [asyncio.create_task(self.acts.do(step)) for _ in range(times)]
        if step.trouble is Trouble.KILL:
            for _ in range(step.turns):
                await asyncio.sleep(0)
            await self.crashes()
        else:
            await self.settle()
            for gate in self.chat.gates.values():
                gate.set()

            await self.waits_for(*doing)

        self.notes_answers()
        await self.skip(step.gap)

    def notes_answers(self) -> None:
        """Notes the answers to presses, as far as they were given before a kill."""
        for press, reply in self.chat.replies:
            self.promises.note_answer(press.token, reply)

        self.chat.replies.clear()
        self.promises.end_step()

    async def waits_for(self, *doing: "asyncio.Task[None]") -> None:
        """Skips time until all of these have ended, as a thrown-in card waits for a moment."""
        await self.settle()
        until = self.clock.now() + MAX_ACT_SECONDS
        while not all(task.done() for task in doing):
            assert self.clock.now() < until, "an act does not come to its end"
            await self.skip(0.5)

        await asyncio.gather(*doing)

    def clears_up(self) -> None:
        """Ends the trouble of the previous step."""
        chat = self.chat
        chat.closed = {user.ref for user in self.acts.blocking}
        chat.banned = set(self.acts.without_bot)
        chat.gates.clear()
        chat.floods.clear()
        chat.failures.clear()
        chat.lost_answers.clear()
        chat.pin_troubles.clear()
        self.database.faults.clear()
        self._deaths.clear()

    def prepares(self, step: Step) -> None:
        """Puts the trouble of a step where it will be met."""
        chat = self.chat
        room = chat.current(step.room)
        match step.trouble:
            case Trouble.DISK_BEFORE:
                self.database.faults.append(Fault.BEFORE_COMMIT)
            case Trouble.DISK_AFTER:
                self.database.faults.append(Fault.AFTER_COMMIT)
            case Trouble.THROTTLED:
                chat.floods[room] = 4.0
                chat.pin_troubles.append(Throttled(4.0))
            case Trouble.FAILED:
                chat.failures.append(BrokenLineError("the line broke"))
            case Trouble.LOST_ANSWER:
                chat.lost_answers.append(BrokenLineError("the line broke after the message"))
                self.doubtful.update([room, *(user.ref for user in REGULARS[step.room])])
            case Trouble.SHUT:
                chat.closed.add(step.user.ref)
            case Trouble.BANNED:
                chat.banned.add(room)
            case Trouble.SLOW:
                chat.gates[step.user.ref] = asyncio.Event()
            case Trouble.THINKER_DIES:
                self._deaths.append("it ran out of memory")
            case _:
                pass

        self.witness.disk_is_broken = bool(self.database.faults)

    async def crashes(self) -> None:
        """Ends the process between two turns of its event loop, so that nothing under way continues."""
        self.was_killed = True
        for sent in self.chat.sent[self._settled :]:
            if sent.verb in {"post", "answer"}:
                self.doubtful[sent.place] += 1
            if sent.verb in {"edit", "answer"}:
                self.unheard.add(sent.ref)

        with self.witness.looking_away():
            await self._dies()
            self._leaves_no_trace()

        await self.start()

    async def _dies(self) -> None:
        self.database.is_killed = True
        for connection in self._connections:
            connection.rollback()
            connection.close()

        self._connections.clear()
        self.acts.watchers.clear()

        for task in self._others():
            task.cancel()

        while others := self._others():  # some begin another one to clear up after them
            await asyncio.gather(*others, return_exceptions=True)

        await self.database.bury()

    @staticmethod
    def _others() -> "set[asyncio.Task[Any]]":
        """Returns all tasks but this one."""
        return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}

    def _leaves_no_trace(self) -> None:
        """Drops everything that refers to the dead process."""
        self.chat.inbox = None
        self.chat.reported.clear()
        self._running = None
        del self.app, self.database, self.table_store

    async def calms_down(self) -> None:
        """Brings people back, and skips time until everything has recovered."""
        self.clears_up()
        await self.acts.come_back()
        for seconds in CALM:
            await self.skip(seconds)

    # --- in sight of people --------------------------------------------------------------------------------

    def home_of(self, place: Place) -> RoomRef | None:
        """Returns the room whose members read messages in this place."""
        for room, people in REGULARS.items():
            current = self.chat.current(place) if isinstance(place, RoomRef) else place
            places = [self.chat.current(room), *(user.ref for user in people), *map(own_room, people)]
            if current in places:
                return room

        return None

    def people_of(self, table: Table) -> Sequence[User]:
        """Returns the regulars of a table's room."""
        home = self.home_of(table.room)
        return () if home is None else REGULARS[home]

    def seen_by(self, user: User, room: RoomRef) -> Iterator[Message]:
        """Yields the messages that somebody sees."""
        if user.ref not in self.chat.strangers and room not in self.acts.without_bot:
            yield from self.chat.room_sees(room)

        yield from self.chat.sees_alone(user)
        yield from self.chat.room_sees(own_room(user))

    def buttons_of(self, user: User, room: RoomRef) -> list[tuple[MessageRef, CallbackButton]]:
        """Returns the buttons that somebody can press."""
        return list(chain(*map(_enabled_buttons, self.seen_by(user, room))))

    def moves_of(self, user: User) -> list[tuple[MessageRef, CallbackButton]]:
        """Returns the moves in somebody's newest hand."""
        newest = self.chat.sees_alone(user)[-1:]
        offered = chain(*map(_enabled_buttons, newest))
        return [(ref, button) for ref, button in offered if isinstance(decode(button.token), PlayMove)]


def _enabled_buttons(message: Message) -> list[tuple[MessageRef, CallbackButton]]:
    return [(message.ref, button) for button in message.buttons if button.enabled]
