"""Which messages may not show yet what they should."""

from collections.abc import Awaitable, Callable
from itertools import count

from adapters.port import UserRef
from bot.delivery.chat_queue import ChatQueue
from bot.model.message_slots import MessageSlot


class PendingChanges:
    """Knows by table what has changed and was not shown yet, as far as anybody knows."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._tables: dict[int, dict[MessageSlot | None, int]] = {}

    def __contains__(self, table_id: int) -> bool:
        return table_id in self._tables

    def note(self, table_id: int, slot: MessageSlot | None = None) -> None:
        """Note that a slot of a table is to be looked at; None: all of them, as the table has changed."""
        self._tables.setdefault(table_id, {})[slot] = next(self._numbers)

    def newest(self, table_id: int, slot: MessageSlot | None = None) -> int:
        """Return the number of the newest change that was noted here; 0 if none is pending."""
        return self._tables.get(table_id, {}).get(slot, 0)

    def drop(self, number: int, table_id: int, slot: MessageSlot | None = None) -> None:
        """Note that this change is shown, unless there is a newer one."""
        if number and self.newest(table_id, slot) == number:
            del self._tables[table_id][slot]
            if not self._tables[table_id]:
                del self._tables[table_id]

    async def show(
        self,
        repair: Callable[[MessageSlot, ChatQueue], Awaitable[bool]],
        slot: MessageSlot,
        queue: ChatQueue,
    ) -> None:
        """Let a slot show what it should; `repair` gives whether it does so then."""
        number = self.newest(slot.table_id, slot)
        if await repair(slot, queue):
            self.drop(number, slot.table_id, slot)

    def forget(self, table_id: int) -> None:
        """Know nothing of a table any more."""
        self._tables.pop(table_id, None)

    def forget_reader(self, user: UserRef) -> None:
        """Know nothing any more of what a person was to be shown."""
        for table_id, pending in list(self._tables.items()):
            for slot in [each for each in pending if each is not None and each.user == user]:
                self.drop(pending[slot], table_id, slot)
