"""The messages about tables and features: in memory, and on disk where they have to outlast the process."""

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

HOLD_SECONDS = 5.0  # how long a message waits for the answer to a press before it is sent the ordinary way


@dataclass(slots=True, eq=False)
class Message:
    """One message: its slot, and its state, which changes by events alone."""

    slot: Slot
    state: MessageState = UNSEEN
    # Marks its subject dirty when it will soon stop following the game.
    fading: asyncio.TimerHandle | None = None

    def note(self, event: MessageEvent) -> None:
        """Moves its state on by an event."""
        self.state = event.after(self.state)

    @property
    def ref(self) -> MessageRef | None:
        """Its place in the chat; None while it is not there."""
        return self.state.shown.ref

    @property
    def place(self) -> Place | None:
        """Its reader, and how it is shown to them; None while nothing is sent."""
        return self.state.wanted.place

    @property
    def reader(self) -> Reader | None:
        """Its reader; None while nothing is sent."""
        return None if self.place is None else self.place.reader

    @property
    def leads_to(self) -> Slot | None:
        """The slot that it leads people to."""
        return None if self.place is None else self.place.leads_to

    @property
    def is_paced(self) -> bool:
        """Whether its edits leave room for others in the chat."""
        return self.place is not None and self.place.is_paced

    @property
    def is_dirty(self) -> bool:
        """Whether it may show something out of date."""
        return self.state.shown.changes < self.state.wanted.changes

    @property
    def is_settled(self) -> bool:
        """Whether this process has brought it up to date."""
        return self.state.wanted.changes > 0 and not self.is_dirty

    @property
    def is_fading(self) -> bool:
        """Whether it will soon stop following the game."""
        return self.fading is not None and self.fading.when() <= asyncio.get_running_loop().time()

    def hold(self) -> None:
        """Leaves it to the answer to a press or a command, which is about to be sent."""
        self.note(Held(asyncio.get_running_loop().time() + HOLD_SECONDS))

    def stop_fading(self) -> None:
        """Cancels the timer that would tell that it stops following the game."""
        if self.fading is not None:
            self.fading.cancel()
            self.fading = None

    def retire(self) -> None:
        """Sends nothing more to this message."""
        self.note(Placed(None))
        self.stop_fading()


@dataclass(slots=True)
class SubjectMessages:
    """The messages about one subject; `changes` and `placed_changes` count as those of a message do."""

    changes: int = 0
    placed_changes: int = 0
    is_loaded: bool = False
    by_slot: dict[Any, Message] = field(default_factory=dict)

    @property
    def is_dirty(self) -> bool:
        """Whether some message may show something out of date."""
        return self.has_changed or any(message.is_dirty for message in self.by_slot.values())

    @property
    def has_changed(self) -> bool:
        """Whether nothing was made of the subject's newest change yet."""
        return self.placed_changes < self.changes or not self.is_loaded


