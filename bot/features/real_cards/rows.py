"""The rows of entries of games with real cards; the games themselves are counted by the core."""

from sqlmodel import Field

from bot.storage.models import BY_KEY, ID, Base


class CardEntryRow(Base, table=True):
    """Games that were entered together: the room that shows them, its language then, and who took them back.

    They are deleted once every message says that they were taken back.
    """

    __tablename__ = "card_entry"
    __table_args__ = BY_KEY

    batch: int = Field(primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    room: str
    topic: str
    locale: str = ""
    taken_back_by: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)
