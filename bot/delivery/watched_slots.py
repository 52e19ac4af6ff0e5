"""The slots whose messages the outbox keeps up to date."""

from collections.abc import Collection, Container, Iterable, Mapping

from adapters.port import Everyone, RoomRef, UserRef
from bot.model.message_slots import MessageSlot, Reader


class WatchedSlots:
    """Knows who sees each slot, and what was decided about its message.

    Attributes:
        renewed: The slots that are to be shown in a new message.
        refused: The digest of the screen that a chat did not take; it is not sent again.
    """

    def __init__(self) -> None:
        self._tables: dict[int, dict[MessageSlot, Reader]] = {}
        self.renewed: set[MessageSlot] = set()
        self.refused: dict[MessageSlot, str] = {}

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

    def in_room(self, room: RoomRef) -> Iterable[MessageSlot]:
        """Return the slots that everybody in a room sees."""
        return [
            slot
            for watched in self._tables.values()
            for slot, audience in watched.items()
            if audience == Everyone(room)
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
