"""What the moderators of servers chose."""

from dataclasses import fields

from sqlmodel import select

from adapters.port import ServerRef
from bot.model.server_choices import ServerChoices
from bot.storage.database import Database
from bot.storage.identities import server_id_made
from bot.storage.models import ServerRow


class ServerStore:
    """The choices of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def choices(self, server: ServerRef) -> ServerChoices:
        """Return what a server chose."""
        async with self._database.reading() as session:
            query = select(ServerRow).where(ServerRow.platform == server.platform, ServerRow.ref == server.id)
            row = (await session.exec(query)).first()
        if row is None:
            return ServerChoices()
        return ServerChoices(**{choice.name: getattr(row, choice.name) for choice in fields(ServerChoices)})

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""
        async with self._database.session() as session:
            row = await session.get_one(ServerRow, await server_id_made(session, server))
            for name, value in chosen.items():
                setattr(row, name, value)
            await session.commit()
