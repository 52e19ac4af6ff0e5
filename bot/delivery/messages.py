"""The messages about tables and features, in memory and on disk."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from secrets import token_hex
from typing import Any

from pydantic import TypeAdapter

from adapters.port import CallbackButton, Everyone, Limits, MessageRef, Only, RoomRef, Screen, UserRef
from bot.delivery.state import (
    UNSEEN,
    Arrived,
    Doubted,
    Held,
    Loaded,
    MessageEvent,
    MessageState,
    Pinned,
    Placed,
    Posting,
    Vanished,
)
from bot.model.messages import (
    TABLE,
    UNKNOWN,
    MessageKind,
    PendingMessage,
    Place,
    Reader,
    SentMessage,
    Slot,
    Subject,
    TableSlot,
)
from bot.storage import MessageSlotStore

HOLD_SECONDS = 5.0  # how long a message waits for the answer to a press before the outbox sends it


@dataclass(slots=True, eq=False)
class Message:
    """One message: its slot, and its state, which only events change."""

    slot: Slot
    state: MessageState = UNSEEN
    # Marks the subject dirty shortly before the message stops following the game.
    fading: asyncio.TimerHandle | None = None

    def note(self, event: MessageEvent) -> None:
        """Applies an event to the state."""
        self.state = event.after(self.state)

    @property
    def ref(self) -> MessageRef | None:
        """The message in the chat; None while there is none."""
        return self.state.shown.ref

    @property
    def place(self) -> Place | None:
        """The reader and how the message is shown to them; None while nothing is sent."""
        return self.state.wanted.place

    @property
    def reader(self) -> Reader | None:
        """The reader; None while nothing is sent."""
        return None if self.place is None else self.place.reader

    @property
    def leads_to(self) -> Slot | None:
        """The slot that the message leads people to."""
        return None if self.place is None else self.place.leads_to

    @property
    def is_paced(self) -> bool:
        """Whether its edits leave room for other messages in the chat."""
        return self.place is not None and self.place.is_paced

    @property
    def is_dirty(self) -> bool:
        """Whether the message may be out of date."""
        return self.state.shown.changes < self.state.wanted.changes

    @property
    def is_settled(self) -> bool:
        """Whether this process has brought the message up to date."""
        return self.state.wanted.changes > 0 and not self.is_dirty

    @property
    def is_fading(self) -> bool:
        """Whether the message will soon stop following the game."""
        return self.fading is not None and self.fading.when() <= asyncio.get_running_loop().time()

    def hold(self) -> None:
        """Reserves the message for the answer to a press or a command, for `HOLD_SECONDS`."""
        self.note(Held(asyncio.get_running_loop().time() + HOLD_SECONDS))

    def stop_fading(self) -> None:
        """Cancels the timer that warns before the message stops following the game."""
        if self.fading is not None:
            self.fading.cancel()
            self.fading = None

    def retire(self) -> None:
        """Stops all sending to this message."""
        self.note(Placed(None))
        self.stop_fading()


@dataclass(slots=True)
class SubjectMessages:
    """The messages about one subject.

    `changes` counts the changes of the subject, `placed_changes` those for which messages were queued.
    """

    changes: int = 0
    placed_changes: int = 0
    is_loaded: bool = False
    by_slot: dict[Any, Message] = field(default_factory=dict)

    @property
    def is_dirty(self) -> bool:
        """Whether some message may be out of date."""
        return self.has_changed or any(message.is_dirty for message in self.by_slot.values())

    @property
    def has_changed(self) -> bool:
        """Whether messages are yet to be queued for the subject's newest change."""
        return self.placed_changes < self.changes or not self.is_loaded


