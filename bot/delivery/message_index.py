"""What each message of the tables shows, known here and kept on disk."""

from collections.abc import Collection
from dataclasses import replace
from secrets import token_hex

from adapters.port import MessageRef, UserRef
from bot.model.message_slots import UNKNOWN, MessageSlot, PendingMessage, SentMessage
from bot.storage import MessageSlotStore


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
