"""What each message of the tables shows, known here and kept on disk."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf
from secrets import token_hex

from adapters.port import ChatPort, Everyone, MessageRef, Only, RoomRef, Screen, UserRef
from bot.model.messages import (
    UNKNOWN,
    MessageKind,
    MessageSlot,
    PendingMessage,
    Reader,
    SentMessage,
    digest_of,
)
from bot.model.table import Table
from bot.storage import MessageSlotStore
from engine import Move


class MessageIndex:
    """Remembers which slot stands in which message.

    A new message is noted before it is posted, with a key that the chat gets, too. So when the process ends
    before it hears of the message's arrival, the next one asks for it again by the same key.
    """

    def __init__(self, slots: MessageSlotStore) -> None:
        self._slots = slots
        self._tables: dict[int, dict[MessageSlot, SentMessage | PendingMessage]] = {}

    async def of(self, table_id: int) -> dict[MessageSlot, SentMessage]:
        """Return every slot of a table that is shown."""
        known = await self._known(table_id)
        return {slot: each for slot, each in known.items() if isinstance(each, SentMessage)}

    async def on(self, slot: MessageSlot) -> SentMessage | None:
        """Return what shows a slot; None when nothing does."""
        found = (await self._known(slot.table_id)).get(slot)
        return found if isinstance(found, SentMessage) else None

    async def slot_in(self, message: MessageRef, table_id: int) -> MessageSlot | None:
        """Return which slot of a table a message shows; None if it is none of the table's."""
        shown = await self.of(table_id)
        if not shown:
            self.evict(table_id)  # anybody can press a button with any number on it
        return next((slot for slot, seen in shown.items() if seen.ref == message), None)

    async def message(self, slot: MessageSlot) -> MessageRef | None:
        """Return the message that shows a slot; None when nothing does."""
        shown = await self.on(slot)
        return None if shown is None else shown.ref

    async def is_public_message(self, table_id: int, message: MessageRef) -> bool:
        """Whether a message shows what everybody sees of a table."""
        shown = await self.of(table_id)
        return message in {each.ref for slot, each in shown.items() if slot.user is None}

    async def begin(self, slot: MessageSlot, digest: str, key: str = "") -> PendingMessage:
        """Note that a message with this digest is about to be posted, with this key or a new one.

        Returns:
            Its key, and what it will show: nobody knows, when an earlier attempt may have arrived that showed
            something else.
        """
        earlier = (await self._known(slot.table_id)).get(slot)
        if not isinstance(earlier, PendingMessage):
            posting = PendingMessage(key or token_hex(8), digest)
        elif earlier.digest == digest:
            return earlier
        else:
            posting = replace(earlier, digest=UNKNOWN)
        await self._note(slot, posting)
        return posting

    async def remember(self, slot: MessageSlot, shown: SentMessage) -> None:
        """Note what shows a slot."""
        await self._note(slot, shown)

    async def forget(self, slot: MessageSlot) -> None:
        """Note that nothing shows a slot any more."""
        (await self._known(slot.table_id)).pop(slot, None)
        await self._slots.drop(slot)

    def forget_reader(self, user: UserRef) -> None:
        """Know nothing of what was shown to a person any more; the disk has forgotten it."""
        for table_id, known in self._tables.items():
            self._tables[table_id] = {slot: found for slot, found in known.items() if slot.user != user}

    async def mark_unknown(self, messages: Collection[MessageRef]) -> set[int]:
        """Believe no more that these messages show what was sent; gives the tables they belong to."""
        tables = set[int]()
        for table_id in {*self._tables, *await self._slots.showing(messages)}:
            known = await self._known(table_id)
            for slot, found in known.items():
                if isinstance(found, SentMessage) and found.ref in messages:
                    known[slot] = replace(found, digest=UNKNOWN)
                    tables.add(table_id)
        return tables

    def evict(self, table_id: int) -> None:
        """Know nothing of a table, until somebody asks again."""
        self._tables.pop(table_id, None)

    async def _note(self, slot: MessageSlot, found: SentMessage | PendingMessage) -> None:
        (await self._known(slot.table_id))[slot] = found
        await self._slots.save(slot, found)

    async def _known(self, table_id: int) -> dict[MessageSlot, SentMessage | PendingMessage]:
        if table_id not in self._tables:
            loaded = await self._slots.load(table_id)
            self._tables.setdefault(table_id, loaded)
        return self._tables[table_id]