class MessageIndex:
    """Finds messages by their subject and slot.

    A new message is stored before it is posted, with the key that the chat gets. If the process ends before
    it learns of the message's arrival, the next process posts it again with the same key.
    """

    def __init__(self, store: MessageSlotStore) -> None:
        self._store = store
        self._subjects = defaultdict[Subject, SubjectMessages](SubjectMessages)

    def __iter__(self) -> Iterator[Message]:
        for about in self._subjects.values():
            yield from about.by_slot.values()

    # --- found by subject and slot ------------------------------------------------------------------------

    def about(self, subject: Subject) -> SubjectMessages:
        """Returns the messages about a subject that are in memory."""
        return self._subjects[subject]

    def dirty_subjects(self) -> Collection[Subject]:
        """Returns the subjects with messages that may be out of date."""
        return [subject for subject, about in self._subjects.items() if about.is_dirty]

    def record(self, slot: Slot) -> Message:
        """Returns the message of a slot from memory; a new one if it is not there."""
        messages = self._subjects[slot.subject].by_slot
        message = messages.get(slot)
        if message is None:
            message = messages[slot] = Message(slot)
        return message

    async def of(self, subject: Subject) -> Mapping[Any, Message]:
        """Returns all messages about a subject by slot, shown or not; loads them if necessary."""
        about = self._subjects[subject]
        if not about.is_loaded:
            stored_messages = await self._store.load(subject)
            about = self._subjects[subject]
            if not about.is_loaded:
                about.is_loaded = True
                for slot, stored_message in stored_messages.items():
                    self.record(slot).note(Loaded(stored_message))

        return about.by_slot

    def add_new(self, subject: Subject) -> None:
        """Adds a subject that is new, and therefore has no messages to load."""
        self._subjects[subject].is_loaded = True

    async def load(self, slot: Slot) -> Message:
        """Returns the message of a slot, loaded from disk if necessary."""
        await self.of(slot.subject)
        return self.record(slot)

    async def message(self, slot: Slot) -> MessageRef | None:
        """Returns the chat's message that shows a slot; None if none does."""
        message = (await self.of(slot.subject)).get(slot)
        return None if message is None else message.ref

    async def slot_in(self, ref: MessageRef, subject: Subject) -> Any:
        """Returns the slot of a subject that a message shows; None if the subject has no such message."""
        messages = await self.of(subject)
        if not messages and not self._subjects[subject].is_dirty:
            del self._subjects[subject]  # a forged button may name any subject
        return next((slot for slot, message in messages.items() if message.ref == ref), None)

    async def find_lost(self, ref: MessageRef, subject: Subject, user: UserRef | None) -> Message | None:
        """Returns the message with an unknown delivery that `ref` must be, if there is one.

        `user` is its only reader, None if it is public.
        """
        if await self.slot_in(ref, subject) is not None:
            return None
        messages = self._subjects[subject].by_slot.values()
        candidates = (message for message in messages if message.state.doing.may_have_arrived)
        return next((message for message in candidates if message.slot.user == user), None)

    def seen_in(self, where: RoomRef | UserRef) -> Collection[Message]:
        """Returns the public messages of a room, or a person's messages in the private chat."""
        return [
            message
            for message in self
            if (isinstance(message.reader, Everyone) and message.reader.room == where)
            or (isinstance(message.reader, Only) and message.reader.user == where)
        ]

    # --- stored on disk -----------------------------------------------------------------------------------

    async def begin_post(self, message: Message, digest: str, key: str = "") -> None:
        """Stores that a message with this digest is about to be posted, with this key or a new one.

        If an earlier attempt may have arrived, its key stays; if that attempt had another digest, the content
        of the message becomes unknown.
        """
        before = message.state
        message.note(Posting(digest, key or token_hex(8)))
        if message.state != before:
            await self._save(message, PendingMessage(message.state.doing.key, message.state.shown.digest))

    async def save(self, message: Message, ref: MessageRef, digest: str) -> None:
        """Stores where a message is in the chat, and the digest of its screen."""
        message.note(Arrived(ref, digest))
        await self._save(message, SentMessage(ref, digest, message.state.shown.is_pinned))

    async def _save(self, message: Message, stored_message: SentMessage | PendingMessage) -> None:
        server = None if message.reader is None else message.reader.room.server
        await self._store.save(message.slot, stored_message, server)

    async def take_over(self, message: Message, before: Message) -> None:
        """Reassigns the chat's message of another slot to this one."""
        if before.ref is None:
            return

        message.stop_fading()
        message.fading = before.fading
        before.fading = None
        await self.save(message, before.ref, UNKNOWN)
        await self.drop(before)

    async def note_pin(self, message: Message, *, is_pinned: bool) -> None:
        """Stores whether the bot has pinned a message that is in its chat."""
        message.note(Pinned(is_pinned))
        if message.ref is not None:
            await self.save(message, message.ref, message.state.shown.digest)

    async def drop(self, message: Message, *, is_replaced: bool = False) -> None:
        """Records that a message is gone or was never posted; `is_replaced` if a new one follows."""
        message.note(Vanished(is_replaced=is_replaced))
        message.stop_fading()
        await self._store.drop(message.slot)

    async def mark_unknown(self, refs: Collection[MessageRef]) -> Collection[Subject]:
        """Records that the content of these messages is unknown; returns their subjects."""
        for subject in await self._store.showing(refs):
            await self.of(subject)

        messages = [message for message in self if message.ref in refs]
        for message in messages:
            message.note(Doubted())

        return {message.slot.subject for message in messages}

    # --- forgotten ----------------------------------------------------------------------------------------

    def evict(self, subject: Subject) -> Collection[Reader]:
        """Drops the messages about a subject from memory; returns their readers."""
        about = self._subjects.pop(subject, SubjectMessages())
        readers = {message.reader for message in about.by_slot.values() if message.reader is not None}
        for message in about.by_slot.values():
            message.retire()
        return readers

    def forget(self, user: UserRef) -> None:
        """Drops the messages for one person from memory; on disk they have already been deleted."""
        for message in [own for own in self if own.slot.user == user]:
            message.retire()
            del self._subjects[message.slot.subject].by_slot[message.slot]


