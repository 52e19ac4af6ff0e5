"""Games with real cards, and the fools that couldn't be notified in private."""

from collections import defaultdict
from collections.abc import Callable

from adapters.port import ServerRef, UserRef
from bot.storage import CardGameStore


class CardGames:
    """Keeps games with real cards, and remembers their notices that are still to be sent."""

    def __init__(self, store: CardGameStore, now: Callable[[], float]) -> None:
        self.store = store
        self._now = now
        self._unnotified = defaultdict[tuple[UserRef, ServerRef], list[int]](list)

    async def load(self) -> None:
        """Reads the fools without a notice."""
        for user, server, number in await self.store.unnotified(self._now()):
            self.wait_for(user, server, number)

    def wait_for(self, user: UserRef, server: ServerRef, number: int) -> None:
        """Waits for a fool's next press on a server, as they cannot be written to."""
        waiting = self._unnotified[user, server]
        if number not in waiting:
            waiting.append(number)

    def unnotified(self, user: UserRef, server: ServerRef) -> int | None:
        """Returns the oldest game on a server of which a person has had no notice."""
        return next(iter(self._unnotified.get((user, server), [])), None)

    async def set_notified(self, user: UserRef, server: ServerRef, number: int) -> None:
        """Records the notice to a fool."""
        waiting = self._unnotified.pop((user, server), [])
        rest = [other for other in waiting if other != number]
        if rest:
            self._unnotified[user, server] = rest

        await self.store.set_notified(number, user, self._now())

    def forget(self, user: UserRef) -> None:
        """Stops waiting for a person."""
        for waiting in [unnotified for unnotified in self._unnotified if unnotified[0] == user]:
            del self._unnotified[waiting]