# --- What people have open in their hands: a page, a question, an advice ---


@dataclass(frozen=True, slots=True)
class OpenHand:
    """What somebody has open in their hand, as long as their choice is that of `version`.

    Only the question whether they want to leave (page None) stays for the whole game, until it is answered.
    """

    game: int
    version: int
    page: int | None = 0
    advice: Move | None = None


class OpenHands:
    """Remembers what people have open, by table."""

    def __init__(self) -> None:
        self._tables: defaultdict[int, dict[UserRef, OpenHand]] = defaultdict(dict)

    def at(self, version: int, table: Table, user: UserRef) -> OpenHand:
        """Return what a person has open whose choice is that of `version`: what belongs to it, or nothing."""
        opened = self._tables[table.id].get(user)
        if opened is not None and opened.game == table.game:
            if opened.version == version:
                return opened
            if opened.page is None:
                return replace(opened, version=version, advice=None)
        return OpenHand(table.game, version)

    def turn_to(self, page: int | None, version: int, table: Table, user: UserRef) -> None:
        """Open a page; None is the question whether they want to leave."""
        self._tables[table.id][user] = replace(self.at(version, table, user), page=page)

    def advise(self, move: Move, version: int, table: Table, user: UserRef) -> None:
        """Show an advice with the hand."""
        self._tables[table.id][user] = replace(self.at(version, table, user), advice=move)

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        self._tables.pop(table_id, None)

    def forget(self, user: UserRef) -> None:
        """Know nothing any more of what a person has open."""
        for opened in self._tables.values():
            opened.pop(user, None)


# --- Hands that stand in the room, each seen by its player alone, because they pressed there last ---


NOTICE_SECONDS = 90.0
"""So long before a hand stops following the game its player is told."""


class RoomHands:
    """Knows whose hand stands in the room, and for how long it follows the game."""

    def __init__(self, ports: Mapping[str, ChatPort], message_index: MessageIndex) -> None:
        self._ports = ports
        self._message_index = message_index
        self._fading: dict[MessageSlot, asyncio.TimerHandle] = {}
        self._changed: Callable[[int], None] = lambda _: None

    def subscribe(self, changed: Callable[[int], None]) -> None:
        """Let somebody know of a table where a hand looks different, though nobody has moved."""
        self._changed = changed

    async def is_open(self, hand: MessageSlot) -> bool:
        """Whether this hand stands in the room."""
        return await self._message_index.on(in_room(hand)) is not None

    async def is_shown(self, slot: MessageSlot) -> bool:
        """Whether there is a message of this hand."""
        return await self._message_index.on(slot) is not None

    async def has_place_for(self, slot: MessageSlot) -> bool:
        """Whether a message for this hand is there, or may be posted: none beside the one in the room."""
        if await self._message_index.on(slot) is not None:
            return True
        return slot.kind is MessageKind.HAND and not await self.is_open(slot)

    def is_fading(self, slot: MessageSlot) -> bool:
        """Whether this message of a hand in the room will soon stop following the game."""
        timer = self._fading.get(slot)
        return timer is not None and timer.when() <= asyncio.get_running_loop().time()

    async def open(self, hand: MessageSlot, message: MessageRef, screen: Screen) -> None:
        """Let a hand stand in this message of the room, which shows `screen`; the one before it goes."""
        slot = in_room(hand)
        before = await self._message_index.message(slot)
        await self._message_index.remember(slot, SentMessage(message, digest_of(screen)))
        self._follow(slot)
        if before is not None and before != message:
            await self._ports[before.platform].delete(before)

    async def close(self, hand: MessageSlot) -> bool:
        """Take a hand out of the room; False if it was not there."""
        slot = in_room(hand)
        shown = await self._message_index.message(slot)
        if shown is None:
            return False
        await self.lost(slot)
        await self._ports[shown.platform].delete(shown)
        return True

    async def lost(self, slot: MessageSlot) -> None:
        """Note that the message in the room is gone."""
        self._stop(slot)
        await self._message_index.forget(slot)

    async def pressed(self, slot: MessageSlot) -> None:
        """Let a hand stand where its player has just pressed it; in the room it follows the game anew."""
        if slot.kind is MessageKind.ROOM_HAND:
            self._follow(slot)
        elif slot.kind is MessageKind.HAND and await self.close(slot):
            self._changed(slot.table_id)

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        for slot in [slot for slot in self._fading if slot.table_id == table_id]:
            self._stop(slot)

    def forget(self, user: UserRef) -> None:
        """Know nothing any more of where a person's hands stand."""
        for slot in [slot for slot in self._fading if slot.user == user]:
            self._stop(slot)

    def _follow(self, slot: MessageSlot) -> None:
        self._stop(slot)
        seconds = inf if slot.user is None else self._ports[slot.user.platform].limits.ephemeral_seconds
        if seconds < inf:
            self._fading[slot] = asyncio.get_running_loop().call_later(
                seconds - NOTICE_SECONDS, self._changed, slot.table_id
            )

    def _stop(self, slot: MessageSlot) -> None:
        if (timer := self._fading.pop(slot, None)) is not None:
            timer.cancel()


