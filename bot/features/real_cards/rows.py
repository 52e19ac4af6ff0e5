"""The rows of messages about games with real cards; the games themselves are counted by the core."""

from sqlmodel import Field

from bot.storage.models import BY_KEY, ID, Base


class CardPostRow(Base, table=True):
    """The message that shows a game with real cards to the room."""

    __tablename__ = "card_post"
    __table_args__ = BY_KEY

    batch: int = Field(primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    room: str
    topic: str
    message: str


class CardNoticeRow(Base, table=True):
    """The message that asks the fool of games with real cards, in a room or in private."""

    __tablename__ = "card_notice"
    __table_args__ = BY_KEY

    batch: int = Field(primary_key=True, sa_type=ID)
    player_id: int = Field(foreign_key="player.id", primary_key=True, index=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    room: str
    topic: str
    message: str
    is_private: bool
