"""What is remembered about servers."""

from cachetools import LRUCache

from adapters.port import ServerRef
from bot.model.server_choices import ServerChoices
from bot.storage import ServerStore

MOST_KNOWN = 1000
"""Servers that are remembered without a look at the disk."""


class Servers:
    """Remembers what servers chose: the disk is read once for each, and again after it was changed."""

    def __init__(self, store: ServerStore) -> None:
        self._store = store
        self._known = LRUCache[ServerRef, ServerChoices](MOST_KNOWN)
        self._changes = 0

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Return what a server chose."""
        known = self._known.get(server)
        if known is None:
            changes = self._changes
            known = await self._store.choices(server)
            if changes == self._changes:  # else it may have been read before somebody changed it
                self._known[server] = known
        return known

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""
        try:
            await self._store.choose(server, **chosen)
        finally:
            self.forget(server)

    def forget(self, *servers: ServerRef) -> None:
        """Look at the disk again: what these chose was changed there."""
        for server in servers:
            self._known.pop(server, None)
        self._changes += 1
