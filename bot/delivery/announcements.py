"""Messages about no table: each is sent once, within the budgets of its chat and of the whole bot."""

import asyncio
from collections.abc import Mapping

from adapters.port import (
    ChatPort,
    Delivered,
    Delivery,
    Everyone,
    Gone,
    Lost,
    MessageRef,
    NeedsOptIn,
    Only,
    RoomRef,
    Screen,
    Throttled,
)
from bot.delivery.queue import ONLOOKER_WAITS, ChatQueues
from bot.delivery.reachability import Reachability
from bot.metrics import DELIVERIES
from bot.model.messages import MessageKind

ANNOUNCEMENT = "news"  # the kind of these messages, among those that are counted


class Announcements:
    """Posts and edits announcements; the caller decides what follows a delivery that isn't `Delivered`."""

    def __init__(self, ports: Mapping[str, ChatPort], queues: ChatQueues, reachability: Reachability) -> None:
        self._ports = ports
        self._queues = queues
        self._reachability = reachability

    async def post(self, reader: Everyone | Only, screen: Screen, key: str = "") -> Delivery:
        """Posts a message when its turn comes; `key` is as in `ChatPort.post`."""
        if not self._reachability.may_try(reader):
            return NeedsOptIn(reader.user) if isinstance(reader, Only) else Gone(Lost.ROOM, "closed for now")

        await self._queues.of(reader).budget.admit(MessageKind.RESULT)
        return await self._post(reader, screen, key, can_wait=ONLOOKER_WAITS)

    async def post_answer(self, reader: Everyone | Only, screen: Screen) -> Delivery:
        """Posts the answer to a press before all else, to a chat that was closed, too."""
        budget = self._queues.of(reader).budget
        budget.spend(MessageKind.RESULT, asyncio.get_running_loop().time())
        return await self._post(reader, screen, "", can_wait=0.0)

    async def edit(self, room: RoomRef, message: MessageRef, screen: Screen) -> Delivery:
        """Edits a message in a room when its turn comes."""
        reader = Everyone(room)
        await self._queues.of(reader).budget.admit(MessageKind.RESULT)

        port = self._ports[room.server.platform]
        async with port.calls.turn(reader, can_wait=ONLOOKER_WAITS):
            delivery = await port.edit(message, screen)

        self._count(reader, delivery)
        if isinstance(delivery, Throttled):
            self._queues.rest(reader, delivery)

        return delivery

    async def _post(self, reader: Everyone | Only, screen: Screen, key: str, *, can_wait: float) -> Delivery:
        """Posts a message, and records whether its reader can be reached."""
        port = self._ports[reader.room.server.platform]
        async with port.calls.turn(reader, can_wait=can_wait):
            delivery = await port.post(reader, screen, key)

        self._count(reader, delivery)
        match delivery:
            case Throttled():
                self._queues.rest(reader, delivery)
            case NeedsOptIn(user):
                await self._reachability.mark_person_unreachable(user)
            case Delivered() if isinstance(reader, Only):
                await self._reachability.mark_person_reachable(reader.user)
            case Gone(Lost.ROOM) if isinstance(reader, Everyone):
                self._reachability.refused_in_room(reader.room)

        return delivery

    def _count(self, reader: Everyone | Only, delivery: Delivery) -> None:
        outcome = type(delivery).__name__.lower()
        DELIVERIES.labels(reader.room.server.platform, ANNOUNCEMENT, outcome).inc()
