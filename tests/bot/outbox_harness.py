"""A running outbox, and fake screens."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from adapters.port import (
    Audience,
    CallbackButton,
    Everyone,
    Only,
    PinTrouble,
    RoomRef,
    Screen,
    ServerRef,
    Span,
    User,
)
from bot.delivery.answers import Answers
from bot.delivery.memory import TableMemory
from bot.delivery.messages import MessageIndex
from bot.delivery.outbox import Outbox
from bot.delivery.outdated import OutdatedSubjects
from bot.delivery.places import POINTERS
from bot.delivery.queue import ChatQueues
from bot.delivery.reachability import Reachability
from bot.delivery.room_hands import RoomHands
from bot.model.messages import (
    TABLE,
    MessageAction,
    MessageKind,
    Place,
    ScreenSource,
    Subject,
    TableSlot,
    Urgency,
)
from bot.people import People, Servers
from bot.storage import Database, MessageSlotStore, PlayerStore, ServerStore, TableStore
from engine import PRESETS
from tests.bot.chat import ROOM, Chat, person
from tests.bot.fake_clock import FakeClock
from tests.bot.harness import Harness

ANNA = person("Anna")
BORIS = person("Boris")


def says(text: str, *labels: str) -> Screen:
    row = tuple(CallbackButton(f"t:{label}", label) for label in labels)
    rows = (row,) if labels else ()
    return Screen((Span(text),), rows)


def placed(slot: TableSlot, reader: Audience, urgency: Urgency = Urgency.ORDINARY) -> Place:
    """Returns the place of a table's message with the facts that its kind has."""
    is_table = slot.kind is MessageKind.TABLE
    return Place(
        reader,
        urgency,
        is_renewed=urgency is Urgency.RINGS,
        rings=slot.kind is MessageKind.CALL,
        is_paced=is_table,
        is_led_to=is_table,
        leads_to=replace(slot, kind=MessageKind.TABLE) if slot.kind in POINTERS else None,
    )


class FakeScreens(ScreenSource[TableSlot]):
    """Screens with the test's own content."""

    def __init__(self) -> None:
        self.audiences: dict[TableSlot, Audience] = {}
        self.screens: dict[TableSlot, Screen | MessageAction] = {}
        self.failures: list[Exception] = []
        self.urgent: dict[TableSlot, Urgency] = {}
        self.drawn: list[TableSlot] = []
        self.while_drawing: Callable[[], None] = lambda: None

    async def places(self, subject: Subject) -> Mapping[TableSlot, Place]:
        if self.failures:
            raise self.failures.pop()

        return {
            slot: placed(slot, who, self.urgent.get(slot, Urgency.ORDINARY))
            for slot, who in self.audiences.items()
            if slot.subject == subject
        }

    async def screen(self, slot: TableSlot) -> Screen | MessageAction:
        self.drawn.append(slot)
        self.while_drawing()
        return self.screens.get(slot, MessageAction.REMOVE)


class OutboxHarness(Harness):
    """A real outbox on a real database."""

    def __init__(self, database: Database, chat: Chat, clock: FakeClock) -> None:
        super().__init__(chat, clock)
        self.database = database
        self.screens = FakeScreens()

    async def start(self) -> None:
        servers = Servers(ServerStore(self.database))
        self.people = People(PlayerStore(self.database), servers, default_language="en")
        self.reachability = Reachability(self.people, {self.chat.platform})
        store = MessageSlotStore(self.database)
        self.message_index = MessageIndex(store)
        screens = {TABLE: self.screens}

        chats = {self.chat.platform: self.chat}
        queues = ChatQueues(chats)
        self.outbox = Outbox(
            chats,
            screens=screens,
            messages=self.message_index,
            queues=queues,
            reachability=self.reachability,
            outdated=OutdatedSubjects(store, self.message_index, screens),
            pin_refused=self.pin_refused,
        )
        memory = defaultdict[int, TableMemory](TableMemory)
        self.room_hands = RoomHands(chats, memory.__getitem__, self.message_index, self.outbox)
        self.answers = Answers(
            chats,
            screens=screens,
            messages=self.message_index,
            queues=queues,
            outbox=self.outbox,
            room_hands=self.room_hands,
        )

        self._running = asyncio.create_task(self.outbox.run())

    async def pin_refused(self, server: ServerRef, trouble: PinTrouble) -> None:
        raise AssertionError("nothing is pinned here")

    async def stop(self) -> None:
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    async def restart(self) -> None:
        """Starts a new outbox, which marks every table dirty."""
        await self.stop()
        await self.start()
        for subject in {slot.subject for slot in self.screens.audiences}:
            self.outbox.mark_dirty(subject)
        await self.settle()

    async def table(self, room: RoomRef = ROOM) -> int:
        """Opens a table, so that there is something to show."""
        table = await TableStore(self.database).open(
            room=room, opener=ANNA, preset="classic", rules=PRESETS["classic"], seed="5eed", locale="en"
        )
        return table.id

    async def public(self, room: RoomRef = ROOM, kind: MessageKind = MessageKind.TABLE) -> TableSlot:
        slot = TableSlot(await self.table(room), 1, kind)
        self.screens.audiences[slot] = Everyone(room)
        return slot

    async def private(self, user: User = ANNA, room: RoomRef = ROOM) -> TableSlot:
        slot = TableSlot(await self.table(room), 1, MessageKind.HAND, user.ref)
        self.screens.audiences[slot] = Only(user.ref, room)
        return slot

    def turn(self, slot: TableSlot, screen: Screen | MessageAction) -> None:
        """Changes a slot's screen and marks its table dirty."""
        self.screens.screens[slot] = screen
        self.outbox.mark_dirty(slot.subject)

    async def shows(self, slot: TableSlot, screen: Screen | MessageAction) -> None:
        self.turn(slot, screen)
        await self.settle()

    def verbs(self) -> list[str]:
        """Returns the verbs sent since the last call."""
        verbs = [sent.verb for sent in self.chat.sent]
        self.chat.sent.clear()
        return verbs
