"""The rows of entries of games with real cards; those of the games themselves are in the core."""

from sqlmodel import Field

from bot.storage.models import BY_KEY, ID, Base


class CardEntryRow(Base, table=True):
    """An entry of games: the room that shows them, its language then, and the person who took it back.

    Deleted once all messages show that the games were taken back.
    """

    __tablename__ = "card_entry"
    __table_args__ = BY_KEY

    batch: int = Field(primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    room: str
    topic: str
    locale: str = ""
    taken_back_by: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)
