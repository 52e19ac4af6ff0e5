"""The slots whose messages the outbox keeps up to date."""

from collections.abc import Callable, Container, Iterable, Mapping

from adapters.port import Audience, Everyone, RoomRef, UserRef
from bot.model.message_slots import MessageSlot


class WatchedSlots:
    """Knows who sees each slot, and what was decided about its message.

    Attributes:
        renewed: The slots that are to be shown in a new message.
        refused: The digest of the screen that a chat did not take; it is not sent again.
    """

    def __init__(self) -> None:
        self._audiences: dict[MessageSlot, Audience] = {}
        self.renewed: set[MessageSlot] = set()
        self.refused: dict[MessageSlot, str] = {}

    def __contains__(self, slot: MessageSlot) -> bool:
        return slot in self._audiences

    def __getitem__(self, slot: MessageSlot) -> Audience:
        return self._audiences[slot]

    def get(self, slot: MessageSlot) -> Audience | None:
        """Return who sees a slot; None of a slot that is not watched."""
        return self._audiences.get(slot)

    def watch(self, audiences: Mapping[MessageSlot, Audience], *, served: Container[str]) -> None:
        """Watch these slots, each seen by its audience, on the platforms that are served at the moment."""
        for slot, audience in audiences.items():
            if audience.room.server.platform in served:
                self._audiences[slot] = audience

    def in_room(self, room: RoomRef) -> Iterable[MessageSlot]:
        """Return the slots that everybody in a room sees."""
        return [slot for slot, audience in self._audiences.items() if audience == Everyone(room)]

    def drop_table(self, table_id: int) -> None:
        """Watch nothing of a table any more."""
        self._drop(lambda slot: slot.table_id == table_id)

    def drop_reader(self, user: UserRef) -> None:
        """Watch nothing that a person sees alone any more."""
        self._drop(lambda slot: slot.user == user)

    def _drop(self, is_dropped: Callable[[MessageSlot], bool]) -> None:
        for slot in [each for each in self._audiences if is_dropped(each)]:
            del self._audiences[slot]
            self.renewed.discard(slot)
            self.refused.pop(slot, None)
