"""Posts messages that are never edited, within the budgets of their chat and of the whole bot."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from adapters.port import (
    ChatPort,
    Delivered,
    Delivery,
    Document,
    Everyone,
    Gone,
    Lost,
    NeedsOptIn,
    Only,
    Screen,
    Throttled,
)
from bot.delivery.queue import ONLOOKER_WAITS, ChatQueues
from bot.delivery.reachability import Reachability
from bot.metrics import DELIVERIES

ANNOUNCEMENT = "news"  # the kind of these messages in the metric of deliveries


class Announcements:
    """Posts announcements; the caller decides what follows a delivery that isn't `Delivered`."""

    def __init__(self, ports: Mapping[str, ChatPort], queues: ChatQueues, reachability: Reachability) -> None:
        self._ports = ports
        self._queues = queues
        self._reachability = reachability

    async def post(self, reader: Everyone | Only, screen: Screen, key: str = "") -> Delivery:
        """Posts a message when its turn comes; `key` is as in `ChatPort.post`."""
        if not self._reachability.may_try(reader):
            return NeedsOptIn(reader.user) if isinstance(reader, Only) else Gone(Lost.ROOM, "closed for now")

        await self._queues.of(reader).budget.admit()
        async with self._turn(reader, can_wait=ONLOOKER_WAITS) as port:
            delivery = await port.post(reader, screen, key)

        await self._note_post(reader, delivery)
        return delivery

    async def post_answer(
        self, reader: Everyone | Only, screen: Screen, document: Document | None = None
    ) -> Delivery:
        """Posts the answer to a press ahead of all other messages, even to a chat that was closed."""
        budget = self._queues.of(reader).budget
        budget.spend(asyncio.get_running_loop().time())
        async with self._turn(reader, can_wait=0.0) as port:
            delivery = await port.post(reader, screen, document=document)

        await self._note_post(reader, delivery)
        return delivery

    @asynccontextmanager
    async def _turn(self, reader: Everyone | Only, *, can_wait: float) -> AsyncGenerator[ChatPort, None]:
        """Waits until the whole bot may make another call, and yields the reader's chat."""
        port = self._ports[reader.room.server.platform]
        async with port.calls.turn(reader, can_wait=can_wait):
            yield port

    async def _note_post(self, reader: Everyone | Only, delivery: Delivery) -> None:
        """Counts a delivery, and records whether its reader can be reached."""
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

    def _count(self, reader: Everyone | Only, delivery: Delivery) -> None:
        outcome = type(delivery).__name__.lower()
        DELIVERIES.labels(reader.room.server.platform, ANNOUNCEMENT, outcome).inc()
