"""Whom the bot knows, and what they are called now."""

from cachetools import LRUCache

from adapters.port import ServerRef, User, UserRef
from bot.storage import PlayerStore
from bot.tongues import MOST_KNOWN, Tongues


class Acquaintances:
    """Keeps the names and languages of people up to date without writing them at every press."""

    def __init__(self, players: PlayerStore, tongues: Tongues) -> None:
        self._players = players
        self._tongues = tongues
        self._known = LRUCache[tuple[UserRef, ServerRef | None], User](MOST_KNOWN)

    async def meet(self, user: User, server: ServerRef | None) -> None:
        """Note what somebody is called who does something, if they are on record; a group is nobody.

        The name is that on `server`; None where nobody else sees it. Whoever has done nothing yet that has to
        be kept stays a stranger, of whom nothing is written down.
        """
        if self._known.get((user.ref, server)) == user:
            return
        if not (user.is_person and await self._players.update(user)):
            self._tongues.assume(user)
            return
        self._tongues.forget(user.ref)
        if server is None or await self._players.call(user, server):
            self._known[user.ref, server] = user

    async def remember(self, user: User) -> None:
        """Put somebody on record, by their newest name."""
        if user.is_person and self._known.get((user.ref, None)) != user:
            await self._players.remember(user)
            self._tongues.forget(user.ref)
            self._known[user.ref, None] = user

    def forget(self, user: UserRef) -> None:
        """Know nothing of a person any more, until they come again."""
        for known in [known for known in self._known if known[0] == user]:
            del self._known[known]
        self._tongues.forget(user)
