"""The rows of puzzles and of their answers."""

from sqlmodel import Field

from bot.storage.models import BY_KEY, ID, Base


class PuzzleRow(Base, table=True):
    """A puzzle: the text of a `State`, the moves that win it, and the `day` for which it was posted.

    The game it was found in ended at `played_at`, which is 0 if it was not played here; its players are not
    recorded. Once it was `handed_out` to a single person, it is not posted on any day.
    """

    __tablename__ = "puzzle"
    __table_args__ = ({"sqlite_autoincrement": True},)  # ids are never reused, as old buttons contain them

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
