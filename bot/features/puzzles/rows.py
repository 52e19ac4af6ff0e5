"""The rows of puzzles and of the answers to them."""

from sqlmodel import Field

from bot.storage.models import BY_KEY, ID, Base


class PuzzleRow(Base, table=True):
    """A puzzle: a position, as a `State` writes it, and the moves that win it; `day` is when it was posted.

    It was found in a game that was over at `played_at`; whose game it was is not recorded. Once it was
    `handed_out` to somebody alone, it is no longer posted on any day.
    """

    __tablename__ = "puzzle"
    __table_args__ = ({"sqlite_autoincrement": True},)  # old buttons name them

    id: int = Field(default=None, primary_key=True, sa_type=ID)
    state: str = Field(unique=True)
    line: str
    played_at: float
    day: int | None = Field(default=None, unique=True)
    handed_out: bool = False


class PuzzleAnswerRow(Base, table=True):
    """A person's first answer to a puzzle."""

    __tablename__ = "puzzle_answer"
    __table_args__ = BY_KEY

    player_id: int = Field(foreign_key="player.id", primary_key=True, sa_type=ID)
    puzzle_id: int = Field(foreign_key="puzzle.id", primary_key=True, sa_type=ID)
    at: float
    is_right: bool
