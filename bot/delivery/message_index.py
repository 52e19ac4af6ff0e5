"""What each message of the tables shows, known here and kept on disk."""

from collections.abc import Collection
from dataclasses import replace
from secrets import token_hex

from adapters.port import MessageRef, UserRef
from bot.model.message_slots import UNKNOWN, Posting, Shown, Surface
from bot.storage import Surfaces


class Showings:
    """Remembers which surface stands in which message.

    A new message is noted before it is posted, with a key that the chat gets, too. So when the process ends
    before it hears of the message's arrival, the next one asks for it again by the same key.
    """

    def __init__(self, surfaces: Surfaces) -> None:
        self._surfaces = surfaces
        self._tables: dict[int, dict[Surface, Shown | Posting]] = {}

    async def of(self, table_id: int) -> dict[Surface, Shown]:
        """Give every surface of a table that is shown."""
        known = await self._known(table_id)
        return {surface: each for surface, each in known.items() if isinstance(each, Shown)}

    async def on(self, surface: Surface) -> Shown | None:
        """Give what shows a surface; None when nothing does."""
        return (await self.of(surface.table_id)).get(surface)

    async def is_public_message(self, table_id: int, message: MessageRef) -> bool:
        """Whether a message shows what everybody sees of a table."""
        shown = await self.of(table_id)
        return message in {each.ref for surface, each in shown.items() if surface.user is None}

    async def begin(self, surface: Surface, digest: str) -> Posting:
        """Note that a message with this digest is about to be posted.

        Returns:
            Its key, and what it will show: nobody knows, when an earlier attempt may have arrived that showed
            something else.
        """
        earlier = (await self._known(surface.table_id)).get(surface)
        if not isinstance(earlier, Posting):
            posting = Posting(token_hex(8), digest)
        elif earlier.digest == digest:
            return earlier
        else:
            posting = replace(earlier, digest=UNKNOWN)
        await self._note(surface, posting)
        return posting

    async def remember(self, surface: Surface, shown: Shown) -> None:
        """Note what shows a surface."""
        await self._note(surface, shown)

    async def forget(self, surface: Surface) -> None:
        """Note that nothing shows a surface any more."""
        (await self._known(surface.table_id)).pop(surface, None)
        await self._surfaces.drop(surface)

    def forget_reader(self, user: UserRef) -> None:
        """Know nothing of what was shown to a person any more; the disk has forgotten it."""
        for table_id, known in self._tables.items():
            self._tables[table_id] = {
                surface: found for surface, found in known.items() if surface.user != user
            }

    def doubt(self, messages: Collection[MessageRef]) -> set[int]:
        """Believe no more that these messages show what was sent; gives the tables they belong to."""
        tables = set[int]()
        for table_id, known in self._tables.items():
            for surface, found in known.items():
                if isinstance(found, Shown) and found.ref in messages:
                    known[surface] = replace(found, digest=UNKNOWN)
                    tables.add(table_id)
        return tables

    def left(self, table_id: int) -> None:
        """Know nothing of a table, until somebody asks again."""
        self._tables.pop(table_id, None)

    async def _note(self, surface: Surface, found: Shown | Posting) -> None:
        (await self._known(surface.table_id))[surface] = found
        await self._surfaces.save(surface, found)

    async def _known(self, table_id: int) -> dict[Surface, Shown | Posting]:
        if table_id not in self._tables:
            loaded = await self._surfaces.load(table_id)
            self._tables.setdefault(table_id, loaded)
        return self._tables[table_id]
