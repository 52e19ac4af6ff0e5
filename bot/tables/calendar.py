"""Carries out appointments: the week's results on Sunday, a puzzle every morning, an announced table.

Appointments are on disk, so they survive a restart. The bot may be killed at any moment, so each one is
removed or moved to its next time before it is carried out, and none is carried out twice. One that a kill
interrupts is carried out at its next time, if it has one. If repeating it is harmless, it is started again
after a while.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from zlib import crc32

import structlog

from adapters.port import RoomRef, ServerRef
from bot.model.calendar import Appointment, LocalTime
from bot.model.server_choices import ServerChoices
from bot.people import Servers
from bot.storage import CalendarStore

log = structlog.get_logger()

# Appointments carried out at once, so that a hundred servers on Sunday evening take turns.
BATCH_SIZE = 4

# Repeated appointments are late by up to this many seconds, by another number on each server.
SPREAD_SECONDS = 15 * 60

RETRY_SECONDS = 30.0  # the pause after an unexpected error

# Seconds after which an unfinished appointment is started again, if repeating it is harmless.
REPEAT_SECONDS = 300.0

MAX_SLEEP_SECONDS = 300.0  # seconds after which the wall clock is read again, as it may have been set


@dataclass(frozen=True, slots=True)
class AppointmentKind:
    """A kind of appointment."""

    # Returns the next time after a given one, by the choices of a server; None if the server did not ask for
    # it. Appointments of a kind without this function are recorded one by one.
    repeats: Callable[[ServerChoices, LocalTime, float], float | None] | None = None
    latest: float = 12 * 60 * 60.0  # how many seconds late it is still carried out
    at_night: bool = False  # whether it is also carried out in quiet hours
    # Whether carrying it out twice is harmless: then it is removed only afterwards.
    is_repeatable: bool = False


class Calendar:
    """Carries out appointments when they are due."""

    def __init__(
        self,
        store: CalendarStore,
        servers: Servers,
        now: Callable[[], float],
        kinds: Mapping[str, AppointmentKind],
    ) -> None:
        """Carries out appointments of these kinds; `now` returns the wall clock's time in Unix seconds."""
        self._store = store
        self._servers = servers
        self._now = now
        self._kinds = kinds
        self._woken = asyncio.Event()
        store.database.on_appointment.append(self._woken.set)

    # --- requests of other parts ----------------------------------------------------------------------------

    async def put(self, appointment: Appointment) -> None:
        """Records an appointment, replacing one of the same kind and `about`."""
        await self._store.put([appointment])

    async def plan(self, server: ServerRef) -> None:
        """Records the repeated appointments of a server, by its newest choices."""
        await self._plan(server, await self._servers.choices(server))

    # --- carrying out appointments --------------------------------------------------------------------------

    async def run(self, keep: Callable[[Appointment], Awaitable[float | None]]) -> None:
        """Carries out appointments until cancelled; `keep` returns the seconds until a retry, or None."""
        is_planned = False
        while True:
            self._woken.clear()
            try:
                if not is_planned:
                    # Appointments that were under way when the process ended are begun again at once.
                    repeatable = [name for name, kind in self._kinds.items() if kind.is_repeatable]
                    now = self._now()
                    await self._store.bring_forward(repeatable, to=now, until=now + REPEAT_SECONDS)
                    for server, choices in (await self._store.servers_with_news()).items():
                        await self._plan(server, choices, is_new=True)

                    is_planned = True

                first = await self._store.first(BATCH_SIZE)
                due = [appointment for appointment in first if appointment.at <= self._now()]
                async with asyncio.TaskGroup() as tasks:
                    for appointment in due:
                        tasks.create_task(self._keep(appointment, keep))

                pause = self._pause(first, due)
            except Exception:
                log.exception("calendar_failed")
                pause = RETRY_SECONDS

            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()

    def _pause(self, first: Sequence[Appointment], due: Sequence[Appointment]) -> float | None:
        """Returns the seconds until appointments are read again; None if none is scheduled."""
        if due:
            return 0.0
        return min(first[0].at - self._now(), MAX_SLEEP_SECONDS) if first else None

    async def _keep(self, due: Appointment, keep: Callable[[Appointment], Awaitable[float | None]]) -> None:
        choices = await self._servers.choices(due.server)
        kind = self._kinds.get(due.kind)
        now = self._now()
        local = choices.local_time

        if kind is None:  # of another version
            await self._store.take(due, None)
            return

        is_late = now > due.at + kind.latest
        if not kind.at_night and not is_late and local.is_quiet(now):
            await self._store.take(due, local.by_day(now))
            return

        again = None if kind.repeats is None else self._next(due.server, kind, choices, now)
        if kind.is_repeatable:
            again = now + REPEAT_SECONDS

        if not await self._store.take(due, again) or is_late:
            return

        try:
            seconds = await keep(due)
        except Exception:
            log.exception("appointment_failed", kind=due.kind, platform=due.server.platform)
            if not kind.is_repeatable:
                return
            seconds = RETRY_SECONDS

        if kind.is_repeatable and again is not None:
            following = None if seconds is None else self._now() + seconds
            await self._store.take(replace(due, at=again), following)
        elif seconds is not None:
            await self._store.put([replace(due, at=self._now() + seconds)])

    async def _plan(self, server: ServerRef, choices: ServerChoices, *, is_new: bool = False) -> None:
        repeating = {name: kind for name, kind in self._kinds.items() if kind.repeats is not None}
        times = {name: self._next(server, kind, choices, self._now()) for name, kind in repeating.items()}
        home = RoomRef(server, choices.home, choices.home_topic) if choices.home else None
        planned = [Appointment(server, name, at, room=home) for name, at in times.items() if at is not None]
        await self._store.drop(server, [name for name, at in times.items() if at is None])
        await self._store.put(planned, is_new=is_new)

    def _next(
        self, server: ServerRef, kind: AppointmentKind, choices: ServerChoices, after: float
    ) -> float | None:
        """Returns when it is next due, a little late, so that not all servers are due at the same moment."""
        assert kind.repeats is not None
        late = crc32(f"{server.platform}:{server.id}".encode()) % SPREAD_SECONDS
        at = kind.repeats(choices, choices.local_time, after - late)
        return None if at is None else at + late
