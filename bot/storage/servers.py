"""What the moderators of servers chose."""

from dataclasses import dataclass, fields
from zoneinfo import ZoneInfo

from sqlmodel import select

from adapters.port import ServerRef
from bot.storage.database import Database
from bot.storage.identities import server_id, server_id_made
from bot.storage.models import ServerRow

PICTURE = "picture"
VIEWS = (PICTURE, "text")
"""How tables can look; the first is what they look like when nobody chose."""

STYLES = ("dark", "light")
"""What colours pictures can have, as above."""


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """The choices of a server; what is empty was not chosen.

    Attributes:
        preset: What is played when nobody says otherwise.
        locale: The language of its tables.
        time_zone: The IANA name of the zone in which its weeks begin.
        view: How its tables look.
        style: What colours its pictures have.
    """

    preset: str = ""
    locale: str = ""
    time_zone: str = ""
    view: str = ""
    style: str = ""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone that counts: UTC until another one is chosen."""
        return ZoneInfo(self.time_zone or "UTC")

    @property
    def shown_view(self) -> str:
        """How its tables look: the first of `VIEWS` until another one is chosen."""
        return self.view or VIEWS[0]

    @property
    def shown_style(self) -> str:
        """What colours its pictures have: the first of `STYLES` until others are chosen."""
        return self.style or STYLES[0]

    @property
    def wants_pictures(self) -> bool:
        """Whether its tables are shown as pictures."""
        return self.shown_view == PICTURE


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
        return ServerChoices(**{choice.name: getattr(row, choice.name) for choice in fields(ServerChoices)})

    async def choose(self, server: ServerRef, **chosen: str) -> None:
        """Change some of what a server chose, by the names of `ServerChoices`."""
        async with self._database.session() as session:
            row = await session.get_one(ServerRow, await server_id_made(session, server))
            for name, value in chosen.items():
                setattr(row, name, value)
            await session.commit()
