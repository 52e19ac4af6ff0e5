"""Whom the bot knows, and what they are called now."""

from cachetools import LRUCache

from adapters.port import User, UserRef
from bot.storage import Players
from bot.tongues import MOST_KNOWN, Tongues


class Acquaintances:
    """Keeps the names and languages of people up to date without writing them at every press."""

    def __init__(self, players: Players, tongues: Tongues) -> None:
        self._players = players
        self._tongues = tongues
        self._known = LRUCache[UserRef, User](MOST_KNOWN)

    async def meet(self, user: User) -> None:
        """Note what somebody is called who does something, if they are on record; a group is nobody.

        Whoever has done nothing yet that has to be kept stays a stranger, of whom nothing is written down.
        """
        if self._known.get(user.ref) == user:
            return
        if user.is_person and await self._players.update(user):
            self._remembered(user)
        else:
            self._tongues.assume(user)

    async def remember(self, user: User) -> None:
        """Put somebody on record, by their newest name."""
        if user.is_person and self._known.get(user.ref) != user:
            await self._players.remember(user)
            self._remembered(user)

    def forget(self, user: UserRef) -> None:
        """Know nothing of a person any more, until they come again."""
        self._known.pop(user, None)
        self._tongues.forget(user)

    def _remembered(self, user: User) -> None:
        self._tongues.forget(user.ref)
        self._known[user.ref] = user
