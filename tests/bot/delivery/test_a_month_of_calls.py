"""For a month a hundred people invite, announce, ask, refuse and close, day and night, with kills.

Nobody is called from one server more than once in half an hour, at night, or against their will. Every
promised call is made.
"""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from adapters.port import RoomRef, Screen, ServerRef, User, UserRef
from bot.delivery.calls import PAUSE, WISH_SECONDS
from bot.model.buttons import CallCompany, CallMe, ChangeLobby, JoinCompany, LobbyAction, MuteCalls
from bot.model.table import Phase, Table
from bot.storage import CallStore
from bot.storage.calls import RING_SECONDS
from tests.bot.chat import PLATFORM, ROOM, Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.messages import text_of
from tests.bot.running_bot import RunningBot
from tests.bot.settling_loop import SettlingLoop
from tests.examples import examples

PEOPLE = [person(f"P{number}") for number in range(100)]
ROOMS = (ROOM, RoomRef(ServerRef(PLATFORM, "pub"), "bar"))
NAMES = {ROOMS[0].server: "Club", ROOMS[1].server: "Pub"}
MONTH = 30 * 24 * 60 * 60.0
MINUTE = 60.0
HOUR = 3600.0
GAPS = (18 * HOUR, 20.0, 5 * MINUTE, 31 * MINUTE, 3 * HOUR, 2 * 24 * HOUR)
STEPS = 40
MAX_ROUNDS = 3  # the number of times that a series of short pauses is repeated


class Deed(Enum):
    """An action of a person."""

    INVITE = auto()
    ANNOUNCE = auto()
    ASK = auto()
    JOIN = auto()
    DECLINE = auto()
    MUTE = auto()
    COMPANY = auto()
    AGREE = auto()  # the last company may call them
    CLOSE = auto()
    SHUT = auto()  # the bot can no longer write to them
    OPEN = auto()  # they open the private chat
    KILL = auto()


@dataclass(frozen=True)
class Step:
    """An action of one person in a room, perhaps about others, and the time that passes after it."""

    deed: Deed
    who: User
    others: Sequence[User]
    room: RoomRef
    gap: float


# Often the same few people: a hundred at random would hardly ever meet.
people = st.sampled_from([*PEOPLE, *PEOPLE[:6] * 30])
steps = st.builds(
    Step,
    st.sampled_from([*Deed, Deed.INVITE, Deed.INVITE, Deed.ANNOUNCE, Deed.ASK, Deed.ASK, Deed.JOIN]),
    people,
    st.lists(people, max_size=4, unique=True),
    st.sampled_from(ROOMS),
    st.sampled_from(GAPS),
)


@dataclass
class Ledger:
    """A record of all notices and wishes, as an observer of all chats would keep it."""

    rang_at: dict[tuple[UserRef, ServerRef], float] = field(default_factory=dict)
    muted: set[tuple[UserRef, ServerRef]] = field(default_factory=set)
    promised: dict[tuple[UserRef, RoomRef], float] = field(default_factory=dict)
    uncalled: dict[int, set[UserRef]] = field(default_factory=dict)  # by table


