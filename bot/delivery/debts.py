"""What the bot still owes people: which messages may not show what they should."""

from collections.abc import Awaitable, Callable
from itertools import count

from adapters.port import UserRef
from bot.delivery.chat_queue import ChatQueue
from bot.model.message_slots import MessageSlot


class Debts:
    """Knows by table what has changed and was not shown yet, as far as anybody knows."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._tables: dict[int, dict[MessageSlot | None, int]] = {}

    def __contains__(self, table_id: int) -> bool:
        return table_id in self._tables

    def owe(self, table_id: int, slot: MessageSlot | None = None) -> None:
        """Note that a slot of a table is to be looked at; None: all of them, as the table has changed."""
        self._tables.setdefault(table_id, {})[slot] = next(self._numbers)

    def owed(self, table_id: int, slot: MessageSlot | None = None) -> int:
        """Return a number by which this debt is known; 0 when nothing is owed."""
        return self._tables.get(table_id, {}).get(slot, 0)

    def settle(self, number: int, table_id: int, slot: MessageSlot | None = None) -> None:
        """Note that this debt is paid, unless there is a newer one."""
        if number and self.owed(table_id, slot) == number:
            del self._tables[table_id][slot]
            if not self._tables[table_id]:
                del self._tables[table_id]

    async def pay(
        self,
        repair: Callable[[MessageSlot, ChatQueue], Awaitable[bool]],
        slot: MessageSlot,
        queue: ChatQueue,
    ) -> None:
        """Let a slot show what it should; `repair` gives whether it does so then."""
        number = self.owed(slot.table_id, slot)
        if await repair(slot, queue):
            self.settle(number, slot.table_id, slot)

    def forget(self, table_id: int) -> None:
        """Owe nothing of a table any more."""
        self._tables.pop(table_id, None)

    def forget_reader(self, user: UserRef) -> None:
        """Owe a person nothing any more."""
        for table_id, owed in list(self._tables.items()):
            for slot in [each for each in owed if each is not None and each.user == user]:
                self.settle(owed[slot], table_id, slot)