def log_fields(slot: Slot) -> Mapping[str, int | str]:
    """Returns a slot as fields for the log."""
    return {slot.subject.kind: slot.subject.number, "kind": slot.part}


def counted_as(slot: Slot) -> str:
    """Returns the kind of a message in the metric of deliveries."""
    return slot.part if slot.subject.kind == TABLE else slot.subject.kind


def in_room(hand: TableSlot) -> TableSlot:
    """Returns the slot of a player's hand that is shown in the room."""
    return replace(hand, kind=MessageKind.ROOM_HAND)


_SCREENS = TypeAdapter(Screen)


def digest_of(screen: Screen) -> str:
    """Returns a short text that is equal for equal screens, even across restarts."""
    text = _SCREENS.dump_json(screen, exclude={"picture"}, exclude_defaults=True)
    if screen.picture is not None:
        text += screen.picture.alt.encode() + screen.picture.png
    return blake2b(text, digest_size=16).hexdigest()


def digest_of_news(screen: Screen) -> str:
    """Returns the digest of a screen that must be noticed; `is_news` compares two of these."""
    content = _SCREENS.dump_json(screen, exclude={"picture": True, "body": {"__all__": {"link", "when"}}})
    return blake2b(content, digest_size=_HALF // 2).hexdigest() + digest_of(screen)[:_HALF]


def digest_of_choices(screen: Screen, news: str) -> str:
    """Returns the digest of a screen in a chat without edits: its buttons and `news` must be noticed."""
    buttons = [button for row in screen.rows for button in row if isinstance(button, CallbackButton)]
    choices = [f"{button.token} {button.label}" for button in buttons if button.enabled]
    content = "\n".join((news, *choices)).encode()
    return blake2b(content, digest_size=_HALF // 2).hexdigest() + digest_of(screen)[:_HALF]


def digest_in(place: Place, screen: Screen, limits: Limits) -> str:
    """Returns the digest of a screen for a place in a chat with these limits."""
    if place.rings:
        return digest_of_news(screen)
    return digest_of(screen) if limits.edits else digest_of_choices(screen, place.news or "")


def is_news(digest: str, shown_digest: str) -> bool:
    """Returns whether two screens differ in what must be noticed, by their digests.

    The targets of links do not count, and neither do times that a chat may show in its own way.
    """
    return digest[:_HALF] != shown_digest[:_HALF]


_HALF = 16