class Month:
    """The month being played."""

    def __init__(self, bot: RunningBot) -> None:
        self.bot = bot
        self.ledger = Ledger()
        self._seen = 0

    @property
    def now(self) -> float:
        return self.bot.clock.now()

    async def is_quiet(self, server: ServerRef) -> bool:
        return (await self.bot.app.servers.choices(server)).local_time.is_quiet(self.now)

    async def goes_through(self, step: Step) -> None:
        await self.does(step)
        for pause in (PAUSE, step.gap, PAUSE):
            await self.bot.skip(pause)
            await self.is_right()

    async def does(self, step: Step) -> None:
        bot = self.bot
        who = step.who
        room = step.room
        table = await bot.app.tables.in_room(room)
        announced = await bot.app.tables.announced_in(room)

        match step.deed:
            case Deed.INVITE:
                await bot.chat.types(who, "/durak max_players=3", room, mentioned=tuple(step.others))
            case Deed.ANNOUNCE:
                local = (await bot.app.servers.choices(room.server)).local_time
                at = local.at(self.now + 2 * HOUR)
                await bot.chat.types(who, f"/durak {at:%H:%M}", room, mentioned=tuple(step.others))
            case Deed.CLOSE:
                bot.chat.moderators.add(who.ref)
                await bot.chat.types(who, "/stop", room)
                bot.chat.moderators.discard(who.ref)
            case Deed.SHUT:
                bot.chat.closed.add(who.ref)
            case Deed.OPEN:
                bot.chat.closed.discard(who.ref)
                await bot.chat.opens_private(who, room)
            case Deed.KILL:
                await bot.restart()
            case _:
                for each in (table, announced):
                    if each is not None:
                        await self.presses(step, each)

    async def presses(self, step: Step, table: Table) -> None:
        tokens = {
            Deed.ASK: CallMe(table.id, table.game),
            Deed.JOIN: ChangeLobby(table.id, table.game, LobbyAction.JOIN),
            Deed.DECLINE: ChangeLobby(table.id, table.game, LobbyAction.LEAVE),
            Deed.MUTE: MuteCalls(table.id),
            Deed.COMPANY: CallCompany(table.id, table.game),
            Deed.AGREE: JoinCompany(table.id, table.game),
        }
        who = step.who.ref
        server = table.room.server
        message = self.bot.chat.room_sees(table.room)[-1].ref
        reply = await self.bot.chat.presses_token(step.who, message, str(tokens[step.deed]))
        text = reply.toast or ""

        if step.deed is Deed.MUTE:
            self.ledger.muted.add((who, server))
            for room in ROOMS:
                if room.server == server:
                    self.ledger.promised.pop((who, room), None)
        elif step.deed is Deed.AGREE and "who played this game" not in text:
            self.ledger.muted.discard((who, server))
        elif step.deed is Deed.ASK and "already at this table" not in text:
            self.ledger.muted.discard((who, server))
            self.ledger.promised.setdefault((who, table.room), self.now + WISH_SECONDS)

    # --- invariants at any time -----------------------------------------------------------------------------

    async def is_right(self) -> None:
        before = dict(self.ledger.rang_at)
        await self.nobody_was_called_too_often()
        await self.every_invitation_rang(before)
        await self.no_promise_is_forgotten()

    async def nobody_was_called_too_often(self) -> None:
        chat = self.bot.chat
        new = chat.sent[self._seen :]
        self._seen = len(chat.sent)

        for sent in new:
            if sent.verb != "post" or sent.screen is None:
                continue

            text = text_of(sent.screen)
            is_call = text.startswith(("🔔", "⏰")) and "your move" not in text  # a game calls its players
            if not is_call:
                continue

            if isinstance(sent.place, RoomRef):
                for span in sent.screen.body:
                    if span.mention is not None:
                        await self.rang(span.mention, sent.place.server)
            elif isinstance(sent.place, UserRef) and sent.place not in chat.closed:
                await self.rang_in_private(sent.place, sent.screen)

    async def rang_in_private(self, user: UserRef, screen: Screen) -> None:
        text = text_of(screen)
        room = next((room for room in ROOMS if f"“{NAMES[room.server]}”" in text), None)
        if room is None:  # a promise is not a call
            return

        await self.rang(user, room.server)
        if "opened a table" in text:
            self.ledger.promised.pop((user, room), None)

    async def rang(self, user: UserRef, server: ServerRef) -> None:
        rang_at = self.ledger.rang_at.get((user, server), float("-inf"))
        assert self.now >= rang_at + RING_SECONDS, "called twice in half an hour"
        assert (user, server) not in self.ledger.muted, "called against their will"
        assert not await self.is_quiet(server), "called at night"
        self.ledger.rang_at[user, server] = self.now

    async def every_invitation_rang(self, before: dict[tuple[UserRef, ServerRef], float]) -> None:
        """Checks that everybody whose call was decided was called, unless a rule forbids it."""
        for table in await self.gathering():
            server = table.room.server
            is_quiet = await self.is_quiet(server)
            uncalled = {player.user for player in table.uncalled if player.user is not None}
            decided = self.ledger.uncalled.get(table.id, set()) - uncalled
            for user in decided & {player.user for player in table.gathering}:
                is_recent = before.get((user, server), float("-inf")) + RING_SECONDS > self.now
                was_called = self.ledger.rang_at.get((user, server)) == self.now
                is_unwilling = (user, server) in self.ledger.muted or user in self.bot.chat.closed
                assert was_called or is_recent or is_unwilling or is_quiet, "an invitation was lost"

            self.ledger.uncalled[table.id] = uncalled

    async def no_promise_is_forgotten(self) -> None:
        store = CallStore(self.bot.database)
        for (user, room), until in list(self.ledger.promised.items()):
            if until < self.now:
                del self.ledger.promised[user, room]
                continue

            wishes = await store.wishes_of(user, self.now)
            assert room in {wish.room for wish, _ in wishes}, "a promise was forgotten"

    async def every_chance_was_used(self) -> None:
        """Checks that nobody waits for a game where one gathers and the rules allow a call."""
        store = CallStore(self.bot.database)
        for table in await self.gathering():
            if table.phase is not Phase.LOBBY or table.is_full or await self.is_quiet(table.room.server):
                continue

            for wish in await store.waiting(table.room, table.id, table.game, self.now):
                is_reachable = wish.user not in self.bot.chat.closed and table.seat_of(wish.user) is None
                may_be_called = await store.may_ring_at(wish.user, table.room.server) <= self.now
                assert not (is_reachable and may_be_called), "a promise was not kept"

    async def gathering(self) -> list[Table]:
        tables = self.bot.app.tables
        found = [await find(room) for room in ROOMS for find in (tables.in_room, tables.announced_in)]
        return [table for table in found if table is not None and table.phase is not Phase.PLAYING]


async def played(course: Sequence[Step], database: Path) -> None:
    chat = Chat(names=dict(NAMES))
    bot = RunningBot(f"sqlite+aiosqlite:///{database}", chat, FakeClock())
    await bot.start()
    month = Month(bot)
    ends_at = bot.clock.now() + MONTH

    for _ in range(MAX_ROUNDS):
        for step in course:
            await month.goes_through(step)
            await month.every_chance_was_used()

        if bot.clock.now() >= ends_at:
            break

    await bot.settle()
    await bot.stop()


@pytest.mark.slow
@examples(2, HealthCheck.data_too_large, HealthCheck.large_base_example)
@given(st.lists(steps, min_size=STEPS, max_size=STEPS))
def test_in_a_month_nobody_is_called_more_than_the_rule_and_every_promise_is_kept(
    empty_database: Path, course: list[Step]
) -> None:
    with TemporaryDirectory() as folder:
        database = Path(folder, "durak.db")
        shutil.copy(empty_database, database)
        with asyncio.Runner(loop_factory=SettlingLoop) as runner:
            runner.run(played(course, database))
