"""The tables of the local page."""

from typing import Any

from sqlalchemy import JSON, Column, ForeignKey, Index
from sqlmodel import Field

from bot.storage.models import Base, BigId, own_id


class GuestRow(Base, table=True):
    """A guest of the local page; `seen_at` says when they were last there. One at most is the owner."""

    __tablename__ = "guest"

    id: str = Field(primary_key=True)
    name: str
    secret_hash: str = Field(unique=True, repr=False)
    joined_at: float
    seen_at: float
    is_owner: bool = False


class MessageRow(Base, table=True):
    """A message on the local page; without a guest everybody in the room sees it."""

    __tablename__ = "message"
    __table_args__ = (
        Index("ix_message_room_guest_id", "room", "guest_id", "id"),
        Index("ix_message_key", "key", unique=True),
        {"sqlite_autoincrement": True},  # no id is ever given out twice
    )

    id: int = own_id()
    room: str
    guest_id: str | None
    kind: str
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False), repr=False)
    posted_at: float
    key: str | None = None


class MessageFileRow(Base, table=True):
    """A picture or a document of a message on the page; it goes when its message goes."""

    __tablename__ = "message_file"

    message_id: int = Field(
        sa_column=Column(BigId, ForeignKey("message.id", ondelete="CASCADE"), primary_key=True)
    )
    digest: str = Field(primary_key=True)
    content: bytes = Field(repr=False)