def in_room(hand: MessageSlot) -> MessageSlot:
    """Return where a hand stands that its player opened in the room."""
    return replace(hand, kind=MessageKind.ROOM_HAND)


# --- The slots whose messages the outbox keeps up to date ---


class WatchedSlots:
    """Knows who sees each slot, and what was decided about its message.

    Attributes:
        renewed: The slots that are to be shown in a new message.
        refused: The digest of the screen that a chat did not take; it is not sent again.
        posted_at: When the slot's message was posted, in seconds of the event loop, if this process did.
    """

    def __init__(self) -> None:
        self._tables: dict[int, dict[MessageSlot, Reader]] = {}
        self.renewed: set[MessageSlot] = set()
        self.refused: dict[MessageSlot, str] = {}
        self.posted_at: dict[MessageSlot, float] = {}

    def __contains__(self, slot: MessageSlot) -> bool:
        return self.get(slot) is not None

    def __getitem__(self, slot: MessageSlot) -> Reader:
        return self._tables[slot.table_id][slot]

    def get(self, slot: MessageSlot) -> Reader | None:
        """Return who sees a slot; None of a slot that is not watched."""
        return self._tables.get(slot.table_id, {}).get(slot)

    def watch(self, audiences: Mapping[MessageSlot, Reader], *, served: Container[str]) -> None:
        """Watch these slots, each seen by its audience, on the platforms that are served at the moment."""
        for slot, audience in audiences.items():
            if audience.room.server.platform in served:
                self._tables.setdefault(slot.table_id, {})[slot] = audience

    def seen_in(self, where: RoomRef | UserRef) -> Iterable[MessageSlot]:
        """Return the slots that everybody in a room sees, or a person in the private chat."""
        return [
            slot
            for watched in self._tables.values()
            for slot, audience in watched.items()
            if (isinstance(audience, Everyone) and audience.room == where)
            or (isinstance(audience, Only) and audience.user == where)
        ]

    def drop_table(self, table_id: int) -> Collection[Reader]:
        """Watch nothing of a table any more; gives who has seen something of it."""
        dropped = self._tables.pop(table_id, {})
        for slot in dropped:
            self._forget(slot)
        return set(dropped.values())

    def drop_reader(self, user: UserRef) -> None:
        """Watch nothing that a person sees alone any more."""
        for watched in self._tables.values():
            for slot in [each for each in watched if each.user == user]:
                del watched[slot]
                self._forget(slot)

    def _forget(self, slot: MessageSlot) -> None:
        self.renewed.discard(slot)
        self.refused.pop(slot, None)
        self.posted_at.pop(slot, None)