class MessageIndex:
    """Finds messages by their subject and slot.

    A new message is written down before it is posted, with a key that the chat gets, too. So when the process
    ends before it hears of the message's arrival, the next one asks for it again by the same key.
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
        """Returns the subjects of which some message may show something out of date."""
        return [subject for subject, about in self._subjects.items() if about.is_dirty]

    def record(self, slot: Slot) -> Message:
        """Returns a message that is in memory."""
        messages = self._subjects[slot.subject].by_slot
        message = messages.get(slot)
        if message is None:
            message = messages[slot] = Message(slot)
        return message

    async def of(self, subject: Subject) -> Mapping[Any, Message]:
        """Returns all messages about a subject by their slots, shown or not."""
        about = self._subjects[subject]
        if not about.is_loaded:
            stored_messages = await self._store.load(subject)
            about = self._subjects[subject]
            if not about.is_loaded:
                about.is_loaded = True
                for slot, stored_message in stored_messages.items():
                    self.record(slot).note(Loaded(stored_message))

        return about.by_slot

    async def load(self, slot: Slot) -> Message:
        """Returns all that is known of a message."""
        await self.of(slot.subject)
        return self.record(slot)

    async def message(self, slot: Slot) -> MessageRef | None:
        """Returns the message that shows a slot; None when nothing does."""
        message = (await self.of(slot.subject)).get(slot)
        return None if message is None else message.ref

    async def slot_in(self, ref: MessageRef, subject: Subject) -> Any:
        """Returns which slot of a subject a message shows; None if it is none of the subject's."""
        messages = await self.of(subject)
        if not messages and not self._subjects[subject].is_dirty:
            del self._subjects[subject]  # a button that was made up may name any of them
        return next((slot for slot, message in messages.items() if message.ref == ref), None)

    async def find_lost(self, ref: MessageRef, subject: Subject, user: UserRef | None) -> Message | None:
        """Returns the pending message about a subject that this unknown ref must belong to.

        `user` is its only reader, None if it is public. None where no message is missed.
        """
        if await self.slot_in(ref, subject) is not None:
            return None
        messages = self._subjects[subject].by_slot.values()
        candidates = (message for message in messages if message.state.doing.may_have_arrived)
        return next((message for message in candidates if message.slot.user == user), None)

    def seen_in(self, where: RoomRef | UserRef) -> Collection[Message]:
        """Returns the messages that everybody in a room sees, or a person in the private chat."""
        return [
            message
            for message in self
            if (isinstance(message.reader, Everyone) and message.reader.room == where)
            or (isinstance(message.reader, Only) and message.reader.user == where)
        ]

    # --- kept on disk -------------------------------------------------------------------------------------

    async def begin_post(self, message: Message, digest: str, key: str = "") -> None:
        """Writes down that a message with this digest is about to be posted, with this key or a new one.

        After an earlier attempt that may have arrived, the key stays; and if that showed something else, what
        the message will show is not known.
        """
        before = message.state
        message.note(Posting(digest, key or token_hex(8)))
        if message.state != before:
            await self._save(message, PendingMessage(message.state.doing.key, message.state.shown.digest))

    async def save(self, message: Message, ref: MessageRef, digest: str) -> None:
        """Records the place of a message, and its screen."""
        message.note(Arrived(ref, digest))
        await self._save(message, SentMessage(ref, digest, message.state.shown.is_pinned))

    async def _save(self, message: Message, stored_message: SentMessage | PendingMessage) -> None:
        server = None if message.reader is None else message.reader.room.server
        await self._store.save(message.slot, stored_message, server)

    async def take_over(self, message: Message, before: Message) -> None:
        """Lets the message of another slot show this one from now on."""
        if before.ref is None:
            return

        message.stop_fading()
        message.fading = before.fading
        before.fading = None
        await self.save(message, before.ref, UNKNOWN)
        await self.drop(before)

    async def note_pin(self, message: Message, *, is_pinned: bool) -> None:
        """Writes down whether the bot has pinned a message that is in its chat."""
        message.note(Pinned(is_pinned))
        if message.ref is not None:
            await self.save(message, message.ref, message.state.shown.digest)

    async def drop(self, message: Message, *, is_replaced: bool = False) -> None:
        """Records that a message is gone, or was never posted."""
        message.note(Vanished(is_replaced=is_replaced))
        message.stop_fading()
        await self._store.drop(message.slot)

    async def mark_unknown(self, refs: Collection[MessageRef]) -> Collection[Subject]:
        """Records that these messages may be out of date; returns the subjects that they are about."""
        for subject in await self._store.showing(refs):
            await self.of(subject)

        messages = [message for message in self if message.ref in refs]
        for message in messages:
            message.note(Doubted())

        return {message.slot.subject for message in messages}

    # --- forgotten ----------------------------------------------------------------------------------------

    def evict(self, subject: Subject) -> Collection[Reader]:
        """Drops the messages about a subject from memory; returns the readers of those shown."""
        about = self._subjects.pop(subject, SubjectMessages())
        readers = {message.reader for message in about.by_slot.values() if message.reader is not None}
        for message in about.by_slot.values():
            message.retire()
        return readers

    def forget(self, user: UserRef) -> None:
        """Drops a person's own messages from memory; the disk has forgotten them."""
        for message in [own for own in self if own.slot.user == user]:
            message.retire()
            del self._subjects[message.slot.subject].by_slot[message.slot]


def log_fields(slot: Slot) -> Mapping[str, int | str]:
    """Returns a slot as fields for the log."""
    return {slot.subject.kind: slot.subject.number, "kind": slot.part}


def counted_as(slot: Slot) -> str:
    """Returns the kind of message among those that are counted."""
    return slot.part if slot.subject.kind == TABLE else slot.subject.kind


def in_room(hand: TableSlot) -> TableSlot:
    """Returns the slot of a hand that its player opened in the room."""
    return replace(hand, kind=MessageKind.ROOM_HAND)


_SCREENS = TypeAdapter(Screen)


def digest_of(screen: Screen) -> str:
    """Returns a short text that is equal for equal screens, after a restart as well."""
    text = _SCREENS.dump_json(screen, exclude={"picture"})
    if screen.picture is not None:
        text += screen.picture.alt.encode() + screen.picture.png
    return blake2b(text, digest_size=16).hexdigest()


def digest_of_news(screen: Screen) -> str:
    """Returns the same for a screen that has to be noticed; `is_news` compares two."""
    content = _SCREENS.dump_json(screen, exclude={"picture": True, "body": {"__all__": {"link", "when"}}})
    return blake2b(content, digest_size=_HALF // 2).hexdigest() + digest_of(screen)[:_HALF]


def digest_of_choices(screen: Screen, news: str) -> str:
    """Returns the same for a screen in a chat that can't edit: its buttons and `news` have to be noticed."""
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
    """Returns whether two screens differ in what has to be noticed, by their digests.

    The target of a link is no news. Neither is the moment that a chat shows in place of the same words.
    """
    return digest[:_HALF] != shown_digest[:_HALF]


_HALF = 16
