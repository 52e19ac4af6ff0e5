"""Appointments are kept exactly once despite kills, each in its server's time zone."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest

from adapters.port import RoomRef, ServerRef
from bot.app import REGISTRY
from bot.model.calendar import Appointment, LocalTime
from bot.model.server_choices import ServerChoices
from bot.people import Servers
from bot.storage import CalendarStore, Database, ServerStore, TableStore
from bot.tables.calendar import RETRY_SECONDS, SPREAD_SECONDS, AppointmentKind, Calendar
from tests.bot.chat import CELLAR, ROOM
from tests.bot.fake_clock import FakeClock
from tests.bot.settling_loop import settling_loop

HOUR = 60 * 60.0
DAY = 24 * HOUR


def on_sunday(choices: ServerChoices, local: LocalTime, after: float) -> float | None:
    return local.weekly(after, 6, 20) if choices.wants(REGISTRY.settings["week"]) else None


KINDS = {
    "table": AppointmentKind(latest=HOUR),
    "week": AppointmentKind(on_sunday),
    "alarm": AppointmentKind(at_night=True),
    "mark": AppointmentKind(at_night=True, is_repeatable=True),
}


class Diary:
    """A calendar on a database, and its kept appointments; `restart` kills it and begins another one."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database = database
        self.clock = clock
        self.kept = list[Appointment]()
        self.keep: Callable[[Appointment], Awaitable[float | None]] = self.note
        self._running: asyncio.Task[None] | None = None

    async def note(self, due: Appointment) -> float | None:
        self.kept.append(due)
        return None

    async def start(self) -> None:
        self.servers = Servers(ServerStore(self.database))
        store = CalendarStore(self.database)
        self.calendar = Calendar(store, self.servers, self.clock.now, KINDS)
        self._running = asyncio.create_task(self.calendar.run(self.keep))
        await settling_loop().settled()

    async def stop(self) -> None:
        assert self._running is not None
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    async def skip(self, seconds: float) -> None:
        await settling_loop().settled()
        self.clock.skip(seconds)
        await settling_loop().settled()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@asynccontextmanager
async def begun(database: Database, clock: FakeClock) -> AsyncIterator[Diary]:
    diary = Diary(database, clock)
    await diary.start()
    yield diary
    await diary.stop()


def tonight(at: float, about: str = "7") -> Appointment:
    return Appointment(ROOM.server, "table", at, about, ROOM)


async def test_an_appointment_is_kept_once_when_it_is_due(database: Database) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:
        due = tonight(clock.now() + HOUR)
        await diary.calendar.put(due)
        await diary.skip(HOUR - 1)
        assert diary.kept == []

        await diary.skip(2)
        assert diary.kept == [due]

        await diary.restart()
        await diary.skip(DAY)
        assert diary.kept == [due]


async def test_a_restart_forgets_no_appointment_and_one_that_moved_is_kept_at_its_new_time(
    database: Database,
) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:
        await diary.calendar.put(tonight(clock.now() + HOUR))
        await diary.calendar.put(moved := tonight(clock.now() + 2 * HOUR))
        await diary.restart()
        await diary.skip(HOUR + 1)
        assert diary.kept == []
        await diary.skip(HOUR)
        assert diary.kept == [moved]


@pytest.mark.parametrize(("kind", "times"), [("table", 1), ("mark", 2)])
async def test_what_a_kill_cuts_short_happens_at_once_again_only_where_that_does_no_harm(
    database: Database, kind: str, times: int
) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:

        async def begin_and_hang(due: Appointment) -> float | None:
            diary.kept.append(due)
            await asyncio.Event().wait()
            return None

        diary.keep = begin_and_hang
        await diary.restart()
        await diary.calendar.put(replace(tonight(clock.now() + HOUR), kind=kind))
        await diary.skip(HOUR)
        assert len(diary.kept) == 1

        diary.keep = diary.note
        await diary.restart()
        assert len(diary.kept) == times

        await diary.skip(DAY)
        assert len(diary.kept) == times


async def test_what_cannot_be_kept_now_is_tried_again(database: Database) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:
        answers: list[float | None] = [90.0, None]

        async def keep(due: Appointment) -> float | None:
            diary.kept.append(due)
            return answers.pop(0)

        diary.keep = keep
        await diary.restart()
        await diary.calendar.put(tonight(clock.now() + HOUR))
        await diary.skip(HOUR)
        await diary.skip(89)
        assert len(diary.kept) == 1

        await diary.skip(1)
        assert len(diary.kept) == 2

        await diary.skip(DAY)
        assert len(diary.kept) == 2


