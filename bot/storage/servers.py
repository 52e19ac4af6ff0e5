"""What the moderators of servers chose."""

from dataclasses import fields

from sqlalchemy import select, update

from adapters.port import ServerRef
from bot.model.people import ServerChoices
from bot.storage.database import Database
from bot.storage.identities import SERVER
from bot.storage.models import ServerRow, table_of
from bot.storage.prepared import Prepared
from bot.storage.writing import as_new, new_values


class ServerStore:
    """The choices of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Return what a server chose."""
        rows = await self._database.rows(_CHOICES, SERVER.values(server))
        return ServerChoices(*rows[0]) if rows else ServerChoices()

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""
        changes = [
            (_CHOOSE[name], SERVER.values(server) | as_new({name: value})) for name, value in chosen.items()
        ]
        await self._database.write(SERVER.on_record(server), *changes)


_NAMES = [choice.name for choice in fields(ServerChoices)]
_CHOICES = Prepared(
    lambda _: select(*(table_of(ServerRow).columns[name] for name in _NAMES)).where(SERVER.is_it)
)


def _choose(name: str) -> Prepared:
    """Return the statement that writes one choice."""
    return Prepared(lambda _: update(ServerRow).where(SERVER.is_it).values(**new_values(ServerRow, name)))


_CHOOSE = {name: _choose(name) for name in _NAMES}
