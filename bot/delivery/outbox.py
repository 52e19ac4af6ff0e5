"""Makes the chats agree with the tables.

For each surface the outbox knows what it last showed and asks the stage what it should show now; the
difference is sent. The newest state wins, so ten fast moves cost one edit, and after a crash the same
comparison repairs every message. Each chat is a lane of its own: a slow or throttled chat stops nobody else.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

import structlog

from adapters.port import (
    Audience,
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
    UserRef,
    is_refused_picture,
)
from bot.delivery.chat_queue import AFTER_AN_ERROR, Lane, Lanes
from bot.delivery.message_index import Showings
from bot.delivery.pending_answers import Answers
from bot.delivery.reachability import Doors
from bot.metrics import DELIVERIES
from bot.model.message_slots import UNKNOWN, Kind, Shown, Stage, Surface, Verdict, digest_of

log = structlog.get_logger()


class Outbox:
    """Sends what changed. `changed` is all that others call when a table moves on."""

    def __init__(self, ports: Mapping[str, ChatPort], stage: Stage, showings: Showings, doors: Doors) -> None:
        self._ports = ports
        self._stage = stage
        self._showings = showings
        self._doors = doors
        self._lanes = Lanes(ports)
        self._places: dict[Surface, Audience] = {}
        self._answers = Answers()
        self._renewed: set[Surface] = set()
        self._refused: dict[Surface, str] = {}
        self._changed: dict[int, None] = {}
        self._stirred = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    def changed(self, table_id: int) -> None:
        """Note that the table looks different now."""
        self._changed[table_id] = None
        self._stirred.set()

    def left(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more; what it has shown stays as it is."""
        for surface in [each for each in self._places if each.table_id == table_id]:
            self._drop(surface)
        self._showings.left(table_id)
        self._lanes.tidy()

    def forget(self, user: UserRef) -> None:
        """Send a person nothing more, and know nothing of what they were sent."""
        for surface in [each for each in self._places if each.user == user]:
            self._drop(surface)
        self._showings.forget_reader(user)
        self._lanes.forget(user)

    def doubt(self, messages: Collection[MessageRef]) -> None:
        """Put messages right that a chat has changed by itself."""
        for table_id in self._showings.doubt(messages):
            self.changed(table_id)

    def _drop(self, surface: Surface) -> None:
        del self._places[surface]
        self._renewed.discard(surface)
        self._refused.pop(surface, None)

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            try:
                while True:
                    await self._stirred.wait()
                    self._stirred.clear()
                    for table_id in list(self._changed):
                        del self._changed[table_id]
                        await self._survey(table_id)
            finally:
                self._tasks = None  # a group that ends takes no more work

    # --- answers to presses: one path for a screen at a time --------------------------------------------

    async def expect(self, table_id: int, message: MessageRef) -> bool:
        """Leave a private message to the answer of a press on it; False when it is none of the table's."""
        shown = await self._showings.of(table_id)
        if not shown:
            self._showings.left(table_id)  # anybody can press a button with any number on it
        surface = next((each for each, seen in shown.items() if seen.ref == message), None)
        if surface is None or surface.kind is not Kind.HAND:
            return False
        if surface not in self._places:  # the bot has just started
            await self._survey(table_id)
        if surface not in self._places:
            return False
        lane = self._lanes.of(self._places[surface])
        self._answers.expect(message, surface, is_crowded=lane.writing == surface)
        lane.hold(surface)
        return True

    def answered(self, message: MessageRef, screen: Screen | None, delivery: Delivery | None) -> None:
        """The press was answered: with this screen in this message, or without a new one."""
        settled = self._answers.settle(message)
        if settled is not None and self._tasks is not None:
            surface, is_crowded = settled
            self._tasks.create_task(self._settle(surface, None if is_crowded else screen, delivery))

    async def _settle(self, surface: Surface, screen: Screen | None, delivery: Delivery | None) -> None:
        audience = self._places.get(surface)
        if audience is None:
            return
        lane = self._lanes.of(audience)
        try:
            if delivery is not None:
                lane.pace.spend(surface.kind, asyncio.get_running_loop().time())
                if not is_refused_picture(delivery, screen):  # else it is sent the ordinary way, in text
                    await self._delivered(
                        surface, audience, UNKNOWN if screen is None else digest_of(screen), delivery
                    )
        except Exception:
            log.exception("answer_not_settled", table=surface.table_id)
        finally:
            lane.release(surface)
            self._look_at(surface)

    # --- what others may ask for --------------------------------------------------------------------------

    async def message(self, surface: Surface) -> MessageRef | None:
        """Give the message that shows a surface."""
        seen = await self._showings.on(surface)
        return None if seen is None else seen.ref

    async def checked_message(self, surface: Surface) -> MessageRef | None:
        """Give the message that shows a surface, which still stands; one that is gone is posted anew.

        None: there is no such message, perhaps for the moment.
        """
        if surface not in self._places:
            await self._survey(surface.table_id)
        seen, screen = await self._showings.on(surface), await self._stage.screen(surface)
        if surface not in self._places or seen is None or isinstance(screen, Verdict):
            return None
        self._lanes.of(self._places[surface]).hold(surface)
        delivery = await self._ports[seen.ref.platform].edit(seen.ref, screen)
        await self._settle(surface, screen, delivery)
        return await self.message(surface)

    async def bring(self, surface: Surface) -> bool:
        """Renew somebody's private message that is shown already.

        False where it is not, or where an answer to them alone stands in the room and goes by itself: there
        a second one does no harm.
        """
        seen = await self._showings.on(surface)
        if seen is None or self._ports[seen.ref.platform].limits.ephemeral_answers:
            return False
        self.renew(surface)
        return True

    def renew(self, surface: Surface) -> None:
        """Show a surface in a new message, where it is seen at once; the old one goes."""
        self._renewed.add(surface)
        self.changed(surface.table_id)

    # --- the ordinary path --------------------------------------------------------------------------------

    async def _survey(self, table_id: int) -> None:
        try:
            places = await self._stage.places(table_id)
            asked_for = await self._stage.asked_for(table_id)
            shown = await self._showings.of(table_id)
        except Exception:
            log.exception("survey_failed", table=table_id)
            asyncio.get_running_loop().call_later(AFTER_AN_ERROR, self.changed, table_id)
            return
        for surface, audience in places.items():
            if audience.room.server.platform in self._ports:  # a chat may not be served at the moment
                self._places[surface] = audience
        for surface in dict.fromkeys((*places, *shown)):
            self._look_at(surface, is_asked_for=surface in asked_for)

    def _look_at(self, surface: Surface, *, is_asked_for: bool = False) -> None:
        if surface not in self._places:
            return
        lane = self._lanes.of(self._places[surface])
        lane.add(surface, is_asked_for=is_asked_for)
        if not lane.is_running and self._tasks is not None:
            lane.is_running = True
            self._tasks.create_task(lane.work(self._repair))

    async def _repair(self, surface: Surface, lane: Lane) -> None:
        audience = self._places.get(surface)
        if audience is None or not self._doors.may_try(audience):
            return
        port = self._ports[audience.room.server.platform]
        screen = await self._stage.screen(surface)
        seen = await self._showings.on(surface)
        if seen is not None and (
            screen is Verdict.REMOVE or surface in self._renewed or _is_news(surface, seen, screen)
        ):
            lane.pace.spend(surface.kind, asyncio.get_running_loop().time())
            match await port.delete(seen.ref):
                case (Throttled() | Gone(Lost.ROOM)) as refusal:
                    await self._delivered(surface, audience, seen.digest, refusal)
                    return
            await self._showings.forget(surface)
            seen = None
        self._renewed.discard(surface)
        if isinstance(screen, Verdict):
            return
        digest = digest_of(screen)
        if surface not in self._places or digest == self._refused.get(surface):
            return  # its reader was forgotten meanwhile; or it is refused until it changes
        if seen is None:
            posting = await self._showings.begin(surface, digest)
            send, digest = partial(port.post, audience, key=posting.key), posting.digest
        elif seen.digest != digest:
            send = partial(port.edit, seen.ref)
        else:
            return
        lane.pace.spend(surface.kind, asyncio.get_running_loop().time())
        delivery = await send(screen)
        if is_refused_picture(delivery, screen):  # the game goes on in text
            delivery = await send(replace(screen, picture=None))
        if seen is None and not isinstance(delivery, Delivered | Throttled):
            await self._showings.forget(surface)  # it has not arrived
        await self._delivered(surface, audience, digest, delivery)

    async def _delivered(self, surface: Surface, audience: Audience, digest: str, delivery: Delivery) -> None:
        DELIVERIES.labels(audience.room.server.platform, surface.kind, type(delivery).__name__.lower()).inc()
        if surface not in self._places:
            return  # nobody remembers that they saw it
        match delivery:
            case Delivered(ref):
                await self._arrived(surface, audience, Shown(ref, digest))
            case Throttled(retry_after):
                self._lanes.of(audience).pace.paused_until = asyncio.get_running_loop().time() + retry_after
                self._look_at(surface)
            case NeedsOptIn(user):
                await self._doors.close_person(user)
                self.changed(surface.table_id)
            case Gone(Lost.MESSAGE):
                await self._showings.forget(surface)
                self._look_at(surface)
            case Gone(Lost.ROOM):
                await self._close(audience)
            case Gone(Lost.CONTENT, why):
                log.error("content_refused", table=surface.table_id, kind=surface.kind, why=why)
                self._refused[surface] = digest

    async def _arrived(self, surface: Surface, audience: Audience, shown: Shown) -> None:
        is_first = await self._showings.on(surface) is None
        await self._showings.remember(surface, shown)
        if isinstance(audience, Everyone):
            self._doors.open_room(audience.room)
        elif is_first:
            await self._doors.open_person(audience.user)
        if shown.digest == UNKNOWN:
            self._look_at(surface)

    async def _close(self, audience: Audience) -> None:
        match audience:
            case Only(user):
                await self._doors.close_person(user)
            case Everyone(room):
                pause = self._doors.refuse_room(room)
                asyncio.get_running_loop().call_later(pause, self._try_again, room)

    def _try_again(self, room: RoomRef) -> None:
        """Look at everything in a room that refused a message; the first that is sent shows how it is now."""
        for surface, audience in list(self._places.items()):
            if audience == Everyone(room):
                self._look_at(surface)


def _is_news(surface: Surface, seen: Shown, screen: Screen | Verdict) -> bool:
    return surface.kind.notifies and not isinstance(screen, Verdict) and digest_of(screen) != seen.digest
