"""The rows of bets."""

from sqlmodel import Field

from bot.storage.models import BY_KEY, ID, Base


class BetRow(Base, table=True):
    """A person's bet that a seat will lose a table's game; deleted if nobody loses it by the cards."""

    __tablename__ = "bet"
    __table_args__ = BY_KEY

    table_id: int = Field(foreign_key="card_table.id", primary_key=True, sa_type=ID)
    game: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", primary_key=True, index=True, sa_type=ID)
    seat: int
