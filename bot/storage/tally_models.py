"""The tables of what is counted on whenever a game ends; all of it could be counted anew from the results."""

from sqlmodel import Index

from bot.storage.models import Base, id_of


class TallyRow(Base, table=True):
    """How a person has fared in all games of a server that count; `strength` and `doubt` are their rating."""

    __tablename__ = "tally"

    server_id: int = id_of("server", is_key=True)
    player_id: int = id_of("player", is_key=True)
    games: int
    fools: int
    draws: int
    first_out: int
    expected: float
    epaulettes: int
    points: int
    strength: float
    doubt: float


class DuelRow(Base, table=True):
    """How two people have fared in the games they played together; `one_id` is the smaller id.

    `decided` counts the games in which one of them was the fool and the other was not.
    """

    __tablename__ = "duel"
    __table_args__ = (Index("ix_duel_server_id_decided", "server_id", "decided"),)

    server_id: int = id_of("server", is_key=True)
    one_id: int = id_of("player", is_key=True)
    other_id: int = id_of("player", is_key=True)
    games: int
    one_fools: int
    other_fools: int
    decided: int
