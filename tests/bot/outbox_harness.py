"""A running outbox, and fake screens."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

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
from bot.delivery.messages import MessageIndex
from bot.delivery.outbox import Outbox
from bot.delivery.queue import ChatQueues
from bot.delivery.reachability import Reachability
from bot.delivery.room_hands import RoomHands
from bot.model.messages import MessageAction, MessageKind, MessageSlot, Place, Urgency
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


class FakeScreens:
    """Screens with the test's own content."""

    def __init__(self) -> None:
        self.audiences: dict[MessageSlot, Audience] = {}
        self.screens: dict[MessageSlot, Screen | MessageAction] = {}
        self.failures: list[Exception] = []
        self.urgent: dict[MessageSlot, Urgency] = {}
        self.drawn: list[MessageSlot] = []
        self.while_drawing: Callable[[], None] = lambda: None

    async def places(self, table_id: int) -> Mapping[MessageSlot, Place]:
        if self.failures:
            raise self.failures.pop()

        return {
            slot: Place(who, self.urgent.get(slot, Urgency.ORDINARY))
            for slot, who in self.audiences.items()
            if slot.table_id == table_id
        }

    def version(self, table_id: int) -> int | None:
        return None

    def shown(self, slot: MessageSlot, version: int) -> None:
        raise AssertionError("a version, though there is none")

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
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
        self.message_index = MessageIndex(MessageSlotStore(self.database))

        chats = {self.chat.platform: self.chat}
        queues = ChatQueues(chats)
        self.outbox = Outbox(
            chats,
            screens=self.screens,
            messages=self.message_index,
            queues=queues,
            reachability=self.reachability,
            pin_refused=self.pin_refused,
        )
        self.room_hands = RoomHands(chats, self.message_index, self.outbox)
        self.answers = Answers(
            chats,
            screens=self.screens,
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
        for table_id in {slot.table_id for slot in self.screens.audiences}:
            self.outbox.mark_dirty(table_id)
        await self.settle()

    async def table(self, room: RoomRef = ROOM) -> int:
        """Opens a table, so that there is something to show."""
        table = await TableStore(self.database).open(
            room=room, opener=ANNA, preset="classic", rules=PRESETS["classic"], seed="5eed", locale="en"
        )
        return table.id

    async def public(self, room: RoomRef = ROOM, kind: MessageKind = MessageKind.TABLE) -> MessageSlot:
        slot = MessageSlot(await self.table(room), 1, kind)
        self.screens.audiences[slot] = Everyone(room)
        return slot

    async def private(self, user: User = ANNA, room: RoomRef = ROOM) -> MessageSlot:
        slot = MessageSlot(await self.table(room), 1, MessageKind.HAND, user.ref)
        self.screens.audiences[slot] = Only(user.ref, room)
        return slot

    def turn(self, slot: MessageSlot, screen: Screen | MessageAction) -> None:
        """Changes a slot's screen and marks its table dirty."""
        self.screens.screens[slot] = screen
        self.outbox.mark_dirty(slot.table_id)

    async def shows(self, slot: MessageSlot, screen: Screen | MessageAction) -> None:
        self.turn(slot, screen)
        await self.settle()

    def verbs(self) -> list[str]:
        """Returns the verbs sent since the last call."""
        verbs = [sent.verb for sent in self.chat.sent]
        self.chat.sent.clear()
        return verbs
