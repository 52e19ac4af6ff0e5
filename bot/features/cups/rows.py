"""The rows of cups and of their entrants."""

import sqlalchemy as sa
from sqlmodel import Field, Relationship

from bot.storage.models import BY_KEY, ID, Base, PlayerRow, ServerRow


class CupRow(Base, table=True):
    """A stored `Cup`."""

    __tablename__ = "cup"
    __table_args__ = (
        sa.Index("ix_cup_server_id_ended_at", "server_id", "ended_at"),
        {"sqlite_autoincrement": True},  # ids are never reused, as old buttons contain them
    )

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    server_id: int = Field(foreign_key="server.id", sa_type=ID)
    room: str
    topic: str
    opener_id: int = Field(foreign_key="player.id", sa_type=ID)
    preset: str
    rules: str
    house_rules: str | None = None
    seed: str = Field(repr=False)
    salt: str = ""
    locale: str
    starts_at: float
    phase: str = Field(index=True)
    round: int = 0
    round_began_at: float = 0.0
    has_called: bool = False
    ended_at: float | None = None
    winner_id: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)
    fool_id: int | None = Field(default=None, foreign_key="player.id", sa_type=ID)

    server: ServerRow = Relationship(sa_relationship_kwargs={"lazy": "joined"})
    opener: PlayerRow = Relationship(
        sa_relationship_kwargs={"lazy": "joined", "foreign_keys": "CupRow.opener_id"}
    )


class CupEntrantRow(Base, table=True):
    """A stored `Entrant`, by its number in the sign-up."""

    __tablename__ = "cup_entrant"
    __table_args__ = BY_KEY

    cup_id: int = Field(foreign_key="cup.id", primary_key=True, sa_type=ID)
    number: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True, sa_type=ID)
    name: str
    joined: str = ""
    place: int | None = None
    has_left: bool = False
    is_called: bool = False
