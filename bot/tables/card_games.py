"""Games with real cards: their messages, and the fools that couldn't be notified in private."""

from collections.abc import Callable

from cachetools import LRUCache

from adapters.port import MessageRef, RoomRef, ServerRef, UserRef
from bot.cache import LIMITS
from bot.storage import CardGameStore


class CardGames:
    """Keeps games with real cards, and remembers their notices that are still to be sent or recorded."""

    def __init__(self, store: CardGameStore, now: Callable[[], float]) -> None:
        self.store = store
        self._now = now
        self._unnotified = dict[tuple[UserRef, ServerRef], int]()
        self._posted = LRUCache[int, tuple[RoomRef, MessageRef]](LIMITS.known)

    async def load(self) -> None:
        """Reads the fools without a notice."""
        for user, server, number in await self.store.unnotified(self._now()):
            self.wait_for(user, server, number)

    def wait_for(self, user: UserRef, server: ServerRef, number: int) -> None:
        """Waits for a fool's next press on a server, as they cannot be written to."""
        self._unnotified[user, server] = number

    def unnotified(self, user: UserRef, server: ServerRef) -> int | None:
        """Returns how many news a person has on a server."""
        return self._unnotified.get((user, server))

    async def set_notified(self, user: UserRef, server: ServerRef, number: int) -> None:
        """Records the notice to a fool."""
        self._unnotified.pop((user, server), None)
        await self.store.set_notified(number, user, self._now())

    def forget(self, user: UserRef) -> None:
        """Waits for a person no more."""
        for waiting in [unnotified for unnotified in self._unnotified if unnotified[0] == user]:
            del self._unnotified[waiting]

    def posted(self, number: int, room: RoomRef, message: MessageRef) -> None:
        """Remembers which message shows a game, until that is written down."""
        self._posted[number] = room, message

    async def note_post(self, number: int) -> None:
        """Writes down which message shows a game."""
        if number in self._posted:
            await self.store.shown(number, *self._posted.pop(number))
