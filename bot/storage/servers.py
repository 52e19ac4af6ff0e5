"""What the moderators of servers chose."""

from dataclasses import dataclass

from sqlmodel import select

from adapters.port import ServerRef
from bot.storage.database import Database
from bot.storage.identities import server_id, server_id_made
from bot.storage.models import ServerRow


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """The choices of a server; what is empty was not chosen.

    Attributes:
        preset: What is played when nobody says otherwise.
        locale: The language of its tables.
        time_zone: The IANA name of the zone in which its weeks begin.
        view: How its tables look.
    """

    preset: str = ""
    locale: str = ""
    time_zone: str = ""
    view: str = ""


class Servers:
    """The choices of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Give what a server chose."""
        async with self._database.session() as session:
            query = select(ServerRow).where(ServerRow.id == await server_id(session, server))
            row = (await session.exec(query)).first()
        if row is None:
            return ServerChoices()
        return ServerChoices(row.preset, row.locale, row.time_zone, row.view)

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""
        async with self._database.session() as session:
            row = await session.get_one(ServerRow, await server_id_made(session, server))
            for name, value in chosen.items():
                setattr(row, name, value)
            await session.commit()
