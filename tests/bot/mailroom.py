"""An outbox that runs, and a stage on which the test itself says what should be seen."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress

from adapters.port import Audience, CallbackButton, Everyone, Only, RoomRef, Screen, Span, User
from bot.delivery.message_index import Showings
from bot.delivery.outbox import Outbox
from bot.delivery.reachability import Doors
from bot.model.message_slots import Kind, Surface, Verdict
from bot.storage import Database, Players, Surfaces, TableStore
from engine import PRESETS
from tests.bot.chat import ROOM, Chat, person
from tests.bot.hours import Hours
from tests.bot.waiting import Waiting

ANNA, BORIS = person("Anna"), person("Boris")


def says(text: str, *labels: str) -> Screen:
    return Screen(
        (Span(text),), (tuple(CallbackButton(f"t:{label}", label) for label in labels),) if labels else ()
    )


class Script:
    """Implements the outbox's `Stage`: shows what is written in it."""

    def __init__(self) -> None:
        self.audiences: dict[Surface, Audience] = {}
        self.screens: dict[Surface, Screen | Verdict] = {}
        self.failures: list[Exception] = []
        self.wishes: set[Surface] = set()

    async def places(self, table_id: int) -> Mapping[Surface, Audience]:
        if self.failures:
            raise self.failures.pop()
        return {surface: who for surface, who in self.audiences.items() if surface.table_id == table_id}

    async def asked_for(self, table_id: int) -> Collection[Surface]:
        return [surface for surface in self.wishes if surface.table_id == table_id]

    async def screen(self, surface: Surface) -> Screen | Verdict:
        return self.screens.get(surface, Verdict.REMOVE)


class Mailroom(Waiting):
    """Runs a real outbox on a real database."""

    def __init__(self, database: Database, chat: Chat, hours: Hours) -> None:
        super().__init__(chat, hours)
        self.database = database
        self.script = Script()

    async def start(self) -> None:
        self.doors = Doors(Players(self.database))
        self.outbox = Outbox(
            {self.chat.platform: self.chat}, self.script, Showings(Surfaces(self.database)), self.doors
        )
        self._running = asyncio.create_task(self.outbox.run())

    async def stop(self) -> None:
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    async def restart(self) -> None:
        """A new outbox takes over and looks at every table."""
        await self.stop()
        await self.start()
        for table_id in {surface.table_id for surface in self.script.audiences}:
            self.outbox.changed(table_id)
        await self.settle()

    async def table(self, room: RoomRef = ROOM) -> int:
        """Open a table, so that there is something to show."""
        table = await TableStore(self.database).open(
            room=room, opener=ANNA, preset="classic", rules=PRESETS["classic"], seed="5eed", locale="en"
        )
        return table.id

    async def public(self, room: RoomRef = ROOM, kind: Kind = Kind.TABLE) -> Surface:
        surface = Surface(await self.table(room), 1, kind)
        self.script.audiences[surface] = Everyone(room)
        return surface

    async def private(self, user: User = ANNA, room: RoomRef = ROOM) -> Surface:
        surface = Surface(await self.table(room), 1, Kind.HAND, user.ref)
        self.script.audiences[surface] = Only(user.ref, room)
        return surface

    def turn(self, surface: Surface, screen: Screen | Verdict) -> None:
        """From now on the surface should show this."""
        self.script.screens[surface] = screen
        self.outbox.changed(surface.table_id)

    async def shows(self, surface: Surface, screen: Screen | Verdict) -> None:
        self.turn(surface, screen)
        await self.settle()

    def verbs(self) -> list[str]:
        """What was sent since the last look."""
        verbs = [sent.verb for sent in self.chat.sent]
        self.chat.sent.clear()
        return verbs