async def test_an_error_in_one_appointment_leaves_the_others_alone(database: Database) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:

        async def keep(due: Appointment) -> float | None:
            diary.kept.append(due)
            if due.about == "7":
                raise RuntimeError
            return None

        diary.keep = keep
        await diary.restart()
        for about in ("7", "8"):
            await diary.calendar.put(tonight(clock.now() + HOUR, about))

        await diary.skip(HOUR)
        assert sorted(due.about for due in diary.kept) == ["7", "8"]


@pytest.mark.parametrize(("kind", "times"), [("alarm", 1), ("mark", 2)])
async def test_after_an_error_what_does_no_harm_is_soon_tried_again(
    database: Database, kind: str, times: int
) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:

        async def fail_once(due: Appointment) -> float | None:
            diary.kept.append(due)
            if len(diary.kept) == 1:
                raise RuntimeError
            return None

        diary.keep = fail_once
        await diary.restart()
        await diary.calendar.put(replace(tonight(clock.now() + HOUR), kind=kind))
        await diary.skip(HOUR)
        assert len(diary.kept) == 1

        await diary.skip(RETRY_SECONDS)
        assert len(diary.kept) == times

        await diary.skip(DAY)
        assert len(diary.kept) == times


async def test_what_is_due_at_night_waits_for_the_morning_unless_the_night_is_what_it_is_for(
    database: Database,
) -> None:
    clock = FakeClock()  # 13:46 in UTC
    async with begun(database, clock) as diary:
        await diary.servers.choose(ROOM.server, time_zone="UTC")
        await diary.calendar.put(Appointment(ROOM.server, "week", clock.now() + 10 * HOUR))
        await diary.calendar.put(Appointment(ROOM.server, "alarm", clock.now() + 10 * HOUR))
        await diary.skip(10 * HOUR)
        assert [due.kind for due in diary.kept] == ["alarm"]

        await diary.skip(8 * HOUR)
        assert [due.kind for due in diary.kept] == ["alarm"]

        await diary.skip(HOUR)
        assert [due.kind for due in diary.kept] == ["alarm", "week"]


async def test_what_is_too_late_is_not_kept_any_more(database: Database) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:
        await diary.calendar.put(tonight(clock.now() + HOUR))
        await diary.stop()
        clock.skip(3 * HOUR)
        await diary.start()
        await diary.skip(DAY)
        assert diary.kept == []


async def test_what_repeats_follows_what_the_server_chose(database: Database) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:
        await diary.servers.choose(ROOM.server, week="on", home=ROOM.id, time_zone="Europe/Vilnius")
        await diary.calendar.plan(ROOM.server)
        await diary.restart()

        for _ in range(3 * 7 * 24):
            await diary.skip(HOUR)

        local = (await diary.servers.choices(ROOM.server)).local_time
        assert [local.at(due.at).strftime("%a %H") for due in diary.kept] == ["Sun 20"] * 3
        assert {due.room for due in diary.kept} == {ROOM}

        await diary.servers.choose(ROOM.server, week="off")
        await diary.calendar.plan(ROOM.server)
        await diary.skip(14 * DAY)

        assert len(diary.kept) == 3


@pytest.mark.slow
async def test_a_hundred_servers_do_not_want_the_same_moment(database: Database) -> None:
    clock = FakeClock()
    async with begun(database, clock) as diary:
        servers = [ServerRef(ROOM.server.platform, f"club-{number}") for number in range(100)]
        for server in servers:
            await diary.servers.choose(server, week="on", home="parlour")

        await diary.restart()
        while len(diary.kept) < len(servers):
            await diary.skip(60)

        times = [due.at for due in diary.kept]
        assert max(times) - min(times) > SPREAD_SECONDS / 2
        assert max(sum(at <= time < at + 60 for time in times) for at in times) <= 20


async def test_appointments_go_along_with_a_room_that_gets_a_new_id(database: Database) -> None:
    clock = FakeClock()
    new = RoomRef(ServerRef(ROOM.server.platform, "palace"), "hall")
    async with begun(database, clock) as diary:
        await diary.servers.choose(ROOM.server, week="on", home=ROOM.id)
        await diary.calendar.put(tonight(clock.now() + HOUR))
        await diary.calendar.put(Appointment(ROOM.server, "table", clock.now() + HOUR, "8", CELLAR))
        await TableStore(database, clock.now).rename_room(ROOM, new)
        await diary.skip(HOUR)

        assert {due.server for due in diary.kept} == {new.server}
        assert {due.room and due.room.id for due in diary.kept} == {new.id, CELLAR.id}
        assert (await ServerStore(database).choices(new.server)).home == new.id
