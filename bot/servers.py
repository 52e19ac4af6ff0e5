"""What is remembered about servers."""

from collections.abc import Iterator
from contextlib import contextmanager

from adapters.port import ServerRef
from bot.cache import ReadThroughCache
from bot.model.server_choices import ServerChoices
from bot.storage import ServerStore


class Servers:
    """Remembers what servers chose."""

    def __init__(self, store: ServerStore) -> None:
        self._store = store
        self._choices = ReadThroughCache[ServerRef, ServerChoices](store.choices)

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Return what a server chose."""
        return await self._choices.get(server)

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""
        with self.changing(server):
            await self._store.choose(server, **chosen)

    @contextmanager
    def changing(self, *servers: ServerRef) -> Iterator[None]:
        """Change on disk what these chose: whatever becomes of it, it is read again."""
        try:
            yield
        finally:
            for server in servers:
                self._choices.forget(server)
